import { convert, type Rate } from "./cost/currency";
import { billOf, type PageSpan } from "./cost-bill";
import type { CostDay } from "./cost-report-schema";
import { selfCost } from "./cost-report-self";
import type { UseSlice } from "./cost-slices";
import { add, toDecimal, ZERO, type Exact } from "./money";
import type { PriceBook } from "./price-book";

export type DaysContext = { book: PriceBook; offerIds: string[]; currency: string; rate: Rate | null; countsKept?: boolean | undefined };

/** Both sides cumulated day by day, from the same slices as the totals: the last day equals them. */
export function costDays(slices: UseSlice[], context: DaysContext): CostDay[] {
  const { currency, rate, book } = context;
  const days: CostDay[] = [];
  const spans: PageSpan[] = [];
  let self: Exact | null = ZERO;
  for (const [index, slice] of slices.entries()) {
    spans.push({ at: slice.from, pages: slice.pages });
    const { total } = selfCost(slice.nodes, { book, currency, rate, pages: 0, pagesPerSecond: null, countsKept: context.countsKept });
    self = self && total && add(self, total);
    if (slices[index + 1]?.day === slice.day) continue;
    const apis = context.offerIds.map((id): [string, string | null] => {
      const bill = billOf(book, id, { spans });
      const amount = bill.state === "billed" ? convert(bill.amount, { from: bill.currency, to: currency }, rate) : null;
      return [id, amount && toDecimal(amount, 9)];
    });
    const pages = spans.reduce((sum, span) => sum + span.pages, 0);
    days.push({ day: slice.day, pages, costs: { self: self && toDecimal(self, 9), ...Object.fromEntries(apis) } });
  }
  return days;
}
