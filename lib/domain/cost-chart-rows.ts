import { formatMoney, formatPages } from "./cost-format";
import type { ChartRow, CostChart } from "./cost-report-schema";
import { roundEdge } from "./cost-ticks";
import { intervalWords } from "./cost-words";

/** The rows a reader needs: node and tier boundaries, crossings and the month; not both sides of every corner. */
export function tableRows(chart: CostChart): ChartRow[] {
  const marks = new Set([...chart.crossings, chart.here, chart.forecast].flatMap((point) => point?.pages ?? []));
  return chart.rows.filter((row, index) => marks.has(row.pages) || chart.rows[index - 1]?.pages !== row.pages - 1);
}

/** The chart in words, for those who do not see it. */
export function chartSummary(chart: CostChart): string {
  const { against, here, currency } = chart;
  const scope = `Cost of a month in ${currency}, from 0 to ${formatPages(chart.upTo)}, for ${chart.lines.map((line) => line.name).join(", ")}.`;
  const bands = against ? chart.bands.map((band) => intervalWords({ ...band, to: band.to === chart.upTo ? null : band.to }, against)) : [];
  const sides = bands.length > 0 ? [`Against ${against}: ${bands.join("; ")}.`] : [];
  const month = here
    ? [`This month so far: ${formatPages(here.pages)}, ${formatMoney({ amount: here.cost, currency })} on your GPUs.`]
    : [];
  return [scope, ...sides, ...month].join(" ");
}

/** Crossings far enough apart for their labels not to cover one another: at least an eighth of the width. */
export function labelledCrossings(chart: CostChart): Set<number> {
  const labelled: number[] = [];
  for (const { pages } of chart.crossings) {
    if (pages - (labelled.at(-1) ?? -Infinity) >= chart.upTo / 8) labelled.push(pages);
  }
  return new Set(labelled);
}

/** The top of the cost axis: room for your GPUs and the API that they are compared with, so that a far dearer API does not flatten both. */
export function costTop(chart: CostChart): number {
  const compared = chart.lines.filter((line) => line.side === "self" || line.name === chart.against).map((line) => line.id);
  const highest = (ids: string[]) => Math.max(0, ...chart.rows.flatMap((row) => ids.map((id) => Number(row.costs[id] ?? 0))));
  const points = [chart.here, chart.forecast].map((point) => Number(point?.cost ?? 0));
  return roundEdge(Math.max(Math.min(1.25 * highest(compared), highest(chart.lines.map((line) => line.id))), ...points) || 1);
}
