import { Badge, EstimatedBadge } from "@/components/ui/badge";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { formatMoney, formatPages } from "@/lib/domain/cost-format";
import type { ApiCost, Comparison, CostReport } from "@/lib/domain/cost-report-schema";

export type CostTableProps = { report: CostReport };

/** Both sides for the same pages: so far, at the month's end, and from where self-hosting wins. */
export function CostTable({ report }: CostTableProps) {
  const { total, unpriced } = report.self;
  const forecast = report.forecast.state === "made" ? report.forecast.self : null;
  return (
    <Table caption={`Costs in ${report.month.label} by side`}>
      <TableHead>
        <TableHeader>Side</TableHeader>
        <TableHeader numeric>{report.month.isRunning ? "So far" : "Month"}</TableHeader>
        <TableHeader numeric>
          At this pace <EstimatedBadge />
        </TableHeader>
        <TableHeader numeric>Your GPUs against it</TableHeader>
        <TableHeader numeric>Self-hosting wins</TableHeader>
      </TableHead>
      <TableBody>
        <TableRow>
          <TableRowHeader>Your GPUs</TableRowHeader>
          <TableCell numeric>
            {total ? formatMoney(total) : <SelfWithoutTotal sums={report.self.sums} isUnpriced={unpriced.length > 0} />}
          </TableCell>
          <TableCell numeric>{forecast ? formatMoney(forecast) : "–"}</TableCell>
          <TableCell numeric>–</TableCell>
          <TableCell numeric>–</TableCell>
        </TableRow>
        {report.apis.map((api) => (
          <ApiRow key={api.id} api={api} />
        ))}
      </TableBody>
    </Table>
  );
}

function SelfWithoutTotal({ sums, isUnpriced }: { sums: CostReport["self"]["sums"]; isUnpriced: boolean }) {
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-2">
      {sums.map((money) => formatMoney(money)).join(" and ")}
      <Badge tone="warning">{isUnpriced ? "unpriced nodes" : sums.length > 0 ? "no exchange rate" : "nothing logged"}</Badge>
    </span>
  );
}

function ApiRow({ api }: { api: ApiCost }) {
  if (api.unpriced) {
    return (
      <TableRow>
        <TableRowHeader className="min-w-52">{api.fullName}</TableRowHeader>
        <TableCell colSpan={4}>
          <Badge tone="warning">unpriced</Badge> <span className="text-muted-foreground">{api.unpriced}</span>
        </TableCell>
      </TableRow>
    );
  }
  const shown = api.converted ?? api.soFar;
  return (
    <TableRow>
      <TableRowHeader className="min-w-52">{api.fullName}</TableRowHeader>
      <TableCell numeric>{shown ? formatMoney(shown) : "–"}</TableCell>
      <TableCell numeric>{api.forecast ? formatMoney(api.forecast) : "–"}</TableCell>
      <TableCell numeric>{comparisonWords(api.comparison.forecast ?? api.comparison.soFar)}</TableCell>
      <TableCell numeric>{winsWords(api)}</TableCell>
    </TableRow>
  );
}

function comparisonWords(comparison: Comparison | null): string {
  if (!comparison) return "–";
  return comparison.outcome === "tie" ? "level" : `${formatMoney(comparison.difference)} ${comparison.outcome}`;
}

function winsWords({ breakEven }: ApiCost): string {
  if (!breakEven) return "–";
  const [first, ...more] = breakEven.crossings;
  if (!first) return breakEven.intervals.at(-1)?.cheaper === "self" ? "always" : "never";
  if (more.length > 0 || first.cheaper === "api") return `changes ${more.length + 1} times`.replace(/ 1 times$/, " once");
  return `from ${formatPages(first.firstPage)}`;
}
