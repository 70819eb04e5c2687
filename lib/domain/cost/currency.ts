import { divide, exact, multiply, type Exact } from "../money";

/** One pinned rate: `rate` units of `quote` for one `base`, with the day it held and where it was read. */
export type Rate = { base: string; quote: string; rate: string; date: string; source: string };

/** The amount in `to`, by the pinned rate in either direction; null when there is no rate between the two currencies. */
export function convert(amount: Exact, currencies: { from: string; to: string }, rate: Rate | null): Exact | null {
  const { from, to } = currencies;
  if (from === to) return amount;
  if (rate?.base === from && rate.quote === to) return multiply(amount, exact(rate.rate));
  if (rate?.base === to && rate.quote === from) return divide(amount, exact(rate.rate));
  return null;
}
