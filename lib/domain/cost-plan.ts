import type { ApiPlan } from "./cost/api-plan";
import { convert, type Rates } from "./cost/currency";
import { capacityPerNode, nodeMonth, type NodeFleet } from "./cost/self-host";
import { moneyText } from "./cost-format";
import type { ReportPlan } from "./cost-report-schema";
import { divide, exact } from "./money";
import { nodePrice, sku, type PriceBook, type PurchaseMode, type Unpriced } from "./price-book";
import { listedRate, type RateSource } from "./price-throughput";

/** Share of a node's rate that a month really uses (peaks, gaps, restarts), unless a plan says otherwise. */
export const USUAL_UTILISATION = "0.6";

/** The node of a first look, before any is logged. */
export const USUAL_PLAN = { skuId: "aws-g6-xlarge", mode: "on_demand" as const, model: "LightOnOCR-3-0.8B" };

/** The node a break-even is asked for. Amounts are decimal strings in the node's currency. */
export type NodePlanInput = {
  skuId: string;
  region: string;
  mode: PurchaseMode;
  /** The instant (epoch ms) whose price counts; the newest when absent. */
  at?: number | undefined;
  /** Looked up in the price book's published rates when nothing was measured. */
  model?: string | undefined;
  /** Pages per second from logged runs; replaces the listed rate. */
  measured?: RateSource | null | undefined;
  /** Hours a month the node is paid for; the book's convention (730) when absent. */
  hours?: string | undefined;
  utilisation?: string | undefined;
  minNodes?: number | undefined;
  overhead?: string | undefined;
  variablePer1000?: string | undefined;
};

export type NodePlan = { state: "priced"; fleet: NodeFleet; report: ReportPlan };

/** A plan with its price and rate, in `target` currency. `unpriced` when the node has no price or no rate converts it. */
export function planNode(input: NodePlanInput, context: { book: PriceBook; target: string; rate: Rates }): NodePlan | Unpriced {
  const { book, target } = context;
  const price = nodePrice(book, input);
  if (price.state === "unpriced") return price;
  const toTarget = (value: string) => convert(exact(value), { from: price.currency, to: target }, context.rate);
  const [hourly, overhead, per1000] = [toTarget(price.perHour), toTarget(input.overhead ?? "0"), toTarget(input.variablePer1000 ?? "0")];
  if (!hourly || !overhead || !per1000) {
    return { state: "unpriced", name: price.name, reason: `there is no rate from ${price.currency} to ${target}` };
  }
  const hours = input.hours ?? book.conventions.hours_per_month;
  const utilisation = input.utilisation ?? USUAL_UTILISATION;
  const rate = input.measured ?? (input.model ? listedRate(book, { model: input.model, gpu: sku(book, input.skuId)?.gpu ?? "" }) : null);
  const fleet: NodeFleet = {
    kind: "nodes",
    hourly,
    hours: exact(hours),
    rate: rate && { pagesPerSecond: exact(rate.pagesPerSecond), utilisation: exact(utilisation) },
    minNodes: input.minNodes ?? 1,
    overhead,
    variablePerPage: divide(per1000, exact(1000)),
  };
  const capacity = capacityPerNode(fleet);
  const report: ReportPlan = {
    skuId: input.skuId,
    name: price.name,
    region: input.region,
    mode: input.mode,
    hours,
    perHour: moneyText(hourly, target),
    nodeMonth: moneyText(nodeMonth(fleet), target),
    minNodes: fleet.minNodes,
    utilisation,
    rate,
    capacity: capacity === null ? null : Number(capacity),
  };
  return { state: "priced", fleet, report };
}

/** The same bill in another currency by the pinned rate; null without one. */
export function convertPlan(plan: ApiPlan, currencies: { from: string; to: string }, rate: Rates): ApiPlan | null {
  const fee = convert(plan.monthlyFee, currencies, rate);
  const tiers = plan.tiers.flatMap(({ upTo, perPage }) => {
    const price = convert(perPage, currencies, rate);
    return price ? [{ upTo, perPage: price }] : [];
  });
  return fee && tiers.length === plan.tiers.length ? { ...plan, monthlyFee: fee, tiers } : null;
}
