import type { Rate } from "./cost/currency";
import type { PriceBook } from "./price-book";

function ratesOf({ fx }: PriceBook): Rate[] {
  return fx.samples
    .map(({ rate, date, source, base, quote }) => ({ base: base ?? fx.base, quote: quote ?? fx.quote, rate, date, source }))
    .sort((a, b) => b.date.localeCompare(a.date));
}

/** The newest exchange rate of the book, to be pinned to a report; null when it has none. */
export function newestRate(book: PriceBook): Rate | null {
  return ratesOf(book)[0] ?? null;
}

/** Of each pair of currencies the rate that a report is pinned to, by the rule of `rateAt`. */
export function ratesAt(book: PriceBook, at: number): Rate[] {
  const pairs = new Map(ratesOf(book).map(({ base, quote }) => [[base, quote].sort().join(), [base, quote] as const]));
  return [...pairs.values()].flatMap((pair) => rateAt(book, at, pair) ?? []);
}

/**
 * The rate that a report of a past or running month is pinned to: the last one read up to `at` (epoch ms), so that history keeps the
 * rate of its own month; before the first reading the first one. `between` picks the pair; null when the book has no rate for it.
 */
export function rateAt(book: PriceBook, at: number, between?: readonly [string, string]): Rate | null {
  const day = at === Infinity ? "9999" : new Date(at).toISOString().slice(0, 10);
  const pair = ratesOf(book).filter(({ base, quote }) => !between || (between.includes(base) && between.includes(quote)));
  return pair.find((rate) => rate.date <= day) ?? pair.at(-1) ?? null;
}
