import { memo } from "react";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { tableRows } from "@/lib/domain/cost-chart-rows";
import { cents, formatCount, grouped } from "@/lib/domain/cost-format";
import type { CostChart } from "@/lib/domain/cost-report-schema";

export type ChartTableProps = { chart: CostChart };

/** The numbers of the chart at every boundary and crossing. */
export const ChartTable = memo(function ChartTable({ chart }: ChartTableProps) {
  return (
    <details>
      <summary className="min-h-6 cursor-pointer text-sm text-muted-foreground hover:text-foreground">The same numbers as a table</summary>
      <div className="mt-2 max-h-96 overflow-y-auto">
        <Table caption={`Cost of a month in ${chart.currency} by pages`}>
          <TableHead>
            <TableHeader numeric>Pages a month</TableHeader>
            {chart.lines.map(({ id, name }) => (
              <TableHeader key={id} numeric unit={chart.currency}>
                {name}
              </TableHeader>
            ))}
            <TableHeader>Here</TableHeader>
          </TableHead>
          <TableBody>
            {tableRows(chart).map(({ pages, costs }) => (
              <TableRow key={pages}>
                <TableRowHeader className="text-right tabular-nums">{formatCount(pages)}</TableRowHeader>
                {chart.lines.map(({ id }) => (
                  <TableCell key={id} numeric>
                    {costs[id] ? grouped(cents(costs[id])) : "no price"}
                  </TableCell>
                ))}
                <TableCell>{noteAt(chart, pages)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
    </details>
  );
});

function noteAt(chart: CostChart, pages: number): string {
  const crossing = chart.crossings.find((candidate) => candidate.pages === pages);
  const notes = [
    chart.here?.pages === pages ? "this month so far" : null,
    chart.forecast?.pages === pages ? "forecast" : null,
    crossing && `${crossing.cheaper === "self" ? "your GPUs" : chart.against} cheaper from here${crossing.atStep ? ", by a step" : ""}`,
  ];
  return notes.filter(Boolean).join("; ");
}
