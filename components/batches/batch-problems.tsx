"use client";

import { type ReactNode, useState } from "react";
import { formatCount } from "@/components/ui/format";
import { useRead } from "@/lib/client/hooks";
import type { BatchRow } from "./batch-card";

/** Files that were left out and pages that failed, each with its reason; opened when asked for. */
export function BatchProblems({ batch: { id, skipped, pages } }: { batch: BatchRow }) {
  return (
    <>
      {skipped.length > 0 && (
        <details>
          <summary className="cursor-pointer py-1 text-working">{formatCount(skipped.length, "file")} left out</summary>
          <ReasonList label="Files left out">
            {skipped.map(({ name, reason }, index) => <li key={index} className="break-words"><span className="font-medium">{name}</span>: {reason}</li>)}
          </ReasonList>
        </details>
      )}
      {pages.failed + pages.truncated > 0 && <FailedPages id={id} pages={pages.failed + pages.truncated} summary={summaryOf(pages)} />}
    </>
  );
}

function summaryOf({ failed, truncated }: BatchRow["pages"]): string {
  return [failed > 0 ? `${formatCount(failed, "page")} failed` : "", truncated > 0 ? `${formatCount(truncated, "page")} cut short` : ""].filter(Boolean).join(", ");
}

function FailedPages({ id, pages, summary }: { id: string; pages: number; summary: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useRead("batches.get", { id }, { enabled: isOpen });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer py-1 text-failed">{summary}</summary>
      {error && <p className="text-sm text-failed">{error.message}</p>}
      {data && (
        <ReasonList label="Pages that failed or were cut, the latest first">
          {data.problems.map(({ document, number, reason, state }, index) => (
            <li key={index} className="break-words">
              <span className="font-medium">{document}, page {number}</span>: {reason || state}
            </li>
          ))}
        </ReasonList>
      )}
      {data && data.problems.length < pages && <p className="py-1 text-sm text-muted-foreground">The latest {data.problems.length} of {pages}; the result&apos;s manifest names all.</p>}
    </details>
  );
}

/** Scrolls when it is long, also by the keyboard. */
function ReasonList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} tabIndex={0} className="max-h-64 overflow-y-auto py-1 pl-4 text-sm">
      <ul className="grid gap-1">{children}</ul>
    </div>
  );
}
