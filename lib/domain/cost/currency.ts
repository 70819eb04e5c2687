import { divide, exact, multiply, type Exact } from "../money";

/** One pinned rate: `rate` units of `quote` for one `base`, with the day it held and where it was read. */
export type Rate = { base: string; quote: string; rate: string; date: string; source: string };

/** The pinned rates: one, one for each pair, or none. */
export type Rates = Rate | readonly Rate[] | null;

/** The rate between two currencies, in either direction; null when there is none. */
export function rateBetween(rates: Rates, a: string, b: string): Rate | null {
  const all = rates === null ? [] : "base" in rates ? [rates] : rates;
  return all.find(({ base, quote }) => (base === a && quote === b) || (base === b && quote === a)) ?? null;
}

/** The amount in `to`, by the pinned rate in either direction; null when there is no rate between the two currencies. */
export function convert(amount: Exact, currencies: { from: string; to: string }, rates: Rates): Exact | null {
  const { from, to } = currencies;
  if (from === to) return amount;
  const rate = rateBetween(rates, from, to);
  if (rate?.base === from && rate.quote === to) return multiply(amount, exact(rate.rate));
  if (rate?.base === to && rate.quote === from) return divide(amount, exact(rate.rate));
  return null;
}
