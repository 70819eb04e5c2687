import "server-only";
import { Prisma } from "@/lib/generated/prisma/client";
import { monthOf } from "@/lib/domain/cost-period";
import type { NodeUse } from "@/lib/domain/cost-report-self";
import { daysWithData, sliceStarts, sliceUse, type UseSlice } from "@/lib/domain/cost-slices";
import { PurchaseMode, type PriceBook } from "@/lib/domain/price-book";
import { priceOfSku } from "@/lib/domain/sku-price";
import type { Db, Tx } from "@/lib/platform/db";

export type MonthFilter = { deploymentId?: string | undefined; skuId?: string | undefined; modelId?: string | undefined; feature?: string | undefined };
export type MonthWanted = { environmentIds: string[]; month: string; timeZone: string; now: number; book: PriceBook; filter?: MonthFilter | undefined };

/** What was logged in a month: pages and node time by day and price, and what is shown apart. */
export type MonthUse = { slices: UseSlice[]; pages: number; daysWithData: number; elsewhere: number; /** the most used first */ modelIds: string[]; skuIds: string[]; inferredHours: number };

/** Reads a month in few rows: the totals by hour, and the intervals that touch it. */
export async function monthUse(db: Db | Tx, wanted: MonthWanted): Promise<MonthUse> {
  const month = monthOf(wanted.month, wanted.timeZone);
  const starts = sliceStarts(month, wanted.timeZone, wanted.book);
  const until = Math.min(month.to, Math.max(month.from, wanted.now));
  const [used, logged] = await Promise.all([pagesBySlice(db, wanted, { starts, to: month.to }), nodesBySlice(db, wanted, { starts, until })]);
  const slices = sliceUse({ month: wanted.month, timeZone: wanted.timeZone, starts, until, pages: used.pages, nodes: logged.nodes });
  const pages = [...used.pages.values()].reduce((sum, count) => sum + count, 0);
  return { slices, pages, daysWithData: daysWithData(slices), elsewhere: used.elsewhere, modelIds: used.modelIds, skuIds: [...new Set([...used.skuIds, ...logged.skuIds])], inferredHours: logged.inferredHours };
}

type SliceRow = { slice: number; model_id: string; sku_key: string; pages: bigint };

async function pagesBySlice(db: Db | Tx, { environmentIds, filter = {} }: MonthWanted, span: { starts: number[]; to: number }) {
  const instants = span.starts.map((start) => new Date(start).toISOString());
  const where = Prisma.sql`environment_id = ANY(${environmentIds}::uuid[]) AND hour >= ${instants[0]}::timestamptz AND hour < ${new Date(span.to).toISOString()}::timestamptz
    ${filter.skuId ? Prisma.sql`AND sku_key = ${filter.skuId}` : Prisma.empty} ${filter.modelId ? Prisma.sql`AND model_id = ${filter.modelId}` : Prisma.empty}
    ${filter.feature ? Prisma.sql`AND feature = ${filter.feature}` : Prisma.empty}`;
  const logged =
    filter.deploymentId
      ? Prisma.sql`SELECT hour, model_id, sku_key, pages FROM usage_hour WHERE ${where} AND deployment_key = ${filter.deploymentId}`
      : Prisma.sql`SELECT hour, model_id, sku_key, pages FROM usage_total WHERE ${where}`;
  const imported = filter.deploymentId ? Prisma.empty : Prisma.sql`UNION ALL SELECT hour, model_id, sku_key, pages FROM imported_hour WHERE ${where}`;
  const rows = await db.$queryRaw<SliceRow[]>`
    SELECT width_bucket(hour, ${instants}::timestamptz[]) - 1 AS slice, model_id, sku_key, SUM(pages)::bigint AS pages
    FROM (${logged} ${imported}) AS used GROUP BY 1, 2, 3`;
  return sumSlices(rows);
}

