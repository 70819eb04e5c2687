import { z } from "zod";
import type { Rate } from "./cost/currency";
import { capacityPerNode, effectivePer1000, loadOf, monthlyOverhead, nodesFor, selfHostCost, type NodeFleet, type SelfHost } from "./cost/self-host";
import { costChart } from "./cost-chart";
import { moneyText, type MoneyText } from "./cost-format";
import { whatIfApis } from "./cost-whatif-apis";
import { USUAL_UTILISATION } from "./cost-plan";
import type { ApiCost, CostChart, CostReport } from "./cost-report-schema";
import { DomainError } from "./errors";
import { DECIMAL, divide, exact, multiply, toDecimal, ZERO } from "./money";
import { PurchaseMode, type PriceBook } from "./price-book";

const Decimal = z.string().regex(DECIMAL);
const Share = Decimal.refine((share) => Number(share) <= 1, "A share lies between 0 and 1.");
const Part = z.strictObject({ offerId: z.string().max(60), share: Share });

/** Every input of a what-if. Money in `currency`, decimals as strings; `rate` converts the APIs' currencies and is pinned to the result. */
export const WhatIf = z.strictObject({
  pages: z.int().min(0).max(1_000_000_000),
  skuId: z.string().max(60),
  region: z.string().max(60),
  mode: PurchaseMode,
  currency: z.string().regex(/^[A-Z]{3}$/),
  perHour: Decimal,
  /** null: unknown, capacity is not checked */
  pagesPerSecond: Decimal.nullable(),
  rateKind: z.enum(["measured", "published", "estimated", "typed"]),
  utilisation: Share,
  way: z.enum(["nodes", "scale_to_zero"]),
  minNodes: z.int().min(1).max(50),
  hours: Decimal.refine((hours) => Number(hours) > 0 && Number(hours) <= 744, "A month has up to 744 hours."),
  startupHours: Decimal,
  fixed: Decimal,
  engineeringHours: Decimal,
  engineeringRate: Decimal,
  setUp: Decimal,
  setUpMonths: z.int().min(1).max(120),
  variablePer1000: Decimal,
  committedNodes: z.int().min(0).max(50),
  committedPerHour: Decimal,
  rate: z.strictObject({ base: z.string(), quote: z.string(), rate: Decimal, date: z.string(), source: z.string() }).nullable(),
  /** Each API: one feature, or several with their shares of the pages; features of the same page have share 1 each. */
  apis: z.array(z.array(Part).min(1).max(6)).min(1).max(4),
  withFreeAllowance: z.boolean(),
});
export type WhatIf = z.infer<typeof WhatIf>;

/** The month as logged, as the start of a what-if; null while no node has a price. */
export function whatIfOf(report: CostReport, offerIds: string[], rate: Rate | null): WhatIf | null {
  const { plan } = report;
  if (!plan) return null;
  const perHour = plan.perHour.amount.replace(/\.?0+$/, "");
  return {
    pages: report.forecast.state === "made" ? report.forecast.pages : report.pages,
    skuId: plan.skuId,
    region: plan.region,
    mode: plan.mode,
    currency: report.currency,
    perHour,
    pagesPerSecond: plan.rate?.pagesPerSecond ?? null,
    rateKind: plan.rate?.kind ?? "estimated",
    utilisation: plan.utilisation || USUAL_UTILISATION,
    way: "nodes",
    minNodes: Math.max(1, plan.minNodes),
    hours: plan.hours,
    startupHours: "10",
    fixed: "0",
    engineeringHours: "0",
    engineeringRate: "90",
    setUp: "0",
    setUpMonths: 24,
    variablePer1000: "0",
    committedNodes: 0,
    committedPerHour: perHour,
    rate,
    apis: offerIds.slice(0, 4).map((offerId) => [{ offerId, share: "1" }]),
    withFreeAllowance: false,
  };
}

/** The self-host side of a what-if. Throws `unprocessable` when a node could not take a single page, or nodes that follow the work have no rate. */
export function whatIfSelf(input: WhatIf): SelfHost {
  const hourly = exact(input.perHour);
  const overhead = monthlyOverhead({
    fixed: exact(input.fixed),
    engineeringHours: exact(input.engineeringHours),
    engineeringRate: exact(input.engineeringRate),
    setUp: exact(input.setUp),
    setUpMonths: input.setUpMonths,
  });
  const shared = { hourly, overhead, variablePerPage: divide(exact(input.variablePer1000), exact(1000)) };
  const rate = input.pagesPerSecond === null ? null : { pagesPerSecond: exact(input.pagesPerSecond), utilisation: exact(input.utilisation) };
  if (input.way === "nodes") return { kind: "nodes", ...shared, hours: exact(input.hours), rate, minNodes: input.minNodes, ...commitmentOf(input) };
  if (!rate || rate.pagesPerSecond.n === 0n || rate.utilisation.n === 0n)
    throw new DomainError("unprocessable", "Nodes that follow the work need pages per second and a utilisation above 0.");
  return { kind: "scale_to_zero", ...shared, rate, startupHours: exact(input.startupHours) };
}

/** Committed nodes are paid the whole month, on or off. */
const WHOLE_MONTH = exact(730);

function commitmentOf(input: WhatIf): Pick<NodeFleet, "commitment"> {
  if (input.committedNodes === 0) return {};
  return { commitment: { nodes: input.committedNodes, nodeMonth: multiply(exact(input.committedPerHour), WHOLE_MONTH) } };
}

export type WhatIfResult = {
  self: MoneyText;
  nodes: number | null;
  capacity: number | null;
  per1000: MoneyText | null;
  /** Share of the paid hours in which a node is busy, and the money of the rest. */
  load: { share: string; idleCost: MoneyText } | null;
  apis: ApiCost[];
  chart: CostChart;
};

/** Solves a what-if exactly; the same in the browser and on the server. Throws `unprocessable` with one sentence for inputs that have no answer. */
export function solveWhatIf(input: WhatIf, book: PriceBook): WhatIfResult {
  const fleet = whatIfSelf(input);
  const self = selfHostCost(fleet, input.pages);
  const apis = whatIfApis(input, { book, fleet, self });
  const capacity = fleet.kind === "nodes" ? capacityPerNode(fleet) : null;
  const per1000 = effectivePer1000(self, input.pages);
  return {
    self: moneyText(self, input.currency),
    nodes: fleet.kind === "nodes" ? nodesFor(fleet, BigInt(input.pages)) : null,
    capacity: capacity === null ? null : Number(capacity),
    per1000: per1000 && moneyText(per1000, input.currency),
    load: fleet.kind === "nodes" ? loadIn(fleet, input) : null,
    apis: apis.map(({ cost }) => cost),
    chart: costChart({ currency: input.currency, fleet, apis, here: { pages: input.pages, cost: self }, forecast: null, capacity: capacity === null ? null : Number(capacity) }),
  };
}

function loadIn(fleet: NodeFleet, input: WhatIf): WhatIfResult["load"] {
  if (!fleet.rate || fleet.rate.pagesPerSecond.n === 0n) return null;
  const paidHours = multiply(exact(nodesFor(fleet, BigInt(input.pages))), fleet.hours);
  const { load, idleCost } = loadOf({ pages: input.pages, pagesPerSecond: fleet.rate.pagesPerSecond, paidHours, hourly: fleet.hourly });
  return { share: toDecimal(load ?? ZERO, 4), idleCost: moneyText(idleCost, input.currency) };
}
