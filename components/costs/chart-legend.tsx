import { memo } from "react";
import { selfSeries, type SeriesStyle } from "@/components/ui/series";
import type { CostChart } from "@/lib/domain/cost-report-schema";

export type ChartLegendProps = { chart: CostChart; styles: Map<string, SeriesStyle> };

/** Names every line, band and point of the chart. */
export const ChartLegend = memo(function ChartLegend({ chart, styles }: ChartLegendProps) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1.5 text-sm text-muted-foreground">
      {chart.lines.map(({ id, name }) => (
        <li key={id} className="flex items-center gap-2">
          <LineSample style={styles.get(id)} />
          {name}
        </li>
      ))}
      {chart.against && (
        <>
          <li className="flex items-center gap-2">
            <span aria-hidden className="size-3.5 rounded-sm border bg-data-self/15" />
            your GPUs cheaper than {chart.against}
          </li>
          <li className="flex items-center gap-2">
            <span
              aria-hidden
              className="size-3.5 rounded-sm border bg-[repeating-linear-gradient(45deg,var(--data-api-1)_0_1px,transparent_1px_4px)] opacity-70"
            />
            {chart.against} cheaper
          </li>
        </>
      )}
      {chart.forecast && (
        <li className="flex items-center gap-2">
          <span aria-hidden className="size-3 rounded-full border-2 border-dashed border-data-self" />
          forecast for the whole month
        </li>
      )}
    </ul>
  );
});

export function LineSample({ style = selfSeries }: { style?: SeriesStyle | undefined }) {
  return (
    <svg aria-hidden width="28" height="8" className="shrink-0">
      <line x1="0" y1="4" x2="28" y2="4" stroke={style.color} strokeWidth={style.strokeWidth} strokeDasharray={style.strokeDasharray} />
    </svg>
  );
}
