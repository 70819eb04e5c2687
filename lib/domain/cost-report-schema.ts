import { z } from "zod";
import { PurchaseMode } from "./price-book";

/** The cost report as it travels: money as decimal strings with an ISO code, hours and shares as decimal strings, pages whole. */
export const MoneyText = z.object({ amount: z.string(), currency: z.string() });

const Side = z.enum(["self", "api"]);
export const Outcome = z.enum(["cheaper", "dearer", "tie"]);
export type Outcome = z.infer<typeof Outcome>;

const Age = z.union([z.object({ state: z.enum(["fresh", "old"]), days: z.number() }), z.object({ state: z.literal("undated") })]);

/** Where a price was read, when, and how old that is now. */
export const PriceSource = z.object({
  name: z.string(),
  price: z.string(),
  source: z.string(),
  asOf: z.string(),
  age: Age,
  isEstimate: z.boolean(),
});
export type PriceSource = z.infer<typeof PriceSource>;

export const Unpriced = z.object({ name: z.string(), reason: z.string() });
export type Unpriced = z.infer<typeof Unpriced>;

const NodeLine = z.object({
  name: z.string(),
  /** kept: paid although no pod held it */
  use: z.enum(["held", "kept"]),
  hours: z.string(),
  perHour: MoneyText.nullable(),
  cost: MoneyText.nullable(),
  unpriced: z.string().nullable(),
});
export type NodeLine = z.infer<typeof NodeLine>;

export const SelfCost = z.object({
  lines: z.array(NodeLine),
  hours: z.string(),
  /** In the report's currency; null when a node is unpriced or a rate is missing. */
  total: MoneyText.nullable(),
  /** What has a price, one sum per published currency. */
  sums: z.array(MoneyText),
  unpriced: z.array(Unpriced),
  effectivePer1000: MoneyText.nullable(),
  idle: z.object({ hours: z.string(), cost: MoneyText, load: z.string().nullable(), isRateDoubtful: z.boolean() }).nullable(),
  /** Nodes that were still there after their pods had gone; whether they are part of the total is a setting. */
  kept: z.object({ hours: z.string(), cost: MoneyText.nullable(), isCounted: z.boolean() }).nullable(),
});
export type SelfCost = z.infer<typeof SelfCost>;

const Crossing = z.object({ firstPage: z.number(), cheaper: Side, atStep: z.boolean() });
const Interval = z.object({ from: z.number(), to: z.number().nullable(), cheaper: z.enum(["self", "api", "tie"]) });
const Beyond = z.object({ verdict: z.enum(["self", "api", "tie", "open", "unpriced"]), limit: z.number().nullable() });

export const BreakEven = z.object({ crossings: z.array(Crossing), intervals: z.array(Interval), searchedTo: z.number(), beyond: Beyond });

/** How self-hosting compares with one API: `difference` is never negative. */
const Comparison = z.object({ outcome: Outcome, difference: MoneyText });
export type Comparison = z.infer<typeof Comparison>;

export const ApiCost = z.object({
  id: z.string(),
  name: z.string(),
  fullName: z.string(),
  unpriced: z.string().nullable(),
  /** In the vendor's currency. */
  soFar: MoneyText.nullable(),
  /** In the report's currency; null without a price or a rate. */
  converted: MoneyText.nullable(),
  forecast: MoneyText.nullable(),
  comparison: z.object({ soFar: Comparison.nullable(), forecast: Comparison.nullable() }),
  breakEven: BreakEven.nullable(),
});
export type ApiCost = z.infer<typeof ApiCost>;

export const Forecast = z.union([
  z.object({ state: z.literal("made"), pages: z.number(), self: MoneyText.nullable() }),
  z.object({ state: z.literal("weak"), reason: z.enum(["too_early", "gaps", "nothing_logged"]) }),
  z.object({ state: z.literal("ended") }),
]);
export type Forecast = z.infer<typeof Forecast>;

const RateSource = z.object({
  pagesPerSecond: z.string(),
  kind: z.enum(["measured", "published", "estimated"]),
  basis: z.string(),
  source: z.string(),
  asOf: z.string(),
});

/** The node that the break-even is computed for; `capacity` null means it is not checked. */
export const ReportPlan = z.object({
  skuId: z.string(),
  name: z.string(),
  region: z.string(),
  mode: PurchaseMode,
  hours: z.string(),
  perHour: MoneyText,
  nodeMonth: MoneyText,
  minNodes: z.number(),
  utilisation: z.string(),
  rate: RateSource.nullable(),
  capacity: z.number().nullable(),
});
export type ReportPlan = z.infer<typeof ReportPlan>;

const ChartPoint = z.object({ pages: z.number(), cost: z.string() });
const ChartLine = z.object({ id: z.string(), name: z.string(), side: Side });

/** The cost of every line at one page count, by line id; null where a line has no price. */
const ChartRow = z.object({ pages: z.number(), costs: z.record(z.string(), z.string().nullable()) });
export type ChartRow = z.infer<typeof ChartRow>;

/**
 * What the chart draws and its table prints: a row at every corner of the staircase and of the tiers. Between two rows every line
 * is straight. Costs are exact decimal strings in `currency`.
 */
export const CostChart = z.object({
  currency: z.string(),
  upTo: z.number(),
  lines: z.array(ChartLine),
  rows: z.array(ChartRow),
  here: ChartPoint.nullable(),
  forecast: ChartPoint.nullable(),
  /** Bands and crossings against the first chosen API that has a price. */
  bands: z.array(Interval.extend({ to: z.number() })),
  crossings: z.array(ChartPoint.extend({ cheaper: Side, atStep: z.boolean() })),
  against: z.string().nullable(),
});
export type CostChart = z.infer<typeof CostChart>;

/** Both sides cumulated to the end of each day of the month that has begun; null where a side has no price. */
const CostDay = z.object({ day: z.string(), pages: z.number(), costs: z.record(z.string(), z.string().nullable()) });
export type CostDay = z.infer<typeof CostDay>;

const Rate = z.object({ base: z.string(), quote: z.string(), rate: z.string(), date: z.string(), source: z.string() });

export const CostReport = z.object({
  month: z.object({ key: z.string(), name: z.string(), label: z.string(), isRunning: z.boolean() }),
  pages: z.number(),
  currency: z.string(),
  /** The pinned rate, when one was needed; the first of several. */
  rate: Rate.nullable(),
  /** Every rate that was needed, one for each currency beside the report's. */
  rates: z.array(Rate).default([]),
  coverage: z.object({ daysWithData: z.number(), daysElapsed: z.number() }),
  self: SelfCost,
  apis: z.array(ApiCost),
  forecast: Forecast,
  plan: ReportPlan.nullable(),
  chart: CostChart.nullable(),
  days: z.array(CostDay),
  prices: z.array(PriceSource),
  hoursConvention: z.string(),
});
export type CostReport = z.infer<typeof CostReport>;
