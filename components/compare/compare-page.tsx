"use client";

import { Plus } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { Empty, ErrorState, LoadingPanels } from "@/components/ui/states";
import { RelativeTime } from "@/components/ui/time";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";
import { useUrlState } from "@/lib/client/url-state";
import { ComparisonView } from "./comparison-view";
import { NewComparison } from "./new-comparison";

/** The list of comparisons, a new one, or one of them: as the address says. */
export function ComparePage() {
  const url = useUrlState();
  const id = url.get("id");
  if (id) return <ComparisonView id={id} />;
  const documentId = url.get("doc");
  return documentId || url.get("new") ? <NewComparison documentId={documentId ?? null} /> : <Comparisons onNew={() => url.set({ new: "1" })} />;
}

function Comparisons({ onNew }: { onNew: () => void }) {
  const { data, error, refetch } = useRead("compare.list", {});
  const begin = <Button variant="primary" onClick={onNew}><Plus aria-hidden /> New comparison</Button>;
  return (
    <Page>
      <PageHeader title="Compare" sentence="The same pages, read two to four times: which engine, model, resolution or prompt is worth it?" action={data && data.comparisons.length > 0 ? begin : undefined} />
      {error && <ErrorState problem={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingPanels label="Loading comparisons" count={2} />}
      {data?.comparisons.length === 0 && (
        <Empty title="See where two readings of a page differ, and what each costs." action={begin} example="the 0.8B beside the 4B on ten of your own invoices, with their true text: characters wrong, words found, seconds and money a page.">
          Words that only one has are marked, passages that stand elsewhere are paired, and the boxes of both lie on one picture.
        </Empty>
      )}
      {data && data.comparisons.length > 0 && <List rows={data.comparisons} />}
    </Page>
  );
}

function List({ rows }: { rows: Output<"compare.list">["comparisons"] }) {
  return (
    <Panel label="Comparisons" padded={false}>
      <ul className="divide-y divide-border">
        {rows.map((row) => (
          <li key={row.id}>
            <Link href={`/compare?id=${row.id}`} className="grid min-h-11 gap-0.5 px-4 py-2.5 transition-colors hover:bg-muted/60">
              <span className="font-medium break-words">{row.name}</span>
              <span className="text-sm break-words text-muted-foreground">
                {formatCount(row.lanes, "lane")} · {row.name === row.documentName ? "" : `${row.documentName} · `}{row.hasExpected ? "scored · " : ""}<RelativeTime at={row.createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
