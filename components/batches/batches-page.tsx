"use client";

import { formatCount } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Empty, ErrorState, LoadingPanels } from "@/components/ui/states";
import { useRead } from "@/lib/client/hooks";
import { BatchCard, type BatchRow } from "./batch-card";
import { NewBatch } from "./new-batch-dialog";

const WORKING_MS = 2_000;
const QUIET_MS = 15_000;

export function BatchesPage() {
  const isMoving = useRead("batches.list", {}).data?.batches.some(({ state, pages }) => state === "working" || pages.running > 0);
  const { data, error, refetch } = useRead("batches.list", {}, { refetchInterval: isMoving ? WORKING_MS : QUIET_MS });
  const batches = data?.batches ?? [];
  return (
    <Page>
      <PageHeader title="Batches" sentence={data ? sentenceOf(batches) : undefined} action={batches.length > 0 ? <NewBatch /> : undefined} />
      {error && <ErrorState problem={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingPanels label="Loading batches" count={2} />}
      {data && batches.length === 0 && <NoBatch />}
      {batches.map((batch) => <BatchCard key={batch.id} batch={batch} />)}
    </Page>
  );
}

function sentenceOf(batches: BatchRow[]): string {
  if (batches.length === 0) return "Thousands of pages, read in the background.";
  const working = batches.filter(({ state }) => state === "working");
  if (working.length === 0) return `No batch is at work; ${formatCount(batches.filter(({ state }) => state === "done").length, "batch", "batches")} done.`;
  const left = working.reduce((sum, { pages }) => sum + pages.total - pages.done - pages.truncated - pages.failed - pages.cancelled, 0);
  return `${formatCount(working.length, "batch is", "batches are")} at work, ${formatCount(left, "page")} to go. Pages of the playground go first.`;
}

const STEPS = [
  ["Give documents", "A folder, a zip, or documents that are stored here."],
  ["Let it work", "Close the page: pages are read in the background, also after a restart, and each is counted once."],
  ["Take the result", "One zip with Markdown, JSON, text or HTML of each document, and a manifest that says how every page ended."],
] as const;

function NoBatch() {
  return (
    <Empty title="A batch has thousands of pages read while you do something else." action={<NewBatch label="Start the first batch" />} example="a folder of last year's invoices, read overnight by the deployment that is idle then.">
      <ol className="mt-2 grid gap-4 text-left sm:grid-cols-3">
        {STEPS.map(([title, text], index) => (
          <li key={title} className="grid content-start gap-1">
            <span className="text-sm tabular-nums">{index + 1}</span>
            <span className="font-medium text-foreground">{title}</span>
            <span className="text-sm">{text}</span>
          </li>
        ))}
      </ol>
    </Empty>
  );
}
