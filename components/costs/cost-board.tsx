"use client";

import { useState } from "react";
import { EstimatedBadge } from "@/components/ui/badge";
import { Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { formatCount, formatMoney, formatPages } from "@/lib/domain/cost-format";
import type { CostReport } from "@/lib/domain/cost-report-schema";
import { BreakEvenChart } from "./break-even-chart";
import { CostFigures } from "./cost-figures";
import { CostSentence } from "./cost-sentence";
import { CostTable } from "./cost-table";
import { IntervalsList } from "./intervals-list";
import { PriceSources } from "./price-sources";

export type CostBoardProps = { data: { report: CostReport; pagesElsewhere: number } };

/** The sentence first, then the chart it comes from, then the numbers behind both. */
export function CostBoard({ data }: CostBoardProps) {
  const { report, pagesElsewhere } = data;
  return (
    <div className="grid gap-6">
      <CostSentence report={report} />
      {pagesElsewhere > 0 && <Notice title={`Not compared: ${formatPages(pagesElsewhere)} read by the embedded engine, without a GPU.`} />}
      <Panel label="Pages, hours and idle time">
        <CostFigures report={report} />
      </Panel>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Panel title="Break-even" description={<PlanWords plan={report.plan} />}>
          {report.chart ? (
            <BreakEvenChart chart={report.chart} />
          ) : (
            <Notice tone="warning" title="There is no chart without a priced node in the report's currency." />
          )}
        </Panel>
        <IntervalsPanel report={report} />
      </div>
      <Panel title="Both sides, same pages" padded={false}>
        <CostTable report={report} />
      </Panel>
      <Panel title="Prices with source and date">
        <PriceSources report={report} />
      </Panel>
    </div>
  );
}

/** What the staircase stands for, and whether its height was measured. */
function PlanWords({ plan }: { plan: CostReport["plan"] }) {
  if (!plan) return null;
  const node = `${plan.name}: ${formatMoney(plan.nodeMonth)} a node for ${formatCount(Number(plan.hours))} h`;
  if (!plan.rate || plan.capacity === null) return <>{node}. Pages per second are not known, so capacity is not checked.</>;
  return (
    <>
      {node}, {formatPages(plan.capacity)} at most ({plan.rate.pagesPerSecond} pages/s, {Math.round(Number(plan.utilisation) * 100)} % used){" "}
      {plan.rate.kind === "measured" ? "measured" : plan.rate.kind === "published" ? "published" : <EstimatedBadge />}
    </>
  );
}

function IntervalsPanel({ report }: { report: CostReport }) {
  const [chosen, setChosen] = useState(report.apis[0]?.id);
  const api = report.apis.find((candidate) => candidate.id === chosen) ?? report.apis[0];
  if (!api) return null;
  return (
    <Panel
      title="Cheaper side by volume"
      actions={
        <Select aria-label="Compared with" value={api.id} onChange={(event) => setChosen(event.target.value)}>
          {report.apis.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      }
    >
      <IntervalsList api={api} />
    </Panel>
  );
}
