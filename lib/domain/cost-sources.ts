import { formatMoney, grouped } from "./cost-format";
import type { PriceSource } from "./cost-report-schema";
import { priceAge } from "./price-age";
import { nodePrice, type ManagedOffer, type PriceBook, type PurchaseMode } from "./price-book";
import { fullName } from "./price-offers";

type NodeKey = { skuId: string; region: string; mode: PurchaseMode; at?: number | undefined };

/** Source, date and age of every price a report used, each once. */
export function priceSources(used: { book: PriceBook; nodes: NodeKey[]; offers: ManagedOffer[]; now: number }): PriceSource[] {
  const prices = used.nodes.flatMap((node) => {
    const price = nodePrice(used.book, node);
    return price.state === "priced" ? [[`${price.name} ${price.perHour} ${price.source} ${price.asOf}`, price] as const] : [];
  });
  const nodes = [...new Map(prices).values()].map((price): PriceSource => {
    const perHour = `${formatMoney({ amount: price.perHour, currency: price.currency }, placesOf(price.perHour))} per node-hour`;
    return {
      name: price.name,
      price: perHour,
      source: price.source,
      asOf: price.asOf,
      age: priceAge(price.asOf, used.now),
      isEstimate: price.isDerived || price.mode === "spot",
    };
  });
  const offers = used.offers.map((offer) => ({
    name: fullName(offer),
    price: tierWords(offer),
    source: offer.source,
    asOf: offer.as_of,
    age: priceAge(offer.as_of, used.now),
    isEstimate: offer.confidence === "low" || offer.confidence === "none",
  }));
  return [...nodes, ...offers];
}

function placesOf(decimal: string): number {
  return Math.max(2, decimal.split(".")[1]?.length ?? 0);
}

/** "1.50 USD per 1,000 pages to 1 000 000, then 0.60 USD". */
function tierWords(offer: ManagedOffer): string {
  const tiers = offer.tiers ?? [];
  if (tiers.length === 0) return "unpriced";
  const words = tiers.map((tier, index) => {
    const amount = tier.per_1000 === null ? "unpriced" : formatMoney({ amount: tier.per_1000, currency: offer.currency });
    const unit = index === 0 ? ` per ${grouped("1000")} ${offer.unit}s` : "";
    return `${index === 0 ? "" : "then "}${amount}${unit}${tier.to_page === null ? "" : ` to ${grouped(String(tier.to_page))}`}`;
  });
  return words.join(", ");
}
