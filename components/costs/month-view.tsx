"use client";

import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/states";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";
import { useUrlState } from "@/lib/client/url-state";
import { formatCount, formatHours, formatMoney, formatPages } from "@/lib/domain/cost-format";
import type { ApiCost } from "@/lib/domain/cost-report-schema";
import { CostFigures } from "./cost-figures";
import { CostTable } from "./cost-table";
import { InvoiceLine } from "./invoice-line";
import { IntervalsList } from "./intervals-list";
import { LeversList } from "./levers-list";
import { PriceSources } from "./price-sources";
import { SavedLine } from "./saved-line";
import { ScenarioNotice } from "./scenario-notice";
import { ScenariosPanel } from "./scenarios-panel";
import { TakeAway, type TakeAwayProps } from "./take-away";
import { useWhatIf } from "./use-what-if";
import { WhatIfPanel } from "./what-if-panel";

// The chart library is fetched beside the numbers, not before them.
const loading = () => <Skeleton className="h-80 w-full" />;
const BreakEvenChart = dynamic(() => import("./break-even-chart").then((file) => file.BreakEvenChart), { ssr: false, loading });
const DaysView = dynamic(() => import("./days-view").then((file) => file.DaysView), { ssr: false, loading });

export type MonthViewProps = { view: Output<"costs.report">; choice: TakeAwayProps["choice"]; scenario: Output<"scenarios.get"> | null };

/** Chart first, what-if beside it, then the numbers behind both. */
export function MonthView({ view, choice, scenario }: MonthViewProps) {
  const { report } = view;
  const url = useUrlState();
  const present = useRead("prices.book", {}).data?.book;
  const [isUpdated, setUpdated] = useState(false);
  const book = isUpdated ? present : (scenario?.frozen?.book ?? present);
  const what = useWhatIf(report, book, scenario?.scenario.inputs ?? null);
  const picture = useRef<HTMLDivElement>(null);
  const isWhatIf = what !== null && (scenario !== null || Object.keys(what.changes).length > 0);
  const chart = isWhatIf ? (what.result?.chart ?? null) : report.chart;
  const apis = isWhatIf ? (what.result?.apis ?? []) : report.apis;
  return (
    <>
      {scenario && <ScenarioNotice scenario={scenario} present={isUpdated ? undefined : present} onUpdate={(changes) => (setUpdated(true), what?.set(changes))} />}
      <Panel label="Figures" padded={false}>
        <div className="p-4">
          <CostFigures report={report} />
        </div>
        {view.environmentId && <SavedLine environmentId={view.environmentId} month={report.month.key} />}
      </Panel>
      <Apart view={view} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <Panel
          title={isWhatIf ? "Break-even of the what-if" : "Break-even"}
          description="Cost of a month by pages read: your GPU nodes as a staircase, each API with its tiers."
          actions={
            <>
              {isWhatIf && <Badge tone="warning">what-if</Badge>}
              <TakeAway view={view} choice={choice} chart={picture} />
            </>
          }
        >
          <div ref={picture}>{chart ? <BreakEvenChart chart={chart} /> : <NoChart />}</div>
        </Panel>
        {what && book && <WhatIfPanel state={what} book={book} />}
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Panel title="The same pages on both sides" padded={false} className="lg:col-span-2">
          <CostTable report={report} />
          {view.environmentId && <InvoiceLine environmentId={view.environmentId} report={report} />}
        </Panel>
        {what && (
          <Panel title="What saves most" className="lg:col-span-2" description={`One change alone, at ${formatPages(what.input.pages)} a month.`}>
            <LeversList levers={what.levers} onTry={what.set} />
          </Panel>
        )}
        {apis.map((api) => (
          <IntervalsPanel key={api.id} api={api} />
        ))}
      </div>
      <Panel title="Day by day" description="Both sides cumulated from the first of the month, at the prices in force in each hour.">
        <DaysView report={report} environmentId={view.environmentId} />
      </Panel>
      {what && book && view.environmentId && <ScenariosPanel environmentId={view.environmentId} input={what.input} sentence={view.sentence} book={book} onOpen={(inputs) => (url.set({ scenario: undefined }), what.set(inputs))} />}
      <Panel title="Prices" description="Where each price was read, and when." padded={false}>
        <PriceSources report={report} />
      </Panel>
    </>
  );
}

function IntervalsPanel({ api }: { api: ApiCost }) {
  return (
    <Panel title={`Cheaper side against ${api.name}`}>
      <IntervalsList api={api} />
    </Panel>
  );
}

function NoChart() {
  return <p className="text-muted-foreground">The chart needs a node with a price. Deploy a model on one, or choose a month with node hours.</p>;
}

/** What is logged and not part of the comparison, each by its name. */
function Apart({ view: { pagesElsewhere, outside, inferredHours, report } }: { view: MonthViewProps["view"] }) {
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
