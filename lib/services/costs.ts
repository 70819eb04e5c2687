import "server-only";
import { z } from "zod";
import { monthKeyAt, monthOf } from "@/lib/domain/cost-period";
import { costReport } from "@/lib/domain/cost-report";
import { CostReport } from "@/lib/domain/cost-report-schema";
import { costSentence } from "@/lib/domain/cost-sentence";
import { DEFAULT_OFFER_IDS } from "@/lib/domain/price-offers";
import { defaultPriceBook } from "@/lib/domain/price-book-default";
import { priceOfSku } from "@/lib/domain/sku-price";
import type { Db } from "@/lib/platform/db";
import { environmentById } from "./environment-rows";
import { inEnvironmentsWith } from "./environments";
import { read } from "./operation";



const DAY_MS = 86_400_000;

type Span = { from: Date; to: Date };

async function pagesIn(db: Db, environmentId: string, span: Span) {
  const rows = await db.$queryRaw<{ pages: bigint; elsewhere: bigint; days: bigint; model: string | null }[]>`
    SELECT COALESCE(SUM(pages) FILTER (WHERE sku_key <> ''), 0)::bigint AS pages,
           COALESCE(SUM(pages) FILTER (WHERE sku_key = ''), 0)::bigint AS elsewhere,
           COUNT(DISTINCT date_trunc('day', hour AT TIME ZONE 'UTC')) FILTER (WHERE sku_key <> '') AS days,
           MAX(model_id) FILTER (WHERE sku_key <> '') AS model
    FROM usage_hour WHERE environment_id = ${environmentId}::uuid AND hour >= ${span.from} AND hour < ${span.to}`;
  const row = rows[0];
  return { pages: Number(row?.pages ?? 0), elsewhere: Number(row?.elsewhere ?? 0), days: Number(row?.days ?? 0), model: row?.model ?? null };
}

/** Seconds that nodes were paid for in the span, by size, and the days on which any was. */
async function nodeSecondsIn(db: Db, environmentId: string, span: Span) {
  const rows = await db.nodeInterval.findMany({
    where: { environmentId, startedAt: { lt: span.to }, OR: [{ endedAt: null }, { endedAt: { gt: span.from } }] },
    select: { skuId: true, startedAt: true, endedAt: true, share: true },
  });
  const bySku = new Map<string, number>();
  const days = new Set<number>();
  for (const row of rows) {
    const from = Math.max(row.startedAt.getTime(), span.from.getTime());
    const to = Math.min(row.endedAt?.getTime() ?? span.to.getTime(), span.to.getTime());
    if (to <= from) continue;
    bySku.set(row.skuId, (bySku.get(row.skuId) ?? 0) + Math.round(((to - from) / 1000) * row.share));
    for (let day = Math.floor(from / DAY_MS); day * DAY_MS < to; day += 1) days.add(day);
  }
  return { bySku, days: days.size };
}

const MODEL_IN_BOOK: Record<string, string> = { "lightonocr-3-0.8b": "LightOnOCR-3-0.8B", "lightonocr-3-1b": "LightOnOCR-3-1B", "lightonocr-3-4b": "LightOnOCR-3-4B" };

export const costsReport = read({
  name: "costs.report",
  summary: "What the month cost so far, what managed APIs would have charged, and from how many pages the answer flips",
  permission: "cost.read",
  environment: async (input) => input.environmentId,
  input: z.strictObject({
    environmentId: z.uuid(),
    month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "Write the month like 2026-11.").optional(),
    offerIds: z.array(z.string().max(60)).min(1).max(4).optional(),
  }),
  output: z.object({
    environmentId: z.uuid(),
    environmentName: z.string(),
    isSample: z.boolean(),
    isSandbox: z.boolean(),
    sentence: z.string(),
    /** Pages that the embedded engine read: they cost no GPU and are not compared. */
    pagesElsewhere: z.number().int(),
    offers: z.array(z.object({ id: z.string(), name: z.string() })),
    report: CostReport,
  }),
  run: async ({ db, input, now }) => {
    const environment = await environmentById(db, input.environmentId);
    const cluster = environment.clusterId ? await db.cluster.findUnique({ where: { id: environment.clusterId }, select: { kind: true } }) : null;
    const month = monthOf(input.month ?? monthKeyAt(now.getTime()));
    const span = { from: new Date(month.from), to: new Date(Math.min(month.to, Math.max(month.from, now.getTime()))) };
    const [usage, nodes] = await Promise.all([pagesIn(db, environment.id, span), nodeSecondsIn(db, environment.id, span)]);
    const book = defaultPriceBook();
    const report = costReport({
      month: month.key,
      now: now.getTime(),
      pages: usage.pages,
      daysWithData: Math.max(usage.days, nodes.days),
      nodes: [...nodes.bySku].map(([skuId, seconds]) => ({ skuId, region: regionOf(skuId), mode: "on_demand" as const, seconds })),
      book,
      offerIds: input.offerIds ?? DEFAULT_OFFER_IDS,
      ...(nodes.bySku.size === 0 ? { plan: { skuId: "aws-g6-xlarge", region: regionOf("aws-g6-xlarge"), mode: "on_demand" as const, model: "LightOnOCR-3-0.8B" } } : {}),
      model: MODEL_IN_BOOK[usage.model ?? ""],
    });
    return {
      environmentId: environment.id,
      environmentName: environment.name,
      isSample: environment.isSample,
      isSandbox: cluster?.kind === "sandbox",
      sentence: costSentence(report),
      pagesElsewhere: usage.elsewhere,
      offers: book.managed_ocr.map((offer) => ({ id: offer.id, name: `${offer.product}: ${offer.feature}` })),
      report,
    };
  },
});

/** The region whose price counts until an environment names its own; the price table shows which it is. */
function regionOf(skuId: string): string {
  const price = priceOfSku(skuId);
  return price.state === "priced" ? price.region : "any region";
}

/** What runs now, in money per hour, by environment; sizes without a price are counted apart. */
export const costsNow = read({
  name: "costs.now",
  summary: "What the nodes that run now cost per hour",
  permission: "cost.read",
  environment: "each",
  input: z.strictObject({}),
  output: z.strictObject({ environments: z.array(z.strictObject({ environmentId: z.uuid(), nodes: z.number().int(), perHour: z.array(z.strictObject({ amount: z.number(), currency: z.string() })), unpriced: z.number().int() })) }),
  run: async ({ caller, db }) => {
    const rows = await db.nodeInterval.findMany({ where: { ...inEnvironmentsWith(caller.actor, "cost.read"), endedAt: null, environment: { isSample: false } }, select: { environmentId: true, skuId: true, share: true } });
    const ids = [...new Set(rows.map((row) => row.environmentId))];
    return { environments: ids.map((environmentId) => ({ environmentId, ...sumOf(rows.filter((row) => row.environmentId === environmentId)) })) };
  },
});

function sumOf(rows: { skuId: string; share: number }[]) {
  const perHour = new Map<string, number>();
  let unpriced = 0;
  for (const row of rows) {
    const price = priceOfSku(row.skuId);
    if (price.state === "unpriced") unpriced += 1;
    else perHour.set(price.currency, (perHour.get(price.currency) ?? 0) + Number(price.perHour) * row.share);
  }
  return { nodes: rows.length, perHour: [...perHour].map(([currency, amount]) => ({ amount, currency })), unpriced };
}
