import { singlePlan, type ApiMix } from "./cost/api-plan";
import type { Rate } from "./cost/currency";
import type { NodeFleet } from "./cost/self-host";
import { apiCost, solve } from "./cost";
import { moneyText } from "./cost-format";
import { convertPlan } from "./cost-plan";
import type { ApiCost, Comparison } from "./cost-report-schema";
import { compare, subtract, type Exact } from "./money";
import type { ManagedOffer, PriceBook } from "./price-book";
import { fullName, managedOffer, offerPlan, shortName } from "./price-offers";

export type ApiContext = {
  currency: string;
  rate: Rate | null;
  pages: number;
  forecastPages: number | null;
  selfTotal: Exact | null;
  selfForecast: Exact | null;
  fleet: NodeFleet | null;
};

/** One chosen API: its bill for the same pages, how it compares, and its break-even. `mix` is in the report's currency, for drawing. */
export type ApiResult = { cost: ApiCost; mix: ApiMix | null };

/** Self-hosting against an API, both in the same currency; null when one of them is unknown. */
function comparison(self: Exact | null, api: Exact | null, currency: string): Comparison | null {
  if (!self || !api) return null;
  const order = compare(self, api);
  const difference = order > 0 ? subtract(self, api) : subtract(api, self);
  return { outcome: order === 0 ? "tie" : order > 0 ? "dearer" : "cheaper", difference: moneyText(difference, currency) };
}

/** The chosen APIs in the order they were chosen; one that the price book does not list is named, not dropped. */
export function apiReports(offerIds: string[], book: PriceBook, context: ApiContext): ApiResult[] {
  const offers = offerIds.map((id) => managedOffer(book, id));
  const names = offers.map((offer) => offer && shortName(offer));
  return offers.map((offer, index) => {
    const id = offerIds[index] ?? "";
    if (!offer) return { cost: unpricedApi({ id, name: id, fullName: id }, "the price book does not list it"), mix: null };
    const isShared = names.filter((name) => name === names[index]).length > 1;
    return apiReport(offer, { id, name: isShared ? fullName(offer) : shortName(offer), fullName: fullName(offer) }, context);
  });
}

function apiReport(offer: ManagedOffer, names: ApiNames, context: ApiContext): ApiResult {
  const priced = offerPlan(offer);
  if (priced.state === "unpriced") return { cost: unpricedApi(names, priced.reason), mix: null };
  const known = (pages: number | null) => pages !== null && (priced.pricedUpTo === null || pages <= priced.pricedUpTo);
  if (!known(context.pages)) return { cost: unpricedApi(names, `its list has no price above ${priced.pricedUpTo} pages`), mix: null };
  const plan = convertPlan(priced.plan, { from: priced.currency, to: context.currency }, context.rate);
  const mix = plan && singlePlan(plan);
  const soFar = mix && apiCost(mix, context.pages);
  const forecast = mix && context.forecastPages !== null && known(context.forecastPages) ? apiCost(mix, context.forecastPages) : null;
  const cost: ApiCost = {
    ...names,
    unpriced: null,
    soFar: moneyText(apiCost(singlePlan(priced.plan), context.pages), priced.currency),
    converted: soFar && moneyText(soFar, context.currency),
    forecast: forecast && moneyText(forecast, context.currency),
    comparison: {
      soFar: comparison(context.selfTotal, soFar, context.currency),
      forecast: comparison(context.selfForecast, forecast, context.currency),
    },
    breakEven: mix && context.fleet && solve(context.fleet, mix, { pricedUpTo: priced.pricedUpTo }),
  };
  return { cost, mix };
}

type ApiNames = Pick<ApiCost, "id" | "name" | "fullName">;

function unpricedApi(names: ApiNames, reason: string): ApiCost {
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
