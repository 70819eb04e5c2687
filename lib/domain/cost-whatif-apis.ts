import type { ApiMix } from "./cost/api-plan";
import type { SelfHost } from "./cost/self-host";
import { apiCost, solve } from "./cost";
import { moneyText } from "./cost-format";
import { convertPlan } from "./cost-plan";
import { comparison, unpricedApi, type ApiResult } from "./cost-report-api";
import type { WhatIf } from "./cost-whatif";
import { exact, floor, divide, type Exact } from "./money";
import type { ManagedOffer, PriceBook } from "./price-book";
import { fullName, managedOffer, offerPlan, shortName } from "./price-offers";

type Context = { book: PriceBook; fleet: SelfHost; self: Exact };
type Part = { offer: ManagedOffer | null; offerId: string; share: string };

/** The chosen APIs for the what-if's pages, each a feature or a mix of features. */
export function whatIfApis(input: WhatIf, context: Context): ApiResult[] {
  const choices = input.apis.map((parts) => parts.map((part): Part => ({ ...part, offer: managedOffer(context.book, part.offerId) })));
  const shorts = choices.map((parts) => nameOf(parts, shortName));
  return choices.map((parts, index) => {
    const full = nameOf(parts, fullName);
    const isShared = shorts.filter((name) => name === shorts[index]).length > 1;
    const id = parts.map(({ offerId, share }) => (share === "1" ? offerId : `${offerId}*${share}`)).join("+");
    return apiOf(parts, { id, name: isShared ? full : (shorts[index] ?? full), fullName: full }, { input, fleet: context.fleet, self: context.self });
  });
}

function nameOf(parts: Part[], name: (offer: ManagedOffer) => string): string {
  const words = parts.map(({ offer, offerId, share }) => {
    const title = offer ? name(offer) : offerId;
    return share === "1" ? title : `${Math.round(Number(share) * 100)} % ${offer?.feature ?? title}`;
  });
  return words.join(" + ");
}

type Names = { id: string; name: string; fullName: string };

function apiOf(parts: Part[], names: Names, { input, fleet, self }: Omit<Context, "book"> & { input: WhatIf }): ApiResult {
  const mix: ApiMix = [];
  let pricedUpTo: number | null = null;
  for (const { offer, share } of parts) {
    if (!offer) return { cost: unpricedApi(names, "the price book does not list it"), mix: null };
    const priced = offerPlan(offer, { withFreeAllowance: input.withFreeAllowance });
    if (priced.state === "unpriced") return { cost: unpricedApi(names, priced.reason), mix: null };
    const plan = convertPlan(priced.plan, { from: priced.currency, to: input.currency }, input.rate);
    if (!plan) return { cost: unpricedApi(names, `there is no rate from ${priced.currency} to ${input.currency}`), mix: null };
    mix.push({ plan, share: exact(share) });
    if (priced.pricedUpTo !== null && Number(share) > 0) {
      const reach = Number(floor(divide(exact(priced.pricedUpTo), exact(share))));
      pricedUpTo = Math.min(pricedUpTo ?? reach, reach);
    }
  }
  if (pricedUpTo !== null && input.pages > pricedUpTo) return { cost: unpricedApi(names, `its list has no price above ${pricedUpTo} pages`), mix: null };
  const cost = apiCost(mix, input.pages);
  const money = moneyText(cost, input.currency);
  const compared = comparison(self, cost, input.currency);
  return {
    mix,
    cost: { ...names, unpriced: null, soFar: money, converted: money, forecast: null, comparison: { soFar: compared, forecast: null }, breakEven: solve(fleet, mix, { pricedUpTo }) },
  };
}
