"use client";

import { Presentation } from "lucide-react";
import dynamic from "next/dynamic";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/states";
import type { Output } from "@/lib/client/api";
import { CostFigures } from "./cost-figures";
import { CostSentence } from "./cost-sentence";
import { CostTable } from "./cost-table";
import { IntervalsList } from "./intervals-list";

const BreakEvenChart = dynamic(() => import("./break-even-chart").then((file) => file.BreakEvenChart), { ssr: false, loading: () => <Skeleton className="h-96 w-full" /> });

export type PresentProps = { view: Output<"costs.report"> };

/** The whole screen for the meeting: sentence, chart, figures and intervals, nothing else. */
export function PresentButton({ view }: PresentProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger asChild>
        <Button className="print:hidden">
          <Presentation aria-hidden /> Present
        </Button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content aria-describedby={undefined} className="fixed inset-0 z-50 overflow-y-auto bg-background text-foreground">
          <Slide view={view} onClose={() => setOpen(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Slide({ view, onClose }: PresentProps & { onClose: () => void }) {
  const { report } = view;
  useFullScreen(onClose);
  return (
    <div className="mx-auto grid max-w-[1440px] gap-8 p-4 sm:p-10">
      <header className="flex items-start justify-between gap-4">
        <Radix.Title className="text-lg text-muted-foreground">
          {report.month.label}, {view.environmentName}
        </Radix.Title>
        <Button variant="ghost" onClick={onClose}>
          End
        </Button>
      </header>
      <CostSentence report={report} className="text-2xl leading-snug font-medium text-balance" />
      {report.chart && <BreakEvenChart chart={report.chart} />}
      <CostFigures report={report} />
      <CostTable report={report} />
      <div className="grid gap-8 md:grid-cols-2">
        {report.apis.map((api) => (
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
