import { memo } from "react";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import type { Output } from "@/lib/client/api";
import { formatCount, formatHours, formatMoney } from "@/lib/domain/cost-format";
import { CostFigures } from "./cost-figures";
import { SavedLine } from "./saved-line";

export type MonthFiguresProps = { view: Output<"costs.report"> };

/** The month in figures, what sleeping saved, and what is shown apart. */
export const MonthFigures = memo(function MonthFigures({ view }: MonthFiguresProps) {
  return (
    <>
      <Panel label="Figures" padded={false}>
        <div className="p-4">
          <CostFigures report={view.report} />
        </div>
        {view.environmentId && <SavedLine environmentId={view.environmentId} month={view.report.month.key} />}
      </Panel>
      <Apart view={view} />
    </>
  );
});

/** What is logged and not part of the comparison, each by its name. */
function Apart({ view: { pagesElsewhere, outside, inferredHours, report } }: MonthFiguresProps) {
  const { kept } = report.self;
  const lines = [
    pagesElsewhere > 0 && `${formatCount(pagesElsewhere)} ${pagesElsewhere === 1 ? "page was" : "pages were"} read by the embedded CPU engine: no GPU, not compared.`,
    outside && outside.requests > 0 && `${formatCount(outside.requests)} ${outside.requests === 1 ? "request" : "requests"} reached the engines outside the portal, by their own counters (${outside.readAt.slice(0, 16).replace("T", " ")} UTC): not in the pages above.`,
    kept && `Nodes were kept ${formatHours(kept.hours)} without a pod${kept.cost ? `, ${formatMoney(kept.cost)} at their prices` : ""}: ${kept.isCounted ? "counted as idle time" : "shown here, not in the total, as set under History and settings"}.`,
    Number(inferredHours) > 0 && `${formatHours(inferredHours)} of the node time begin or end in an outage of Lectern and are inferred.`,
  ].filter((line) => typeof line === "string");
  if (lines.length === 0) return null;
  return (
    <Notice title="Shown apart">
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Notice>
  );
}
