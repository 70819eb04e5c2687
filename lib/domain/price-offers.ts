import type { ApiPlan } from "./cost/api-plan";
import { divide, exact } from "./money";
import { inForce, type ManagedOffer, type PriceBook, type Unpriced } from "./price-book";

/** The plain OCR offer of each vendor: what self-hosting replaces when nobody chose otherwise. */
export const DEFAULT_OFFER_IDS = ["textract-detect-text", "docai-enterprise-ocr", "azure-di-read", "mistral-ocr-4"];

export type OfferOptions = { withFreeAllowance?: boolean | undefined };

/** A managed API whose bill can be computed; above `pricedUpTo` pages its list has no price (null: priced to the end). */
export type PricedOffer = { state: "priced"; plan: ApiPlan; currency: string; pricedUpTo: number | null };

/** Each offer once, as it is in force at `at` (epoch ms; absent: the last version). */
export function managedOffers(book: PriceBook, at?: number): ManagedOffer[] {
  const ids = [...new Set(book.managed_ocr.map((offer) => offer.id))];
  return ids.flatMap((id) => managedOffer(book, id, at) ?? []);
}

/** The offer as it is in force at `at` (epoch ms; absent: the last version); null when it is not listed, or not yet. */
export function managedOffer(book: PriceBook, id: string, at?: number): ManagedOffer | null {
  return inForce(book.managed_ocr.filter((offer) => offer.id === id), at);
}

/** "Textract": as people call it. */
export function shortName(offer: ManagedOffer): string {
  return offer.product.replace(/^Amazon /, "");
}

/** "Amazon Textract: Detect Document Text". */
export function fullName(offer: ManagedOffer): string {
  return `${offer.product}: ${offer.feature}`;
}

/**
 * The monthly bill of an offer as a plan. The free allowance is left out unless asked for: vendors tie it to new customers or to
 * another tier. Offers billed per document, or whose fees are not public, are `unpriced` with the reason.
 */
export function offerPlan(offer: ManagedOffer, options: OfferOptions = {}): PricedOffer | Unpriced {
  const name = fullName(offer);
  if (offer.unit !== "page") return { state: "unpriced", name, reason: `it is billed per ${offer.unit}, not per page` };
  const priced = pricedTiers(offer);
  if (offer.pricing_model === "commitment" && offer.monthly_fee === undefined)
    return { state: "unpriced", name, reason: "its fees are not public and have not been entered" };
  if (priced.length === 0) return { state: "unpriced", name, reason: "its fees are not public and have not been entered" };
  const isWhole = priced.length === offer.tiers?.length;
  const pricedUpTo = isWhole ? null : (priced.at(-1)?.upTo ?? null);
  const tiers = priced.map((tier, index) => (index === priced.length - 1 ? { ...tier, upTo: null } : tier));
  const freePages = options.withFreeAllowance ? (offer.free_allowance?.pages ?? 0) : 0;
  const mode = offer.pricing_model === "volume" ? "volume" : "graduated";
  const plan: ApiPlan = { mode, freePages, monthlyFee: exact(offer.monthly_fee ?? "0"), includedPages: offer.included_pages ?? 0, tiers };
  return { state: "priced", currency: offer.currency, pricedUpTo, plan };
}

/** The leading tiers that have a price; the first gap ends what can be computed. */
function pricedTiers(offer: ManagedOffer): ApiPlan["tiers"] {
  const rows = offer.tiers ?? [];
  const gap = rows.findIndex((tier) => tier.per_1000 === null);
  return rows
    .slice(0, gap === -1 ? rows.length : gap)
    .map((tier) => ({ upTo: tier.to_page, perPage: divide(exact(tier.per_1000 ?? "0"), exact(1000)) }));
}
