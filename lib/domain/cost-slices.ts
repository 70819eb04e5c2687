import type { Month } from "./cost-period";
import { monthOf, startOfDayAfter } from "./cost-period";
import type { NodeUse } from "./cost-report-self";
import { startOf, type PriceBook } from "./price-book";

/** A stretch of the month in which no price changes and no local day ends; `from` in epoch ms. */
export type UseSlice = { from: number; day: string; pages: number; nodes: NodeUse[] };

/** Where slices begin: each local day of the month, and each hour in it at which a price comes into force. */
export function sliceStarts(month: Month, timeZone: string, book: PriceBook): number[] {
  const rows = [...book.gpu_skus.flatMap((sku) => sku.prices), ...book.managed_ocr];
  const changes = rows.map(startOf).filter((at) => at > month.from && at < month.to);
  return [...new Set([...dayStarts(month, timeZone), ...changes])].sort((a, b) => a - b);
}

/** The instants at which the days of a month begin in its time zone; a day of a clock change has 23 or 25 hours. */
export function dayStarts(month: Month, timeZone: string): number[] {
  const starts = [month.from];
  while (starts.length < month.days) starts.push(startOfDayAfter(starts.at(-1) ?? month.from, timeZone));
  return starts;
}

/** The slice that holds an instant. Starts ascend; −1 before the first. */
export function sliceAt(starts: number[], at: number): number {
  return starts.findLastIndex((start) => start <= at);
}

export type SliceInput = {
  month: string;
  timeZone: string;
  starts: number[];
  /** End of what has happened, epoch ms. */
  until: number;
  /** Pages and node time by the index of their slice. */
  pages: Map<number, number>;
  nodes: Map<number, NodeUse[]>;
};

/** The month cut into slices, with the pages and the node time of each. */
export function sliceUse({ month, timeZone, starts, until, pages, nodes }: SliceInput): UseSlice[] {
  const days = dayStarts(monthOf(month, timeZone), timeZone);
  return starts.flatMap((from, index) => {
    if (from >= until) return [];
    const day = `${month}-${String(sliceAt(days, from) + 1).padStart(2, "0")}`;
    return [{ from, day, pages: pages.get(index) ?? 0, nodes: nodes.get(index) ?? [] }];
  });
}

/** Days of the slices on which pages or node time were logged. */
export function daysWithData(slices: UseSlice[]): number {
  return new Set(slices.filter((slice) => slice.pages > 0 || slice.nodes.length > 0).map((slice) => slice.day)).size;
}
