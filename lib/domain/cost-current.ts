import type { WhatIf } from "./cost-whatif";
import { formatMoney } from "./cost-format";
import { exact, toDecimal } from "./money";
import { nodePrice, sku, type PriceBook } from "./price-book";
import { fullName, managedOffer, offerPlan } from "./price-offers";
import { rateAt } from "./price-rate";

/** One price that is another today than in the book which a scenario was frozen with. */
export type PriceChange = { what: string; before: string; after: string };

function nodeIn(input: WhatIf, book: PriceBook) {
  const price = nodePrice(book, input);
  return price.state === "priced" ? { name: price.name, perHour: price.perHour, currency: price.currency } : null;
}

function tiersIn(book: PriceBook, offerId: string): { name: string; text: string } | null {
  const offer = managedOffer(book, offerId);
  const plan = offer && offerPlan(offer);
  if (!plan || plan.state === "unpriced") return null;
  const tiers = plan.plan.tiers.map(({ upTo, perPage }) => `${toDecimal({ n: perPage.n * 1000n, d: perPage.d }, 2)}${upTo === null ? "" : ` to ${upTo}`}`);
  return { name: fullName(offer), text: `${tiers.join(", ")} ${plan.currency} per 1,000 pages` };
}

const words = (price: { perHour: string; currency: string } | null) => (price ? `${formatMoney({ amount: price.perHour, currency: price.currency }, 4)} per node-hour` : "unpriced");

/** What a scenario's own prices are today, compared with the book that it was frozen with; empty when nothing has changed. */
export function priceChanges(input: WhatIf, { frozen, present }: { frozen: PriceBook; present: PriceBook }): PriceChange[] {
  const node = { before: nodeIn(input, frozen), after: nodeIn(input, present) };
  const offers = [...new Set(input.apis.flat().map(({ offerId }) => offerId))].map((id) => ({ before: tiersIn(frozen, id), after: tiersIn(present, id), id }));
  const rate = input.rate && { before: input.rate, after: rateAt(present, Infinity, [input.rate.base, input.rate.quote]) };
  return [
    ...(words(node.before) === words(node.after) ? [] : [{ what: node.after?.name ?? node.before?.name ?? input.skuId, before: words(node.before), after: words(node.after) }]),
    ...offers.flatMap(({ before, after, id }) => (before?.text === after?.text ? [] : [{ what: after?.name ?? before?.name ?? id, before: before?.text ?? "unpriced", after: after?.text ?? "unpriced" }])),
    ...(rate?.after && rate.before.rate !== rate.after.rate ? [{ what: `${rate.before.quote} for one ${rate.before.base}`, before: `${rate.before.rate} (${rate.before.date})`, after: `${rate.after.rate} (${rate.after.date})` }] : []),
  ];
}

/** The inputs that today's prices change; the rest of the scenario stays as it was saved. */
export function currentInputs(input: WhatIf, present: PriceBook): Partial<WhatIf> {
  const node = nodeIn(input, present);
  const isOwn = node !== null && node.currency === input.currency && sku(present, input.skuId) !== undefined;
  const rate = input.rate && (rateAt(present, Infinity, [input.rate.base, input.rate.quote]) ?? input.rate);
  return { ...(isOwn ? { perHour: toDecimal(exact(node.perHour), 9).replace(/\.?0+$/, "") } : {}), rate };
}
