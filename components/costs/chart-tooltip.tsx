import type { SeriesStyle } from "@/components/ui/series";
import { formatMoney, formatPages } from "@/lib/domain/cost-format";
import type { CostChart } from "@/lib/domain/cost-report-schema";
import { LineSample } from "./chart-legend";

export type ChartTooltipProps = {
  chart: CostChart;
  styles: Map<string, SeriesStyle>;
  /** Given by the chart while the pointer is over it. */
  active?: boolean;
  label?: string | number;
};

/** The cost of every line at the page count under the pointer. */
export function ChartTooltip({ chart, styles, active, label }: ChartTooltipProps) {
  const row = chart.rows.find((candidate) => candidate.pages === Number(label));
  if (!active || !row) return null;
  return (
    <div className="grid gap-1 rounded-md border bg-popover px-3 py-2 text-sm shadow-float">
      <p className="font-medium">{formatPages(row.pages)}</p>
      {chart.lines.map(({ id, name }) => {
        const amount = row.costs[id];
        return (
          <p key={id} className="flex items-center gap-2">
            <LineSample style={styles.get(id)} />
            <span className="flex-1 text-muted-foreground">{name}</span>
            <span className="tabular-nums">{amount ? formatMoney({ amount, currency: chart.currency }) : "no price"}</span>
          </p>
        );
      })}
    </div>
  );
}
