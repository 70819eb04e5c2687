import { EstimatedBadge } from "@/components/ui/badge";
import { Figure, Figures } from "@/components/ui/figure";
import { formatCount, formatHours, formatMoney, formatShare } from "@/lib/domain/cost-format";
import type { CostReport } from "@/lib/domain/cost-report-schema";

export type CostFiguresProps = { report: CostReport };

/** Pages, node hours, idle time and the price in effect. */
export function CostFigures({ report }: CostFiguresProps) {
  const { self, coverage, plan } = report;
  const isMeasured = plan?.rate?.kind === "measured";
  return (
    <Figures>
      <Figure
        label="Pages read"
        value={formatCount(report.pages)}
        note={`data on ${coverage.daysWithData} of ${coverage.daysElapsed} days`}
      />
      <Figure label="Node hours" value={formatHours(self.hours)} note={self.lines.map((line) => line.name).join(", ")} />
      <Figure
        label="Per 1 000 pages"
        value={self.effectivePer1000 ? formatMoney(self.effectivePer1000) : "–"}
        note={self.effectivePer1000 ? "paid, idle time included" : "no pages or no price"}
      />
      <Figure label="Idle" value={self.idle ? formatMoney(self.idle.cost) : "–"} note={idleNote(self.idle, isMeasured)} />
    </Figures>
  );
}

function idleNote(idle: CostReport["self"]["idle"], isMeasured: boolean) {
  if (!idle) return "pages per second are not known";
  if (idle.isRateDoubtful) return "more pages than the rate allows: check pages per second";
  return (
    <>
      {formatHours(idle.hours)}
      {idle.load && `, load ${formatShare(idle.load)}`} {!isMeasured && <EstimatedBadge />}
    </>
  );
}
