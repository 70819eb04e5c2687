"use client";

import { Download, Pause, Play, RotateCw } from "lucide-react";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { readUrl } from "@/lib/client/api";
import { useWrite } from "@/lib/client/hooks";
import type { BatchRow } from "./batch-card";

export function BatchActions({ batch: { id, name, state, pages } }: { batch: BatchRow }) {
  const pause = useWrite("batches.pause");
  const resume = useWrite("batches.resume");
  const cancel = useWrite("batches.cancel");
  const retry = useWrite("batches.retryFailed");
  const error = pause.error ?? resume.error ?? retry.error;
  const isOpen = state === "working" || state === "paused";
  const toRepeat = pages.failed + pages.truncated;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        {state === "working" && <Button pending={pause.isPending} onClick={() => pause.mutate({ id })}><Pause aria-hidden /> Pause</Button>}
        {state === "paused" && <Button variant="primary" pending={resume.isPending} onClick={() => resume.mutate({ id })}><Play aria-hidden /> Resume</Button>}
        {toRepeat > 0 && state !== "cancelled" && <Button pending={retry.isPending} onClick={() => retry.mutate({ id })}><RotateCw aria-hidden /> Read {toRepeat === 1 ? "the failed page" : `${toRepeat} failed pages`} again</Button>}
        {pages.done + pages.truncated > 0 && (
          <Button asChild variant={state === "done" ? "primary" : "secondary"}>
            <a href={readUrl("batches.export", { id })} download aria-label={`Download the result of ${name}`}><Download aria-hidden /> {isOpen ? "Download what is read" : "Download result"}</a>
          </Button>
        )}
        {isOpen && (
          <ConfirmDialog
            trigger={<Button variant="ghost">Cancel batch</Button>}
            title={`Cancel ${name}?`}
            goes={[`The ${pages.total - pages.done - pages.truncated - pages.failed} pages that are not read yet`]}
            stays={["Every page that was read, ready to be downloaded", "The documents themselves"]}
            actionLabel="Cancel batch"
            onConfirm={async () => void (await cancel.mutateAsync({ id }))}
          />
        )}
      </div>
      {error && <Notice tone="failed" title={error.message} />}
    </div>
  );
}
