import { convert, type Rates } from "./cost/currency";
import { billsUpTo } from "./cost-bill";
import type { CostDay } from "./cost-report-schema";
import { selfTotal } from "./cost-report-self";
import type { UseSlice } from "./cost-slices";
import { add, toDecimal, ZERO, type Exact } from "./money";
import type { PriceBook } from "./price-book";

export type DaysContext = { book: PriceBook; offerIds: string[]; currency: string; rate: Rates; countsKept?: boolean | undefined };

/** Both sides cumulated day by day, from the same slices as the totals: the last day equals them. */
export function costDays(slices: UseSlice[], context: DaysContext): CostDay[] {
  const { currency, rate, book } = context;
  const lasts = slices.flatMap((slice, index) => (slices[index + 1]?.day === slice.day ? [] : [index]));
  const spans = slices.map(({ from, pages }) => ({ at: from, pages }));
  const bills = context.offerIds.map((id) => billsUpTo(book, id, { spans, ends: lasts.map((index) => index + 1) }));
  const selves = cumulated(slices.map(({ nodes }) => selfTotal(nodes, { book, currency, rate, countsKept: context.countsKept })));
  let pages = 0;
  let next = 0;
  return lasts.map((last, day) => {
    for (; next <= last; next += 1) pages += slices[next]?.pages ?? 0;
    const self = selves[last] ?? null;
    const apis = context.offerIds.map((id, index): [string, string | null] => {
      const bill = bills[index]?.[day];
      const amount = bill?.state === "billed" ? convert(bill.amount, { from: bill.currency, to: currency }, rate) : null;
      return [id, amount && toDecimal(amount, 9)];
    });
    return { day: slices[last]?.day ?? "", pages, costs: { self: self && toDecimal(self, 9), ...Object.fromEntries(apis) } };
  });
}

/** Running sums; from the first unknown on all are unknown. */
function cumulated(totals: (Exact | null)[]): (Exact | null)[] {
  let sum: Exact | null = ZERO;
  return totals.map((total) => (sum = sum && total && add(sum, total)));
}
