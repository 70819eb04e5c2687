import "server-only";
import { z } from "zod";
import { monthKeyAt } from "@/lib/domain/cost-period";
import { USUAL_PLAN } from "@/lib/domain/cost-plan";
import { costReport, type CostReportInput } from "@/lib/domain/cost-report";
import { CostReport } from "@/lib/domain/cost-report-schema";
import { costSentence } from "@/lib/domain/cost-sentence";
import type { CostSettings } from "@/lib/domain/cost-settings";
import { PurchaseMode, type PriceBook } from "@/lib/domain/price-book";
import { DEFAULT_OFFER_IDS, fullName, managedOffers } from "@/lib/domain/price-offers";
import { modelInBook } from "@/lib/domain/price-throughput";
import type { Db } from "@/lib/platform/db";
import { measuredRates } from "./costs-rate";
import { costSettings } from "./costs-settings";
import { firstRegion, monthUse, type MonthUse } from "./costs-month";
import { outsideIn } from "./usage-outside";
import { priceBook } from "./prices-book";

export const MonthKey = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "Write the month like 2026-11.");
const PlanChoice = z.strictObject({ skuId: z.string().max(60), region: z.string().max(60), mode: PurchaseMode });

/** What may be asked of a month, wherever it was spent. */
export const ReportChoice = z.strictObject({
  month: MonthKey.optional(),
  offerIds: z.array(z.string().max(60)).min(1).max(4).optional(),
  plan: PlanChoice.optional(),
  skuId: z.string().max(60).optional(),
  modelId: z.string().max(60).optional(),
  feature: z.string().max(40).optional(),
});
export type ReportChoice = z.infer<typeof ReportChoice> & { deploymentId?: string | undefined };

export const ReportAnswer = z.object({
  timeZone: z.string(),
  sentence: z.string(),
  /** Pages that the embedded engine read: they cost no GPU and are not compared. */
  pagesElsewhere: z.number().int(),
  /** Requests that the engines answered and that did not come through the portal; null when no engine could be asked. */
  outside: z.object({ requests: z.number().int(), readAt: z.string() }).nullable(),
  /** Node hours whose start or end fell into an outage and is inferred. */
  inferredHours: z.string(),
  offers: z.array(z.object({ id: z.string(), name: z.string() })),
  /** What the month's pages and hours can be narrowed to. */
  models: z.array(z.string()),
  skus: z.array(z.string()),
  report: CostReport,
});
export type ReportAnswer = z.infer<typeof ReportAnswer>;

/** The month of these environments together, from what was logged and the prices in force. Who may see them, the caller has decided. */
export async function reportOf(db: Db, environmentIds: string[], { choice, now }: { choice: ReportChoice; now: Date }): Promise<ReportAnswer> {
  const [settings, book] = await Promise.all([costSettings(db), priceBook(db)]);
  const month = choice.month ?? monthKeyAt(now.getTime(), settings.timeZone);
  const wanted = { environmentIds, month, timeZone: settings.timeZone, now: now.getTime(), book, filter: choice };
  const [use, outside, rates] = await Promise.all([monthUse(db, wanted), outsideIn(db, wanted), measuredRates(db, environmentIds, now.getTime())]);
  const measured = rates[choice.modelId ?? use.modelIds[0] ?? ""];
  const report = costReport({ ...reportInput(use, { ...wanted, settings }), measured, offerIds: choice.offerIds ?? DEFAULT_OFFER_IDS, ...planOf(use, book, choice.plan) });
  return {
    timeZone: settings.timeZone,
    sentence: costSentence(report),
    pagesElsewhere: use.elsewhere,
    outside,
    inferredHours: use.inferredHours.toFixed(2),
    offers: managedOffers(book).map((offer) => ({ id: offer.id, name: fullName(offer) })),
    models: use.modelIds,
    skus: use.skuIds,
    report,
  };
}

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
    model: modelInBook(use.modelIds[0] ?? null),
  };
}

/** The chosen node, or a usual one where no node was logged: a first look needs one to compare with. */
function planOf(use: MonthUse, book: PriceBook, chosen: z.infer<typeof PlanChoice> | undefined) {
  const model = modelInBook(use.modelIds[0] ?? null) ?? USUAL_PLAN.model;
  if (chosen) return { plan: { ...chosen, model } };
  const hasNodes = use.slices.some((slice) => slice.nodes.length > 0);
  return hasNodes ? {} : { plan: { ...USUAL_PLAN, model, region: firstRegion(USUAL_PLAN.skuId, book) } };
}
