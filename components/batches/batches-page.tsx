"use client";

import { formatCount } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { problemOf } from "@/components/ui/problem";
import { Empty, ErrorState, LoadingPanels } from "@/components/ui/states";
import { useRead } from "@/lib/client/hooks";
import { BatchCard } from "./batch-card";
import { StartBatch } from "./start-batch";

const WORKING_MS = 2_000;
const QUIET_MS = 15_000;

export function BatchesPage() {
  const isMoving = useRead("batches.list", {}).data?.batches.some((batch) => batch.state === "working");
  const { data, error, refetch } = useRead("batches.list", {}, { refetchInterval: isMoving ? WORKING_MS : QUIET_MS });
  const working = data?.batches.filter((batch) => batch.state === "working").length ?? 0;
  const sentence = data && (working === 0 ? "No batch is at work." : `${formatCount(working, "batch", "batches")} at work. Pages of the playground go first.`);
  return (
    <Page>
      <PageHeader title="Batches" sentence={sentence} />
      <StartBatch />
      {error && <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingPanels label="Loading batches" count={2} />}
      {data?.batches.length === 0 && <Empty title="No batch yet." example="choose a folder of invoices or a zip archive above; the result is one archive with a manifest of every page." />}
      {data?.batches.map((batch) => <BatchCard key={batch.id} batch={batch} />)}
    </Page>
  );
}
