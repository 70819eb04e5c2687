"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { Progress } from "@/components/ui/progress";
import { RelativeTime } from "@/components/ui/time";
import { readUrl, type Output } from "@/lib/client/api";
import { useWrite } from "@/lib/client/hooks";
import { endedPages } from "@/lib/domain/batch";

export type BatchRow = Output<"batches.list">["batches"][number];

const stateWords: Record<BatchRow["state"], string> = { working: "At work", paused: "Held", done: "Done", cancelled: "Cancelled" };

export function BatchCard({ batch }: { batch: BatchRow }) {
  const { pages } = batch;
  const ended = endedPages(pages);
  return (
    <Panel title={batch.name}>
      <div className="grid gap-4">
        <Progress label={`Pages of ${batch.name}`} value={ended} max={Math.max(1, pages.total)} valueText={`${ended} of ${pages.total} pages`} showLabel />
        <p>
          {stateWords[batch.state]}, {batch.documents} {batch.documents === 1 ? "document" : "documents"}, started <RelativeTime at={batch.createdAt} />
          {leftSentence(batch)}
        </p>
        <Problems batch={batch} />
        <Actions batch={batch} />
      </div>
    </Panel>
  );
}

function leftSentence({ state, secondsLeft }: BatchRow): string {
  if (state !== "working") return ".";
  if (secondsLeft === null) return "; too few pages are read to say when it will be done.";
  const minutes = Math.ceil(secondsLeft / 60);
  return minutes < 90 ? `; done in about ${minutes} min.` : `; done in about ${Math.round(minutes / 60)} h.`;
}

function Problems({ batch: { pages } }: { batch: BatchRow }) {
  if (pages.failed + pages.truncated === 0) return null;
  return <p>{`${pages.failed} pages failed and ${pages.truncated} were cut; the manifest names each with its reason.`}</p>;
}

function Actions({ batch: { id, name, state, pages } }: { batch: BatchRow }) {
  const pause = useWrite("batches.pause");
  const resume = useWrite("batches.resume");
  const cancel = useWrite("batches.cancel");
  const retry = useWrite("batches.retryFailed");
  const error = pause.error ?? resume.error ?? cancel.error ?? retry.error;
  const isOpen = state === "working" || state === "paused";
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        {state === "working" && <Button pending={pause.isPending} onClick={() => pause.mutate({ id })}>Pause</Button>}
        {state === "paused" && <Button pending={resume.isPending} onClick={() => resume.mutate({ id })}>Resume</Button>}
        {isOpen && <Button pending={cancel.isPending} onClick={() => cancel.mutate({ id })}>Cancel</Button>}
        {pages.failed + pages.truncated > 0 && <Button pending={retry.isPending} onClick={() => retry.mutate({ id })}>Read failed pages again</Button>}
        {pages.done + pages.truncated > 0 && (
          <Button asChild>
            <a href={readUrl("batches.export", { id })} download aria-label={`Download the result of ${name}`}>Download result</a>
          </Button>
        )}
      </div>
      {error && <Notice tone="failed" title={error.message} />}
    </div>
  );
}
