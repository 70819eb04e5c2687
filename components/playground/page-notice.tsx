"use client";

import { Button } from "@/components/ui/button";
import { formatNumber } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toaster";
import { useWrite } from "@/lib/client/hooks";
import type { RunPage } from "./use-run";

const LOW_CONFIDENCE = 60;
const ENDED: readonly RunPage["state"][] = ["done", "truncated", "failed", "cancelled"];
const ROUTES: Record<string, string> = { direct: "reached directly", proxy: "reached through the API server", embedded: "" };
const OUTCOMES: Record<RunPage["attempts"][number]["outcome"], string> = {
  read: "read",
  no_boxes: "read, without boxes",
  loop: "repeated itself",
  truncated: "cut off",
  busy: "engine busy",
  unreachable: "no answer",
  broken: "broke off",
  over_limit: "limit too long for the context",
  refused: "refused",
  cancelled: "cancelled",
  failed: "failed",
};

/** What a person should know of this page, and what can be done about it. */
export function PageNotice({ page, runId }: { page: RunPage; runId: string }) {
  const remedies = ENDED.includes(page.state) ? <Remedies page={page} runId={runId} /> : undefined;
  if (page.state === "failed") return <Notice tone="failed" title={page.reason} action={remedies} />;
  if (page.state === "truncated" || page.state === "cancelled") return <Notice tone="warning" title={page.reason} action={remedies} />;
  if (page.note) return <Notice tone="warning" title={page.note} action={remedies} />;
  if (page.meanConfidence !== null && page.meanConfidence < LOW_CONFIDENCE) {
    return <Notice tone="warning" title="The engine is unsure of this page">Its mean confidence is {formatNumber(page.meanConfidence)} of 100: probably handwriting, or too poor for the embedded engine.</Notice>;
  }
  return null;
}

function Remedies({ page, runId }: { page: RunPage; runId: string }) {
  const repeat = useWrite("runs.readAgain");
  const go = (how: "same" | "longer" | "fast") => repeat.mutate({ id: runId, page: page.number, with: how }, { onError: (error) => toast.error(error.message) });
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" pending={repeat.isPending} onClick={() => go("same")}>Repeat this page</Button>
      {page.state === "truncated" && <Button size="sm" pending={repeat.isPending} onClick={() => go("longer")}>With a longer limit</Button>}
      {page.state === "truncated" && page.preset !== "fast" && <Button size="sm" pending={repeat.isPending} onClick={() => go("fast")}>With a smaller picture</Button>}
    </div>
  );
}

/** Time, tokens, model and route of the page in one line. */
export function pageFacts(page: RunPage): string {
  if (page.state === "queued") return page.reason || "Waiting for a free place at the engine.";
  if (page.state === "running") return "The engine is reading the page…";
  const parts = [
    page.seconds === null ? "" : `${formatNumber(page.seconds, { digits: 1 })} s`,
    page.completionTokens === null ? "" : `${formatNumber(page.completionTokens)} tokens written`,
    page.modelReported ?? "",
    ROUTES[page.attempts.at(-1)?.route ?? ""] ?? "",
  ];
  return parts.filter(Boolean).join(" · ");
}

/** Every try at the page with its reason, when there was more than one. */
export function Attempts({ page }: { page: RunPage }) {
  if (page.attempts.length < 2) return null;
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-muted-foreground">{page.attempts.length} tries</summary>
      <ol className="mt-1 grid gap-0.5 pl-4">
        {page.attempts.map((attempt) => (
          <li key={attempt.number}>
            {attempt.number}. {OUTCOMES[attempt.outcome]} after {formatNumber(attempt.seconds, { digits: 1 })} s at temperature {formatNumber(attempt.temperature, { digits: 1 })}
            {attempt.reason && <span className="text-muted-foreground">: {attempt.reason}</span>}
          </li>
        ))}
      </ol>
    </details>
  );
}