/** Pages of the embedded engine have no node size: they are no GPU's pages and are counted apart. */
function sumSlices(rows: SliceRow[]) {
  const pages = new Map<number, number>();
  const byModel = new Map<string, number>();
  let elsewhere = 0;
  for (const row of rows) {
    const count = Number(row.pages);
    if (row.sku_key === "") elsewhere += count;
    else {
      pages.set(row.slice, (pages.get(row.slice) ?? 0) + count);
      byModel.set(row.model_id, (byModel.get(row.model_id) ?? 0) + count);
    }
  }
  const modelIds = [...byModel].sort((a, b) => b[1] - a[1]).map(([id]) => id);
  return { pages, elsewhere, modelIds, skuIds: rows.flatMap((row) => (row.sku_key === "" ? [] : [row.sku_key])) };
}

type NodeRow = { slice: number; sku_id: string; region: string; mode: string; use: string; is_inferred: boolean; milliseconds: number };

/** Node time by slice, summed in the database: exact to the millisecond, times the share of the node's GPUs. */
async function nodesBySlice(db: Db | Tx, { environmentIds, filter = {}, book }: MonthWanted, span: { starts: number[]; until: number }) {
  const begun = span.starts.filter((start) => start < span.until);
  const at = (instant: number) => new Date(instant).toISOString();
  const ends = begun.map((_, index) => at(Math.min(begun[index + 1] ?? span.until, span.until)));
  const until = Prisma.sql`${at(span.until)}::timestamptz`;
  // Each interval is looked up once and met with its own slices only: neither older months nor the number of days make it slower.
  const rows = await db.$queryRaw<NodeRow[]>`
    WITH touched AS MATERIALIZED (
      SELECT sku_id, region, mode, use, share, (start_source = 'inferred' OR end_source = 'inferred') AS is_inferred,
        GREATEST(started_at, ${at(span.starts[0] ?? span.until)}::timestamptz) AS began, LEAST(COALESCE(ended_at, ${until}), ${until}) AS ended
      FROM node_interval WHERE environment_id = ANY(${environmentIds}::uuid[]) AND started_at < ${until} AND (ended_at IS NULL OR ended_at > ${at(span.starts[0] ?? span.until)}::timestamptz)
        ${filter.deploymentId ? Prisma.sql`AND deployment_id = ${filter.deploymentId}::uuid` : Prisma.empty} ${filter.skuId ? Prisma.sql`AND sku_id = ${filter.skuId}` : Prisma.empty}
        ${filter.modelId ? Prisma.sql`AND deployment_id IN (SELECT id FROM deployment WHERE spec ->> 'modelId' = ${filter.modelId})` : Prisma.empty}
    ), placed AS MATERIALIZED (
      SELECT *, width_bucket(began, ${begun.map(at)}::timestamptz[]) AS first, width_bucket(ended, ${begun.map(at)}::timestamptz[]) AS last FROM touched WHERE ended > began
    )
    SELECT (i - 1)::int AS slice, sku_id, region, mode, use, is_inferred,
      SUM(round(date_part('epoch', LEAST(ended, (${ends}::timestamptz[])[i]) - GREATEST(began, (${begun.map(at)}::timestamptz[])[i])) * 1000) * share) AS milliseconds
    FROM placed, generate_series(first, last) AS i WHERE (${begun.map(at)}::timestamptz[])[i] < ended
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5`;
  const nodes = new Map<number, NodeUse[]>();
  for (const row of rows) nodes.set(row.slice, [...(nodes.get(row.slice) ?? []), nodeUse(row, { book, at: begun[row.slice] ?? span.until })]);
  const inferred = rows.reduce((sum, row) => sum + (row.is_inferred ? row.milliseconds : 0), 0);
  return { nodes, skuIds: rows.map((row) => row.sku_id), inferredHours: inferred / 3_600_000 };
}

function nodeUse(row: NodeRow, { book, at }: { book: PriceBook; at: number }): NodeUse {
  return { skuId: row.sku_id, region: row.region || firstRegion(row.sku_id, book), mode: PurchaseMode.parse(row.mode), use: row.use === "kept" ? "kept" : "held", at, seconds: row.milliseconds / 1000 };
}

/** The region whose price counts for a node that does not tell its own; the price table shows which it is. */
export function firstRegion(skuId: string, book: PriceBook): string {
  const price = priceOfSku(skuId, book);
  return price.state === "priced" ? price.region : "any region";
}
