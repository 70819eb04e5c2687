import { solve } from "./cost";
import { singlePlan } from "./cost/api-plan";
import { planNode } from "./cost-plan";
import { sku, type PriceBook } from "./price-book";
import { DEFAULT_OFFER_IDS, fullName, managedOffer, offerPlan } from "./price-offers";
import { newestRate } from "./price-rate";
import { modelInBook } from "./price-throughput";

/** From how many pages a month a node of this size is cheaper than a managed API; null: never, at the prices and rate that are known. */
export type PaysOff = { offer: string; fromPages: number | null; isRateEstimated: boolean };

/** Against the plain OCR offer of each vendor, on demand, always on. Offers and nodes without a price or a rate are left out: nothing unpriced is compared. */
export function paysOff(choice: { skuId: string; modelId: string; replicas: number }, book: PriceBook): PaysOff[] {
  const region = sku(book, choice.skuId)?.prices.find((price) => price.mode === "on_demand")?.region;
  if (region === undefined) return [];
  return DEFAULT_OFFER_IDS.flatMap((id): PaysOff[] => {
    const offer = managedOffer(book, id);
    const priced = offer && offerPlan(offer);
    if (!priced || priced.state === "unpriced") return [];
    const node = { skuId: choice.skuId, region, mode: "on_demand" as const, model: modelInBook(choice.modelId), minNodes: Math.max(1, choice.replicas) };
    const plan = planNode(node, { book, target: priced.currency, rate: newestRate(book) });
    if (plan.state === "unpriced" || plan.report.rate === null) return [];
    const { intervals } = solve(plan.fleet, singlePlan(priced.plan), { pricedUpTo: priced.pricedUpTo });
    const own = intervals.find((interval) => interval.cheaper === "self");
    return [{ offer: fullName(offer), fromPages: own?.from ?? null, isRateEstimated: plan.report.rate.kind === "estimated" }];
  });
}
