import "server-only";
import { Prisma } from "@/lib/generated/prisma/client";
import { monthOf } from "@/lib/domain/cost-period";
import type { Db } from "@/lib/platform/db";
import type { MonthWanted } from "./costs-month";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
type Row = { id: string; requests: bigint; before: bigint; since: bigint };

/** What the engines of a month answered besides the portal's own pages; null when none of them was ever asked. */
export async function outsideIn(db: Db, { environmentIds, month, timeZone, filter = {} }: MonthWanted): Promise<{ requests: number; readAt: string } | null> {
  const { from, to } = monthOf(month, timeZone);
  const last = await db.engineCounter.aggregate({ where: { environmentId: { in: environmentIds } }, _max: { at: true } });
  const readAt = last._max.at ?? new Date(to);
  const lastHour = new Date(Math.floor(readAt.getTime() / HOUR_MS) * HOUR_MS);
  const [since, until] = [new Date(from), new Date(to)];
  // Whole days in UTC are read as days; only the month's edges, and the day of the last reading, by the hour.
  const firstDay = new Date(Math.ceil(from / DAY_MS) * DAY_MS);
  const lastDay = new Date(Math.max(firstDay.getTime(), Math.floor(Math.min(to, lastHour.getTime()) / DAY_MS) * DAY_MS));
  const where = Prisma.sql`environment_id = ANY(${environmentIds}::uuid[]) ${filter.deploymentId ? Prisma.sql`AND deployment_id = ${filter.deploymentId}::uuid` : Prisma.empty}`;
  const rows = await db.$queryRaw<Row[]>`
    SELECT deployment_id::text AS id, SUM(requests)::bigint AS requests, COALESCE(SUM(own) FILTER (WHERE at < ${lastHour}), 0)::bigint AS before, COALESCE(SUM(own) FILTER (WHERE at >= ${lastHour}), 0)::bigint AS since
    FROM (SELECT deployment_id, day AS at, requests, own FROM engine_day WHERE ${where} AND day >= ${firstDay} AND day < ${lastDay}
      UNION ALL SELECT deployment_id, hour, requests, own FROM engine_hour WHERE ${where} AND hour >= ${since} AND hour < ${firstDay < until ? firstDay : until}
      UNION ALL SELECT deployment_id, hour, requests, own FROM engine_hour WHERE ${where} AND hour >= ${lastDay} AND hour < ${until}) AS answered
    GROUP BY deployment_id`;
  if (rows.length === 0) return null;
  // An engine has answered a moment before the portal has counted: what was counted since the counters were read is the portal's own too.
  const late = await db.usageHour.groupBy({ by: ["deploymentKey"], where: { environmentId: { in: environmentIds }, hour: { gte: lastHour > since ? lastHour : since, lt: until } }, _sum: { pages: true } });
  const counted = new Map(late.map((row) => [row.deploymentKey, BigInt(row._sum.pages ?? 0)]));
  const ownOf = (row: Row) => row.before + [row.since, counted.get(row.id) ?? 0n].reduce((a, b) => (a > b ? a : b));
  // A retry or a page under way can make the portal's own count the larger one for a while: that is not negative traffic.
  const requests = rows.reduce((sum, row) => sum + Math.max(0, Number(row.requests - ownOf(row))), 0);
  return { requests, readAt: readAt.toISOString() };
}
