import { formatMoney, formatPages } from "./cost-format";
import type { ChartRow, CostChart } from "./cost-report-schema";
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
