import "server-only";
import { monthOf } from "@/lib/domain/cost-period";
import type { Db } from "@/lib/platform/db";
import type { MonthWanted } from "./costs-month";

/** What the engines of a month answered besides the portal's own pages; null when none of them was ever asked. */
export async function outsideIn(db: Db, { environmentIds, month, timeZone, filter = {} }: MonthWanted): Promise<{ requests: number; readAt: string } | null> {
  const { from, to } = monthOf(month, timeZone);
  const where = { environmentId: { in: environmentIds }, hour: { gte: new Date(from), lt: new Date(to) }, ...(filter.deploymentId ? { deploymentId: filter.deploymentId } : {}) };
  const rows = await db.engineHour.groupBy({ by: ["deploymentId"], where, _sum: { requests: true, own: true } });
  if (rows.length === 0) return null;
  const last = await db.engineCounter.aggregate({ where: { environmentId: { in: environmentIds } }, _max: { at: true } });
  const pages = await db.usageHour.groupBy({ by: ["deploymentKey"], where: { environmentId: where.environmentId, hour: where.hour }, _sum: { pages: true } });
  const countedNow = new Map(pages.map((row) => [row.deploymentKey, BigInt(row._sum.pages ?? 0)]));
  // An engine has answered a moment before the portal has counted: what was counted since the counters were read is the portal's own too.
  const ownOf = (row: (typeof rows)[number]) => [row._sum.own ?? 0n, countedNow.get(row.deploymentId) ?? 0n].reduce((a, b) => (a > b ? a : b));
  // A retry or a page under way can make the portal's own count the larger one for a while: that is not negative traffic.
  const requests = rows.reduce((sum, row) => sum + Math.max(0, Number((row._sum.requests ?? 0n) - ownOf(row))), 0);
  return { requests, readAt: (last._max.at ?? new Date(to)).toISOString() };
}
