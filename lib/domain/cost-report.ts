import { rateBetween, type Rate, type Rates } from "./cost/currency";
import { forecastPages } from "./cost/self-host";
import { costChart } from "./cost-chart";
import { moneyText } from "./cost-format";
import { costDays } from "./cost-days";
import { monthOf, progressOf } from "./cost-period";
import { planNode, type NodePlan, type NodePlanInput } from "./cost-plan";
import { apiReports, type ApiResult } from "./cost-report-api";
import type { CostReport, Forecast } from "./cost-report-schema";
import { selfCost, type NodeUse } from "./cost-report-self";
import type { UseSlice } from "./cost-slices";
import { priceSources } from "./cost-sources";
import { divide, exact, multiply, type Exact } from "./money";
import { sku, type PriceBook } from "./price-book";
import type { RateSource } from "./price-throughput";
import { ratesAt } from "./price-rate";
import { managedOffer } from "./price-offers";

/** What a cost report is made of. Instants in epoch ms. */
export type CostReportInput = {
  /** "2026-11", in `timeZone` (default UTC). */
  month: string;
  timeZone?: string;
  now: number;
  /** Pages read in the month, once each. */
  pages: number;
  /** Days of the month with logged pages or node hours. */
  daysWithData: number;
  nodes: NodeUse[];
  /** The same pages and node time by day and price; without them all counts at the prices of `now`. */
  slices?: UseSlice[] | undefined;
  /** Whether nodes that no pod held any more are part of the cost. */
  countsKept?: boolean | undefined;
  book: PriceBook;
  /** Managed APIs to compare with, the first one named in the sentence. */
  offerIds: string[];
  /** The node of the break-even; the one with most hours when absent. */
  plan?: NodePlanInput | undefined;
  /** Looked up for a listed rate when the plan is derived from the logged nodes. */
  model?: string | undefined;
  /** The report's currency; that of the planned node when absent. */
  currency?: string | undefined;
  /** The pinned rate; the book's own of that month, one for each pair, when absent; none when null. */
  rate?: Rate | null | undefined;
  /** Pages per second by node type, from logged use: they replace listed rates. */
  measured?: Record<string, RateSource> | undefined;
};

/** Below this share of the month, or of its days with data, a forecast would be a guess. */
const LEAST_ELAPSED_PERCENT = 20;
const LEAST_COVERAGE_PERCENT = 50;

function busiestNode(input: CostReportInput): NodePlanInput | null {
  const busiest = input.nodes.reduce<NodeUse | null>((best, use) => (best && best.seconds >= use.seconds ? best : use), null);
  return busiest && { skuId: busiest.skuId, region: busiest.region, mode: busiest.mode, model: input.model };
}

type Progress = ReturnType<typeof progressOf>;

function forecastState(input: CostReportInput, progress: Progress): "made" | Forecast {
  if (!progress.isRunning) return { state: "ended" };
  if (input.pages === 0) return { state: "weak", reason: "nothing_logged" };
  if (progress.elapsedMs * 100 < progress.wholeMs * LEAST_ELAPSED_PERCENT) return { state: "weak", reason: "too_early" };
  if (input.daysWithData * 100 < progress.daysElapsed * LEAST_COVERAGE_PERCENT) return { state: "weak", reason: "gaps" };
  return "made";
}

function forecastOf(input: CostReportInput, progress: Progress, total: Exact | null) {
  const state = forecastState(input, progress);
  if (state !== "made") return { report: () => state, pages: null, self: null };
  const [elapsed, whole] = [exact(progress.elapsedMs), exact(progress.wholeMs)];
  const pages = forecastPages(input.pages, elapsed, whole);
  const self = total && divide(multiply(total, whole), elapsed);
  return { report: (currency: string): Forecast => ({ state, pages, self: self && moneyText(self, currency) }), pages, self };
}

/**
 * The month so far, its forecast and its break-even, from what was logged. Pure: the same input gives the same report, in the
 * browser as on the server. Unpriced things are named and leave a total null; currencies are never added without a rate.
 */
export function costReport(input: CostReportInput): CostReport {
  const { book, pages } = input;
  const month = monthOf(input.month, input.timeZone);
  const progress = progressOf(month, input.now);
  // A month that is over keeps the prices that were in force at its end.
  const at = Math.min(input.now, month.to - 1);
  const chosen = input.plan ?? busiestNode(input);
  const wanted = chosen && { ...chosen, measured: chosen.measured ?? input.measured?.[chosen.skuId] };
  const currency = input.currency ?? (wanted && sku(book, wanted.skuId)?.currency) ?? "USD";
  const rate: Rates = input.rate === undefined ? ratesAt(book, at) : input.rate;
  const planned = wanted && planNode({ at, ...wanted }, { book, target: currency, rate });
  const plan: NodePlan | null = planned?.state === "priced" ? planned : null;
  const self = selfCost(input.nodes, { ...input, currency, rate, pagesPerSecond: plan?.report.rate?.pagesPerSecond ?? null });
  const forecast = forecastOf(input, progress, self.total);
  const context = {
    currency,
    rate,
    spans: input.slices?.map((slice) => ({ at: slice.from, pages: slice.pages })) ?? [{ at, pages }],
    at,
    pages,
    forecastPages: forecast.pages,
    selfTotal: input.nodes.length > 0 ? self.total : null,
    selfForecast: input.nodes.length > 0 ? forecast.self : null,
    fleet: plan?.fleet ?? null,
  };
  const offers = input.offerIds.flatMap((id) => managedOffer(book, id, at) ?? []);
  const apis = apiReports(input.offerIds, book, context);
  const currencies = new Set([...self.cost.sums.map((money) => money.currency), ...offers.map((offer) => offer.currency)]);
  const rates = [...currencies].flatMap((other) => (other === currency ? [] : (rateBetween(rate, currency, other) ?? [])));
  return {
    month: { key: month.key, name: month.name, label: month.label, isRunning: progress.isRunning },
    pages,
    currency,
    rate: rates[0] ?? null,
    rates,
    coverage: { daysWithData: input.daysWithData, daysElapsed: progress.daysElapsed },
    self: self.cost,
    apis: apis.map(({ cost }) => cost),
    forecast: forecast.report(currency),
    plan: plan?.report ?? null,
    chart: plan && chartOf(plan, apis, context),
    days: input.slices ? costDays(input.slices, { ...input, currency, rate }) : [],
    prices: priceSources({ book, nodes: wanted ? [...input.nodes, { at, ...wanted }] : input.nodes, offers, now: input.now }),
    hoursConvention: `${book.conventions.hours_per_month} h a month (${book.conventions.hours_per_month_definition})`,
  };
}

type Totals = { currency: string; pages: number; forecastPages: number | null; selfTotal: Exact | null; selfForecast: Exact | null };

function chartOf(plan: NodePlan, apis: ApiResult[], totals: Totals) {
  const forecast = totals.forecastPages === null ? null : { pages: totals.forecastPages, cost: totals.selfForecast };
  const here = { pages: totals.pages, cost: totals.selfTotal };
  return costChart({ currency: totals.currency, fleet: plan.fleet, apis, here, forecast, capacity: plan.report.capacity });
}
