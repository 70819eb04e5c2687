"use client";

import { formatCount, formatDuration, formatNumber } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { Status, type State } from "@/components/ui/status";
import { ClockTime, RelativeTime } from "@/components/ui/time";
import type { Output } from "@/lib/client/api";
import { endedPages } from "@/lib/domain/batch";
import { BatchActions } from "./batch-actions";
import { BatchBar } from "./batch-bar";
import { BatchProblems } from "./batch-problems";

export type BatchRow = Output<"batches.list">["batches"][number];

const STATES: Record<BatchRow["state"], { state: State; word: string }> = {
  working: { state: "working", word: "At work" },
  paused: { state: "waiting", word: "Held" },
  done: { state: "ready", word: "Done" },
  cancelled: { state: "unknown", word: "Cancelled" },
};
const PRESETS = { fast: "fast", standard: "standard", best: "best" };

export function BatchCard({ batch }: { batch: BatchRow }) {
  const { state, word } = STATES[batch.state];
  return (
    <Panel title={batch.name} description={<Facts batch={batch} />} actions={<Status state={state}>{word}</Status>}>
      <div className="grid gap-3">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <p className="text-lg font-semibold tabular-nums">
            {formatNumber(endedPages(batch.pages) - batch.pages.cancelled)} <span className="text-base font-normal text-muted-foreground">of {formatCount(batch.pages.total, "page")}</span>
          </p>
          <p className="text-muted-foreground"><Finish batch={batch} /></p>
        </div>
        <BatchBar name={batch.name} pages={batch.pages} />
        <BatchProblems batch={batch} />
        <BatchActions batch={batch} />
      </div>
    </Panel>
  );
}

function Facts({ batch }: { batch: BatchRow }) {
  return (
    <>
      {formatCount(batch.documents, "document")} · {batch.engine} · {PRESETS[batch.preset]}, {batch.mode === "grounding" ? "with boxes" : "text alone"} · started <RelativeTime at={batch.createdAt} />
      {WEBHOOKS[batch.webhookState] && ` · ${WEBHOOKS[batch.webhookState]}`}
    </>
  );
}

const WEBHOOKS: Record<BatchRow["webhookState"], string> = { "": "", due: "webhook at the end", queued: "webhook on its way", delivered: "webhook delivered", failed: "webhook not taken, given up" };

function Finish({ batch: { state, secondsLeft, pages, endedAt } }: { batch: BatchRow }) {
  if (state === "working" && secondsLeft !== null) return <FinishAt secondsLeft={secondsLeft} />;
  if (state === "working") return pages.running > 0 ? "The first pages are being read; then the end can be told." : "Waits for its engine.";
  if (state === "paused") return pages.running > 0 ? `${formatCount(pages.running, "page")} under way will be read to the end.` : "Held. Nothing is read until it goes on.";
  return endedAt ? <>Ended <RelativeTime at={endedAt} /></> : null;
}

/** The estimate as a length and as a time of day. */
function FinishAt({ secondsLeft }: { secondsLeft: number }) {
  if (secondsLeft < 60) return "Done in less than a minute, estimated.";
  return <>Done in about {formatDuration(secondsLeft * 1000)}, at <ClockTime at={roundedIn(secondsLeft)} />, estimated from the last pages.</>;
}

function roundedIn(seconds: number): number {
  return Math.round((Date.now() + seconds * 1000) / 60_000) * 60_000;
}
