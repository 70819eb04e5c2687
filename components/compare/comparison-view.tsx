"use client";

import { Download, Trash2 } from "lucide-react";
import Link from "next/link";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { formatCount, formatPercent } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { ErrorState, LoadingPanels } from "@/components/ui/states";
import { readUrl, type Output } from "@/lib/client/api";
import { useRead, useWrite } from "@/lib/client/hooks";
import { useUrlState } from "@/lib/client/url-state";
import { ExpectedPanel } from "./expected-panel";
import { laneStyle } from "./lane-style";
import { LaneTable, type Lane } from "./lane-table";
import { PagePair } from "./page-pair";

const READING_MS = 1_500;

export function ComparisonView({ id }: { id: string }) {
  const isReading = useRead("compare.get", { id }).data?.lanes.some(isOpen) ?? false;
  const { data, error, refetch } = useRead("compare.get", { id }, { refetchInterval: isReading ? READING_MS : false });
  return (
    <Page>
      <PageHeader back={<Link href="/compare">Compare</Link>} title={data?.comparison.name ?? "Comparison"} sentence={data ? sentenceOf(data) : undefined} action={data ? <Actions id={id} name={data.comparison.name} /> : undefined} />
      {error && <ErrorState problem={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingPanels label="Loading the comparison" count={2} />}
      {data && (
        <>
          <Panel title="Lanes" padded={false}><LaneTable lanes={data.lanes} isScored={data.comparison.hasExpected} /></Panel>
          <ExpectedPanel id={id} expected={data.expected} />
          <PagePair data={data} />
        </>
      )}
    </Page>
  );
}

function isOpen({ state }: Lane): boolean {
  return state === "queued" || state === "running";
}

/** What the comparison says, as soon as it says something. */
function sentenceOf({ lanes, comparison }: Output<"compare.get">): string {
  const pages = formatCount(lanes[0]?.pagesTotal ?? 0, "page");
  if (lanes.some(isOpen)) return `${pages} of ${comparison.documentName} are being read in ${lanes.length} lanes.`;
  const named = lanes.map((lane, index) => ({ letter: laneStyle(index).letter, ...lane }));
  const fastest = named.filter(({ secondsPerPage }) => secondsPerPage !== null).sort((a, b) => (a.secondsPerPage ?? 0) - (b.secondsPerPage ?? 0))[0];
  const best = named.filter(({ score }) => score !== null).sort((a, b) => (a.score?.characterErrorRate ?? 0) - (b.score?.characterErrorRate ?? 0))[0];
  const right = best?.score ? `${best.letter} is nearest to the expected text with ${formatPercent(best.score.characterErrorRate, 2)} of characters wrong` : "";
  const quick = fastest ? `${fastest.letter} is the quickest` : "";
  return `${pages} in ${lanes.length} lanes${right || quick ? `: ${[right, quick].filter(Boolean).join("; ")}.` : "."}`;
}

function Actions({ id, name }: { id: string; name: string }) {
  const url = useUrlState();
  const remove = useWrite("compare.delete");
  return (
    <>
      {(["csv", "json"] as const).map((format) => (
        <Button key={format} asChild>
          <a href={readUrl("compare.export", { id, format })} download><Download aria-hidden /> {format.toUpperCase()}</a>
        </Button>
      ))}
      <ConfirmDialog
        trigger={<Button variant="ghost" size="icon" aria-label={`Delete ${name}`}><Trash2 aria-hidden /></Button>}
        title={`Delete the comparison ${name}?`}
        goes={["The comparison and its expected text"]}
        stays={["The document and its runs", "The count of pages in usage and costs"]}
        actionLabel="Delete comparison"
        onConfirm={async () => {
          await remove.mutateAsync({ id });
          url.set({ id: undefined, page: undefined, left: undefined, right: undefined });
        }}
      />
    </>
  );
}
