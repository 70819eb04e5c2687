"use client";

import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/states";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";
import { MonthBeneath } from "./month-beneath";
import { MonthFigures } from "./month-figures";
import { ScenarioNotice } from "./scenario-notice";
import { TakeAway, type TakeAwayProps } from "./take-away";
import { useWhatIf } from "./use-what-if";
import { WhatIfPanel } from "./what-if-panel";

// The chart library is fetched beside the numbers, not before them.
const BreakEvenChart = dynamic(() => import("./break-even-chart").then((file) => file.BreakEvenChart), { ssr: false, loading: () => <Skeleton className="h-80 w-full" /> });

export type MonthViewProps = { view: Output<"costs.report">; choice: TakeAwayProps["choice"]; scenario: Output<"scenarios.get"> | null };

/** Chart first, what-if beside it, then the numbers behind both. Only the chart and the what-if are drawn anew while a slider is dragged. */
export function MonthView({ view, choice, scenario }: MonthViewProps) {
  const { report } = view;
  const present = useRead("prices.book", {}).data?.book;
  const [isUpdated, setUpdated] = useState(false);
  const book = isUpdated ? present : (scenario?.frozen?.book ?? present);
  const what = useWhatIf(report, book, scenario?.scenario.inputs ?? null);
  const picture = useRef<HTMLDivElement>(null);
  const isWhatIf = what !== null && (scenario !== null || Object.keys(what.changes).length > 0);
  const chart = isWhatIf ? (what.result?.chart ?? null) : report.chart;
  return (
    <>
      {scenario && <ScenarioNotice scenario={scenario} present={isUpdated ? undefined : present} onUpdate={(changes) => (setUpdated(true), what?.set(changes))} />}
      <MonthFigures view={view} />
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
      <MonthBeneath view={view} settled={what?.settled ?? null} isScenario={scenario !== null} book={book} onTry={what?.set} />
    </>
  );
}

function NoChart() {
  return <p className="text-muted-foreground">The chart needs a node with a price. Deploy a model on one, or choose a month with node hours.</p>;
}
