import "server-only";
import type { RateSource } from "@/lib/domain/price-throughput";
import type { Db } from "@/lib/platform/db";

const WINDOW_DAYS = 30;
/** With so many pages in work at once, on average of a whole hour, a node has no pause that more pages could fill. */
const BUSY_AT_ONCE = 4;
/** A node that ran for less of the hour says little. */
const LEAST_NODE_SECONDS = 900;

type Row = { sku_key: string; model_id: string; hour: Date; pages: number; node_seconds: number };

/** By model, then by node type. */
export type MeasuredRates = Record<string, Record<string, RateSource>>;

/**
 * Pages per second of one busy node by model and node type: those of the best hour of the last 30 days in which the nodes were full. A quiet hour
 * measures its visitors, not the node, and is no measure: then there is none, and listed rates stay.
 */
export async function measuredRates(db: Db, environmentIds: string[], now: number): Promise<MeasuredRates> {
  const from = new Date(now - WINDOW_DAYS * 86_400_000);
  const rows = await db.$queryRaw<Row[]>`
    WITH full_hours AS MATERIALIZED (
      SELECT environment_id, hour, sku_key, model_id, SUM(pages)::float8 AS pages, SUM(seconds) AS seconds FROM usage_total
      WHERE environment_id = ANY(${environmentIds}::uuid[]) AND hour >= ${from} AND hour < ${new Date(now - 3_600_000)} AND sku_key <> ''
      GROUP BY 1, 2, 3, 4 HAVING SUM(seconds) >= ${BUSY_AT_ONCE * LEAST_NODE_SECONDS} ORDER BY SUM(seconds) DESC LIMIT 48
    ), held AS MATERIALIZED (
      SELECT environment_id, sku_id, started_at, COALESCE(ended_at, last_seen_at) AS ended, share FROM node_interval
      WHERE environment_id = ANY(${environmentIds}::uuid[]) AND (ended_at IS NULL OR ended_at > ${from}) AND use = 'held' AND EXISTS (SELECT 1 FROM full_hours)
    ), beside AS MATERIALIZED (
      SELECT f.*, (SELECT SUM(extract(epoch FROM LEAST(n.ended, f.hour + interval '1 hour') - GREATEST(n.started_at, f.hour)) * n.share)
        FROM held n WHERE n.environment_id = f.environment_id AND n.sku_id = f.sku_key AND n.started_at < f.hour + interval '1 hour' AND n.ended > f.hour)::float8 AS node_seconds
      FROM full_hours f
    )
    SELECT DISTINCT ON (model_id, sku_key) sku_key, model_id, hour, pages, node_seconds FROM beside
    WHERE node_seconds >= ${LEAST_NODE_SECONDS} AND seconds >= ${BUSY_AT_ONCE} * node_seconds ORDER BY model_id, sku_key, pages / node_seconds DESC`;
  const rates: MeasuredRates = {};
  for (const row of rows) rates[row.model_id] = { ...rates[row.model_id], [row.sku_key]: sourceOf(row) };
  return rates;
}

function sourceOf({ hour, pages, node_seconds: seconds }: Row): RateSource {
  const at = hour.toISOString();
  const basis = `${pages} pages in ${Math.round(seconds)} node seconds, at least ${BUSY_AT_ONCE} at once, in the hour from ${at.slice(0, 16).replace("T", " ")} UTC`;
  return { pagesPerSecond: (pages / seconds).toFixed(4), kind: "measured", basis, source: "this portal's own log", asOf: at.slice(0, 10) };
}
