import { apiCurve, singlePlan } from "./cost/api-plan";
import { costAt, type Curve } from "./cost/curve";
import { add, divide, exact, multiply, subtract, ZERO, type Exact } from "./money";
import type { PriceBook, Unpriced } from "./price-book";
import { managedOffer, offerPlan, type OfferOptions, type PricedOffer } from "./price-offers";

/** Pages read from an instant (epoch ms) on, up to the next. */
export type PageSpan = { at: number; pages: number };

/** A list with its line of costs, drawn once for all days of the month. */
type List = { priced: PricedOffer; curve: Curve };
type Stretch = List & { pages: number };
export type Bill = { state: "billed"; amount: Exact; currency: string } | Unpriced;

/**
 * What an API charges for the pages of one calendar month: each page at the list in force in its hour. Tiers count on through a change
 * of the list, as they belong to the month; the fee is that of the month's first list.
 */
export function billOf(book: PriceBook, offerId: string, month: { spans: PageSpan[]; options?: OfferOptions | undefined }): Bill {
  return billsUpTo(book, offerId, { ...month, ends: [month.spans.length] })[0] ?? { state: "unpriced", name: offerId, reason: "nothing was asked" };
}

/** The bills of the month's first spans, as many as each of `ends` says: looked up once for all of them. */
export function billsUpTo(book: PriceBook, offerId: string, month: { spans: PageSpan[]; ends: number[]; options?: OfferOptions | undefined }): Bill[] {
  const found = month.spans.map(({ at }) => managedOffer(book, offerId, at));
  const lists = new Map([...new Set(found)].map((offer) => [offer, offer && listOf(offerPlan(offer, month.options))]));
  return month.ends.map((end) => {
    const stretches: Stretch[] = [];
    for (const [index, { pages }] of month.spans.slice(0, end).entries()) {
      const list = lists.get(found[index] ?? null);
      if (!list) return { state: "unpriced", name: offerId, reason: "the price book does not list it for the whole month" };
      if ("state" in list) return list;
      const last = stretches.at(-1);
      if (last && last.priced === list.priced) last.pages += pages;
      else stretches.push({ ...list, pages });
    }
    return sumOf(stretches, offerId);
  });
}

function listOf(priced: PricedOffer | Unpriced): List | Unpriced {
  return priced.state === "unpriced" ? priced : { priced, curve: apiCurve(singlePlan(priced.plan)) };
}

function sumOf(stretches: Stretch[], name: string): Bill {
  const currency = stretches[0]?.priced.currency ?? "";
  if (stretches.some(({ priced }) => priced.currency !== currency))
    return { state: "unpriced", name, reason: "its list changed its currency within the month" };
  const total = stretches.reduce((sum, stretch) => sum + stretch.pages, 0);
  let before = 0;
  let amount = ZERO;
  for (const [index, { priced, curve, pages }] of stretches.entries()) {
    const after = before + pages;
    if (priced.pricedUpTo !== null && after > priced.pricedUpTo)
      return { state: "unpriced", name, reason: `its list has no price above ${priced.pricedUpTo} pages` };
    amount = add(amount, stretchCost({ priced, curve }, { before, after, total, isFirst: index === 0 }));
    before = after;
  }
  return { state: "billed", amount, currency };
}

type Place = { before: number; after: number; total: number; isFirst: boolean };

function stretchCost({ priced: { plan }, curve }: List, { before, after, total, isFirst }: Place): Exact {
  const cost = (pages: number) => costAt(curve, BigInt(pages));
  const fee = isFirst ? plan.monthlyFee : ZERO;
  if (plan.mode === "graduated") return add(subtract(cost(after), cost(before)), isFirst ? cost(0) : ZERO);
  // The bracket that the whole month reaches prices each page, at the list in force in its hour.
  if (total === 0) return fee;
  return add(fee, multiply(subtract(cost(total), plan.monthlyFee), divide(exact(after - before), exact(total))));
}
