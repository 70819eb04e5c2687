"use client";

import { useMemo, useState } from "react";
import { formatNumber } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { Progress } from "@/components/ui/progress";
import { parseGrounding, type Block } from "@/lib/domain/grounding";
import type { Output } from "@/lib/client/api";
import { LabelFilter } from "./label-filter";
import { PageList } from "./page-list";
import type { BlockLink } from "./page-overlay";
import { PageView } from "./page-view";
import { TextPanel } from "./text-panel";
import type { Preset } from "./use-playground";
import type { RunPage, RunView } from "./use-run";

type ReadingDeskProps = { document: Output<"documents.get">; run: RunView | undefined; page: number; preset: Preset; onPage: (page: number) => void };

const NO_BLOCKS: readonly Block[] = [];
const LOW_CONFIDENCE = 60;

function useBlockLink(): BlockLink {
  const [hovered, hover] = useState<number | null>(null);
  const [selected, select] = useState<number | null>(null);
  return { hovered, selected, hover, select };
}

/** Pages, the page with its boxes, and its text, side by side. */
export function ReadingDesk({ document, run, page: wanted, preset, onPage }: ReadingDeskProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const number = Math.min(wanted, document.pages.length);
  const info = document.pages.find((each) => each.number === number);
  const page = run?.pages.find((each) => each.number === number);
  const text = page?.text ?? "";
  const blocks = useMemo(() => (text ? parseGrounding(text) : NO_BLOCKS), [text]);
  const isShown = (block: Block) => !hidden.has(block.label);
  const link = useBlockLink();
  const toggle = (label: string) => setHidden((before) => new Set(before.has(label) ? [...before].filter((each) => each !== label) : [...before, label]));
  if (!info) return null;
  return (
    <div className="grid gap-4">
      {run && <RunProgress run={run} />}
      <div className="grid items-start gap-4 lg:grid-cols-[5.5rem_minmax(0,1.1fr)_minmax(0,1fr)]">
        <PageList count={document.pages.length} pages={run?.pages ?? []} current={number} onChoose={onPage} />
        <PageView picture={{ id: document.id, number, modelId: run?.run.modelId ?? "", preset: run?.run.preset ?? preset }} page={info} blocks={blocks} isShown={isShown} link={link} />
        <Panel title="Text" description={page ? pageFacts(page) : "Not read yet."}>
          <div className="grid gap-3">
            {page && <PageNotice page={page} />}
            <LabelFilter blocks={blocks} hidden={hidden} onToggle={toggle} />
            <div className="max-h-[calc(100dvh-18rem)] overflow-y-auto" tabIndex={0} role="region" aria-label="Text">
              <TextPanel blocks={blocks} isShown={isShown} link={link} isWriting={page?.state === "running"} />
            </div>
          </div>
        </Panel>
      </div>
    </div>
  );
}

function RunProgress({ run: { run } }: { run: RunView }) {
  const isOver = run.state === "done" || run.state === "cancelled";
  if (isOver && run.pagesFailed === 0) return null;
  const failed = run.pagesFailed > 0 ? `, ${run.pagesFailed} failed` : "";
  return <Progress label={isOver ? "Read" : "Reading"} value={run.pagesEnded} max={run.pagesTotal} valueText={`${run.pagesEnded} of ${run.pagesTotal} pages${failed}`} showLabel />;
}

function pageFacts(page: RunPage): string {
  if (page.state === "queued") return page.reason || "Waiting for a free place at the engine.";
  if (page.state === "running") return "The engine is reading the page…";
  const parts = [page.seconds === null ? "" : `${formatNumber(page.seconds, { digits: 1 })} s`, page.completionTokens === null ? "" : `${formatNumber(page.completionTokens)} tokens written`, page.modelReported ?? ""];
  return parts.filter(Boolean).join(" · ");
}

function PageNotice({ page }: { page: RunPage }) {
  if (page.state === "failed") return <Notice tone="failed" title={page.reason} />;
  if (page.state === "truncated" || page.state === "cancelled") return <Notice tone="warning" title={page.reason} />;
  if (page.meanConfidence !== null && page.meanConfidence < LOW_CONFIDENCE) {
    return <Notice tone="warning" title="The engine is unsure of this page">Its mean confidence is {formatNumber(page.meanConfidence)} of 100: probably handwriting, or too poor for the embedded engine.</Notice>;
  }
  return null;
}
