import "server-only";
import { z } from "zod";
import { monthKeyAt } from "@/lib/domain/cost-period";
import { costReport, type CostReportInput } from "@/lib/domain/cost-report";
import { CostReport } from "@/lib/domain/cost-report-schema";
import { costSentence } from "@/lib/domain/cost-sentence";
import type { CostSettings } from "@/lib/domain/cost-settings";
import { USUAL_PLAN } from "@/lib/domain/cost-plan";
import { nodePrice, PurchaseMode, type PriceBook } from "@/lib/domain/price-book";
import { DEFAULT_OFFER_IDS, fullName, managedOffers } from "@/lib/domain/price-offers";
import { modelInBook } from "@/lib/domain/price-throughput";
import { costSettings } from "./costs-settings";
import { firstRegion, monthUse, type MonthUse } from "./costs-month";
import { outsideIn } from "./usage-outside";
import { environmentById } from "./environment-rows";
import { inEnvironmentsWith } from "./environments";
import { read } from "./operation";
import { priceBook } from "./prices-book";

export const MonthKey = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "Write the month like 2026-11.");
const PlanChoice = z.strictObject({ skuId: z.string().max(60), region: z.string().max(60), mode: PurchaseMode });

export const costsReport = read({
  name: "costs.report",
  summary: "What the month cost so far, what managed APIs would have charged, and from how many pages the answer flips",
  permission: "cost.read",
  environment: async (input) => input.environmentId,
  input: z.strictObject({
    environmentId: z.uuid(),
    month: MonthKey.optional(),
    offerIds: z.array(z.string().max(60)).min(1).max(4).optional(),
    plan: PlanChoice.optional(),
    deploymentId: z.uuid().optional(),
    skuId: z.string().max(60).optional(),
    modelId: z.string().max(60).optional(),
    feature: z.string().max(40).optional(),
  }),
  output: z.object({
    environmentId: z.uuid(),
    environmentName: z.string(),
    isSample: z.boolean(),
    isSandbox: z.boolean(),
    timeZone: z.string(),
    sentence: z.string(),
    /** Pages that the embedded engine read: they cost no GPU and are not compared. */
    pagesElsewhere: z.number().int(),
    /** Requests that the engines answered and that did not come through the portal; null when no engine could be asked. */
    outside: z.object({ requests: z.number().int(), readAt: z.string() }).nullable(),
    /** Node hours whose start or end fell into an outage and is inferred. */
    inferredHours: z.string(),
    offers: z.array(z.object({ id: z.string(), name: z.string() })),
    report: CostReport,
  }),
  run: async ({ db, input, now }) => {
    const environment = await environmentById(db, input.environmentId);
    const [settings, book] = await Promise.all([costSettings(db), priceBook(db)]);
    const month = input.month ?? monthKeyAt(now.getTime(), settings.timeZone);
    const wanted = { environmentIds: [environment.id], month, timeZone: settings.timeZone, now: now.getTime(), book, filter: input };
    const [use, outside, cluster] = await Promise.all([
      monthUse(db, wanted),
      outsideIn(db, wanted),
      environment.clusterId ? db.cluster.findUnique({ where: { id: environment.clusterId }, select: { kind: true } }) : null,
    ]);
    const report = costReport({ ...reportInput(use, { ...wanted, settings }), offerIds: input.offerIds ?? DEFAULT_OFFER_IDS, ...planOf(use, book, input.plan) });
    return {
      environmentId: environment.id,
      environmentName: environment.name,
      isSample: environment.isSample,
      isSandbox: cluster?.kind === "sandbox",
      timeZone: settings.timeZone,
      sentence: costSentence(report),
      pagesElsewhere: use.elsewhere,
      outside,
      inferredHours: use.inferredHours.toFixed(2),
      offers: managedOffers(book).map((offer) => ({ id: offer.id, name: fullName(offer) })),
      report,
    };
  },
});

type ReportContext = { month: string; now: number; book: PriceBook; settings: CostSettings };

/** What the month's use says to the pure report. */
export function reportInput(use: MonthUse, { month, now, book, settings }: ReportContext): Omit<CostReportInput, "offerIds"> {
  return {
    month,
    timeZone: settings.timeZone,
    now,
    pages: use.pages,
    daysWithData: use.daysWithData,
    nodes: use.slices.flatMap((slice) => slice.nodes),
    slices: use.slices,
    countsKept: settings.countFrom === "node",
    book,
    model: modelInBook(use.modelId),
  };
}

/** The chosen node, or a usual one where no node was logged: a first look needs one to compare with. */
function planOf(use: MonthUse, book: PriceBook, chosen: z.infer<typeof PlanChoice> | undefined) {
  const model = modelInBook(use.modelId) ?? USUAL_PLAN.model;
  if (chosen) return { plan: { ...chosen, model } };
  const hasNodes = use.slices.some((slice) => slice.nodes.length > 0);
  return hasNodes ? {} : { plan: { ...USUAL_PLAN, model, region: firstRegion(USUAL_PLAN.skuId, book) } };
}

/** What runs now, in money per hour, by environment; sizes without a price are counted apart. */
export const costsNow = read({
  name: "costs.now",
  summary: "What the nodes that run now cost per hour",
  permission: "cost.read",
  environment: "each",
  input: z.strictObject({}),
  output: z.strictObject({ environments: z.array(z.strictObject({ environmentId: z.uuid(), nodes: z.number().int(), perHour: z.array(z.strictObject({ amount: z.number(), currency: z.string() })), unpriced: z.number().int() })) }),
  run: async ({ caller, db, now }) => {
    const rows = await db.nodeInterval.findMany({
      where: { ...inEnvironmentsWith(caller.actor, "cost.read"), endedAt: null, use: "held", environment: { isSample: false } },
      select: { environmentId: true, skuId: true, region: true, mode: true, share: true },
    });
    const book = await priceBook(db);
    const ids = [...new Set(rows.map((row) => row.environmentId))];
    return { environments: ids.map((environmentId) => ({ environmentId, ...sumOf(rows.filter((row) => row.environmentId === environmentId), { book, at: now.getTime() }) })) };
  },
});

type OpenNode = { skuId: string; region: string; mode: string; share: number };

function sumOf(rows: OpenNode[], { book, at }: { book: PriceBook; at: number }) {
  const perHour = new Map<string, number>();
  let unpriced = 0;
  for (const row of rows) {
    const price = nodePrice(book, { skuId: row.skuId, region: row.region || firstRegion(row.skuId, book), mode: PurchaseMode.parse(row.mode), at });
    if (price.state === "unpriced") unpriced += 1;
    else perHour.set(price.currency, (perHour.get(price.currency) ?? 0) + Number(price.perHour) * row.share);
  }
  return { nodes: rows.length, perHour: [...perHour].map(([currency, amount]) => ({ amount, currency })), unpriced };
}
