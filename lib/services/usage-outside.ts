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
  // A retry or a page under way can make the portal's own count the larger one for a while: that is not negative traffic.
  const requests = rows.reduce((sum, row) => sum + Math.max(0, Number((row._sum.requests ?? 0n) - (row._sum.own ?? 0n))), 0);
  return { requests, readAt: (last._max.at ?? new Date(to)).toISOString() };
}
