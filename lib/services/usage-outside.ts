import "server-only";
import { monthOf } from "@/lib/domain/cost-period";
import type { Db } from "@/lib/platform/db";
import type { MonthWanted } from "./costs-month";

const HOUR_MS = 3_600_000;

/** What the engines of a month answered besides the portal's own pages; null when none of them was ever asked. */
export async function outsideIn(db: Db, { environmentIds, month, timeZone, filter = {} }: MonthWanted): Promise<{ requests: number; readAt: string } | null> {
  const { from, to } = monthOf(month, timeZone);
  const where = { environmentId: { in: environmentIds }, hour: { gte: new Date(from), lt: new Date(to) }, ...(filter.deploymentId ? { deploymentId: filter.deploymentId } : {}) };
  const rows = await db.engineHour.findMany({ where });
  if (rows.length === 0) return null;
  const last = await db.engineCounter.aggregate({ where: { environmentId: { in: environmentIds } }, _max: { at: true } });
  const readAt = last._max.at ?? new Date(to);
  const lastHour = Math.floor(readAt.getTime() / HOUR_MS) * HOUR_MS;
  // An engine has answered a moment before the portal has counted: what was counted since the counters were read is the portal's own too.
  const late = await db.usageHour.groupBy({ by: ["deploymentKey"], where: { environmentId: where.environmentId, hour: { gte: new Date(Math.max(from, lastHour)), lt: new Date(to) } }, _sum: { pages: true } });
  const countedLate = new Map(late.map((row) => [row.deploymentKey, BigInt(row._sum.pages ?? 0)]));
  const ownOf = (mine: typeof rows) => {
    const [before, since] = [mine.filter((row) => row.hour.getTime() < lastHour), mine.filter((row) => row.hour.getTime() >= lastHour)].map((some) => some.reduce((sum, row) => sum + row.own, 0n));
    const counted = countedLate.get(mine[0]?.deploymentId ?? "") ?? 0n;
    return (before ?? 0n) + (counted > (since ?? 0n) ? counted : (since ?? 0n));
  };
  const byDeployment = [...new Set(rows.map((row) => row.deploymentId))].map((id) => rows.filter((row) => row.deploymentId === id));
  // A retry or a page under way can make the portal's own count the larger one for a while: that is not negative traffic.
  const requests = byDeployment.reduce((sum, mine) => sum + Math.max(0, Number(mine.reduce((all, row) => all + row.requests, 0n) - ownOf(mine))), 0);
  return { requests, readAt: readAt.toISOString() };
}
