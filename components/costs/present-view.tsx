"use client";

import { Presentation } from "lucide-react";
import dynamic from "next/dynamic";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/states";
import { ExactTime } from "@/components/ui/time";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";
import { formatMoney, formatPages } from "@/lib/domain/cost-format";
import type { WhatIfResult } from "@/lib/domain/cost-whatif";
import { CostFigures } from "./cost-figures";
import { CostSentence } from "./cost-sentence";
import { CostTable } from "./cost-table";
import { IntervalsList } from "./intervals-list";
import { whatIfAt } from "./use-what-if";

const BreakEvenChart = dynamic(() => import("./break-even-chart").then((file) => file.BreakEvenChart), { ssr: false, loading: () => <Skeleton className="h-96 w-full" /> });

type View = Output<"costs.report">;
type Scenario = Output<"scenarios.get"> | null;
export type PresentProps = { view: View; scenario: Scenario };

/** What is presented: as it was when the presentation began, whatever is logged, priced or saved meanwhile. */
type Pinned = { view: View; at: Date; name: string | null; whatIf: WhatIfResult | null };

/** The whole screen for the meeting: sentence, chart, figures and intervals, nothing else, and nothing that changes. */
export function PresentButton({ view, scenario }: PresentProps) {
  const [pinned, setPinned] = useState<Pinned | null>(null);
  const present = useRead("prices.book", {}).data?.book;
  const pin = () => {
    const book = scenario?.frozen?.book ?? present;
    const whatIf = book ? whatIfAt(window.location.search, { report: view.report, book, pinned: scenario?.scenario.inputs ?? null }) : null;
    setPinned({ view, at: new Date(), name: scenario?.scenario.name ?? null, whatIf });
  };
  return (
    <Radix.Root open={pinned !== null} onOpenChange={(isOpen) => (isOpen ? pin() : setPinned(null))}>
      <Radix.Trigger asChild>
        <Button className="print:hidden">
          <Presentation aria-hidden /> Present
        </Button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content aria-describedby={undefined} className="fixed inset-0 z-50 overflow-y-auto bg-background text-foreground">
          {pinned && <Slide pinned={pinned} onClose={() => setPinned(null)} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Slide({ pinned: { view, at, name, whatIf }, onClose }: { pinned: Pinned; onClose: () => void }) {
  const { report } = view;
  const chart = whatIf?.chart ?? report.chart;
  const apis = whatIf?.apis ?? report.apis;
  useFullScreen(onClose);
  return (
    <div className="mx-auto grid max-w-[1440px] gap-8 p-4 sm:p-10">
      <header className="flex items-start justify-between gap-4">
        <div>
          <Radix.Title className="text-lg text-muted-foreground">
            {report.month.label}, {view.environmentName}
          </Radix.Title>
          <p className="text-sm text-muted-foreground">
            As of <ExactTime at={at} />: pages, hours, prices and rates stay as they were then until you end this.
          </p>
        </div>
        <Button variant="ghost" onClick={onClose}>
          End
        </Button>
      </header>
      <CostSentence report={report} className="text-2xl leading-snug font-medium text-balance" />
      <section className="grid gap-3" aria-label="Break-even">
        {whatIf && (
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone="warning">what-if</Badge> {name ? `Scenario ${name}` : "With changed inputs"}: {formatMoney(whatIf.self)} a month on your GPUs at {formatPages(whatIf.chart.here?.pages ?? 0)}.
          </p>
        )}
        {chart && <BreakEvenChart chart={chart} />}
      </section>
      <CostFigures report={report} />
      <CostTable report={report} />
      <div className="grid gap-8 md:grid-cols-2">
        {apis.map((api) => (
          <section key={api.id} className="grid content-start gap-2">
            <h2 className="font-medium">Cheaper side against {api.name}</h2>
            <IntervalsList api={api} />
          </section>
        ))}
      </div>
      <p className="text-sm text-muted-foreground">
        Excluding taxes. {report.hoursConvention}. Prices read {oldest(report.prices.map((price) => price.asOf))} and later; each with its source on the page.
      </p>
    </div>
  );
}

function oldest(days: string[]): string {
  return [...days].sort()[0] ?? "";
}

/** Asks the browser for the whole screen; leaving it leaves the presentation. A browser that refuses shows it in its window. */
function useFullScreen(onLeave: () => void) {
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  }, [onLeave]);
  useEffect(() => {
    const changed = () => {
      if (!document.fullscreenElement) leave.current();
    };
    document.documentElement.requestFullscreen?.().then(() => document.addEventListener("fullscreenchange", changed), () => undefined);
    return () => {
      document.removeEventListener("fullscreenchange", changed);
      if (document.fullscreenElement) void document.exitFullscreen();
    };
  }, []);
}
