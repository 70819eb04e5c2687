"use client";

import { Download, Printer } from "lucide-react";
import { memo, type RefObject } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toaster";
import { readUrl, type Input as InputOf, type Output } from "@/lib/client/api";
import { exportCsv } from "@/lib/domain/cost-export";
import { pngOf, svgOf } from "./chart-picture";

/** `choice`: what of the month the page shows, so that the server's file shows the same. */
export type TakeAwayProps = { view: Output<"costs.report">; choice: Omit<InputOf<"costs.report">, "environmentId">; chart: RefObject<HTMLDivElement | null> };

/** What is on the screen as a file: from the same object, so that the two cannot differ. */
export const TakeAway = memo(function TakeAway({ view, choice, chart }: TakeAwayProps) {
  const name = `costs-${view.environmentName.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}-${view.report.month.key}`;
  const about = { environment: view.environmentName, sentence: view.sentence, timeZone: view.timeZone };
  const { environmentId } = view;
  const asked = { ...choice, month: view.report.month.key, format: "xlsx" as const };
  const sheet = environmentId ? readUrl("costs.export", { ...asked, environmentId }) : readUrl("costs.exportTotal", withoutDeployment(asked));
  const picture = async (kind: "svg" | "png") => {
    const svg = chart.current ? svgOf(chart.current) : null;
    if (!svg) return void toast.error("There is no chart to take away.");
    save(kind === "svg" ? new Blob([svg.text], { type: "image/svg+xml" }) : await pngOf(svg), `${name}.${kind}`);
  };
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <Button size="sm" onClick={() => save(new Blob([exportCsv(view.report, about)], { type: "text/csv;charset=utf-8" }), `${name}.csv`)}>
        <Download aria-hidden /> CSV
      </Button>
      <Button size="sm" asChild>
        <a href={sheet} download>
          <Download aria-hidden /> XLSX
        </a>
      </Button>
      <Button size="sm" onClick={() => save(new Blob([JSON.stringify({ ...about, report: view.report }, null, 2)], { type: "application/json" }), `${name}.json`)}>
        <Download aria-hidden /> JSON
      </Button>
      <Button size="sm" onClick={() => void picture("svg")}>
        <Download aria-hidden /> SVG
      </Button>
      <Button size="sm" onClick={() => void picture("png")}>
        <Download aria-hidden /> PNG
      </Button>
      <Button size="sm" onClick={() => window.print()}>
        <Printer aria-hidden /> Print
      </Button>
    </div>
  );
});

/** A deployment belongs to one environment: over all of them there is none to narrow to. */
function withoutDeployment<Choice extends { deploymentId?: string | undefined }>({ deploymentId: _, ...choice }: Choice) {
  return choice;
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
