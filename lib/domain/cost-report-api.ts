import { singlePlan, type ApiMix } from "./cost/api-plan";
import { convert, type Rates } from "./cost/currency";
import type { SelfHost } from "./cost/self-host";
import { apiCost, solve } from "./cost";
import { billOf, type PageSpan } from "./cost-bill";
import { moneyText } from "./cost-format";
import { convertPlan } from "./cost-plan";
import type { ApiCost, Comparison } from "./cost-report-schema";
import { add, compare, subtract, type Exact } from "./money";
import type { ManagedOffer, PriceBook } from "./price-book";
import { fullName, managedOffer, offerPlan, shortName, type OfferOptions } from "./price-offers";

export type ApiContext = {
  currency: string;
  rate: Rates;
  /** The month's pages by when they were read, and the instant whose lists the break-even and the forecast use. */
  spans: PageSpan[];
  at: number;
  pages: number;
  forecastPages: number | null;
  selfTotal: Exact | null;
  selfForecast: Exact | null;
  fleet: SelfHost | null;
  options?: OfferOptions | undefined;
};

/** One chosen API: its bill for the same pages, how it compares, and its break-even. `mix` is in the report's currency, for drawing. */
export type ApiResult = { cost: ApiCost; mix: ApiMix | null };

/** Self-hosting against an API, both in the same currency; null when one of them is unknown. */
export function comparison(self: Exact | null, api: Exact | null, currency: string): Comparison | null {
  if (!self || !api) return null;
  const order = compare(self, api);
  const difference = order > 0 ? subtract(self, api) : subtract(api, self);
  return { outcome: order === 0 ? "tie" : order > 0 ? "dearer" : "cheaper", difference: moneyText(difference, currency) };
}

/** The chosen APIs in the order they were chosen; one that the price book does not list is named, not dropped. */
export function apiReports(offerIds: string[], book: PriceBook, context: ApiContext): ApiResult[] {
  const offers = offerIds.map((id) => managedOffer(book, id, context.at));
  const names = offers.map((offer) => offer && shortName(offer));
  return offers.map((offer, index) => {
    const id = offerIds[index] ?? "";
    if (!offer) return { cost: unpricedApi({ id, name: id, fullName: id }, "the price book does not list it"), mix: null };
    const isShared = names.filter((name) => name === names[index]).length > 1;
    return apiReport({ offer, book }, { id, name: isShared ? fullName(offer) : shortName(offer), fullName: fullName(offer) }, context);
  });
}

function apiReport({ offer, book }: { offer: ManagedOffer; book: PriceBook }, names: ApiNames, context: ApiContext): ApiResult {
  const { currency, rate, pages, forecastPages } = context;
  const priced = offerPlan(offer, context.options);
  if (priced.state === "unpriced") return { cost: unpricedApi(names, priced.reason), mix: null };
  const bill = billOf(book, offer.id, { spans: context.spans, options: context.options });
  if (bill.state === "unpriced") return { cost: unpricedApi(names, bill.reason), mix: null };
  const plan = convertPlan(priced.plan, { from: priced.currency, to: currency }, rate);
  const mix = plan && singlePlan(plan);
  const soFar = convert(bill.amount, { from: bill.currency, to: currency }, rate);
  const isKnown = forecastPages !== null && (priced.pricedUpTo === null || forecastPages <= priced.pricedUpTo);
  // What comes is charged by the list in force, on top of what was charged so far.
  const forecast = mix && soFar && isKnown ? add(soFar, subtract(apiCost(mix, forecastPages), apiCost(mix, pages))) : null;
  const cost: ApiCost = {
    ...names,
    unpriced: null,
    soFar: moneyText(bill.amount, bill.currency),
    converted: soFar && moneyText(soFar, currency),
    forecast: forecast && moneyText(forecast, currency),
    comparison: {
      soFar: comparison(context.selfTotal, soFar, currency),
      forecast: comparison(context.selfForecast, forecast, currency),
    },
    breakEven: mix && context.fleet && solve(context.fleet, mix, { pricedUpTo: priced.pricedUpTo }),
  };
  return { cost, mix };
}

type ApiNames = Pick<ApiCost, "id" | "name" | "fullName">;

export function unpricedApi(names: ApiNames, reason: string): ApiCost {
  return {
    ...names,
    unpriced: reason,
    soFar: null,
    converted: null,
    forecast: null,
    comparison: { soFar: null, forecast: null },
    breakEven: null,
  };
}
