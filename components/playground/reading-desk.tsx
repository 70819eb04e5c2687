"use client";

import { useCallback, useMemo, useRef, useState } from "react";
import { Progress } from "@/components/ui/progress";
import type { Output } from "@/lib/client/api";
import type { Block } from "@/lib/domain/grounding";
import { FindBar } from "./find-bar";
import { PageList } from "./page-list";
import { PageText } from "./page-text";
import { PageView } from "./page-view";
import { useBlocks } from "./use-blocks";
import { useDeskKeys } from "./use-desk-keys";
import { useFind, type Place } from "./use-find";
import { placeNow, type Playground } from "./use-playground";
import type { RunView } from "./use-run";
import { useView } from "./use-view";
import "./desk.css";

type ReadingDeskProps = { document: Output<"documents.get">; run: RunView | undefined; playground: Playground };

const NO_PAGES: RunView["pages"] = [];

/** Pages, the page with its boxes, and its text, side by side. */
export function ReadingDesk({ document, run, playground }: ReadingDeskProps) {
  const { set, hidden, query, block: selected } = playground;
  const [hovered, hover] = useState<number | null>(null);
  const view = useView();
  const findInput = useRef<HTMLInputElement>(null);
  const number = Math.min(playground.page, document.pages.length);
  const info = document.pages.find((each) => each.number === number);
  const pages = run?.pages ?? NO_PAGES;
  const page = pages.find((each) => each.number === number);
  const blocks = useBlocks(page?.text, page?.state === "running");
  const hiddenKey = [...hidden].sort().join();
  const isShown = useCallback((block: Block) => !hiddenKey.split(",").includes(block.label), [hiddenKey]);
  const go = ({ page: to, block }: Place) => set({ page: to === 1 ? null : String(to), block: block === null ? null : String(block + 1) });
  const find = useFind({ pages, query, at: { page: number, block: selected }, isShown, go });
  const toggle = useToggle(set);
  const link = useMemo(() => ({ hovered, selected, hover, select: toggle }), [hovered, selected, toggle]);
  const { isHit: isHitOn } = find;
  const isHit = useCallback((block: Block) => isHitOn(number, block), [isHitOn, number]);
  useDeskKeys({
    page: (by) => go({ page: Math.min(document.pages.length, Math.max(1, placeNow().page + by)), block: null }),
    block: (by) => go({ page: number, block: neighbour(blocks.filter(isShown), placeNow().block - 1, by) }),
    larger: view.larger,
    smaller: view.smaller,
    actual: view.actual,
    fit: () => window.document.querySelector<HTMLElement>("[data-fit]")?.click(),
    turn: view.turn,
    find: () => findInput.current?.focus(),
    leave: () => go({ page: number, block: null }),
  });
  if (!info) return null;
  const picture = { id: document.id, number, modelId: run?.run.modelId ?? playground.engine?.modelId ?? "", preset: page?.preset ?? run?.run.preset ?? playground.preset };
  return (
    <div className="grid gap-4">
      {run && <RunProgress run={run} />}
      {run && <FindBar find={find} query={query} onQuery={(text) => set({ find: text })} inputRef={findInput} />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[7rem_minmax(0,1.1fr)_minmax(0,1fr)]">
        <PageList documentId={document.id} count={document.pages.length} markOf={(each) => ({ state: pages.find((one) => one.number === each)?.state, hits: find.hitsOn(each) })} current={number} onChoose={(to) => go({ page: to, block: null })} />
        <PageView picture={picture} page={info} blocks={blocks} isShown={isShown} isHit={isHit} link={link} view={view} />
        <PageText page={page} runId={run?.run.id ?? null} blocks={blocks} hidden={hidden} isShown={isShown} onHidden={(labels) => set({ hide: [...labels].join() })} link={link} form={playground.form} onForm={(form) => set({ form: form === "rendered" ? null : form })} query={query} />
      </div>
    </div>
  );
}

/** Chooses a block, or lets go of it when it is the chosen one; the same function for as long as the desk is there. */
function useToggle(set: Playground["set"]): (index: number) => void {
  return useCallback((index: number) => set({ block: placeNow().block === index + 1 ? null : String(index + 1) }), [set]);
}

/** The block before or after the chosen one in reading order; the first or last when none is chosen. */
function neighbour(blocks: readonly Block[], selected: number, by: number): number | null {
  if (blocks.length === 0) return null;
  const at = blocks.findIndex((block) => block.index === selected);
  const next = at < 0 ? (by > 0 ? 0 : blocks.length - 1) : Math.min(blocks.length - 1, Math.max(0, at + by));
  return blocks[next]?.index ?? null;
}

function RunProgress({ run: { run } }: { run: RunView }) {
  const isOver = run.state === "done" || run.state === "cancelled";
  if (isOver && run.pagesFailed === 0) return null;
  const failed = run.pagesFailed > 0 ? `, ${run.pagesFailed} failed` : "";
  return <Progress label={isOver ? "Read" : "Reading"} value={run.pagesEnded} max={run.pagesTotal} valueText={`${run.pagesEnded} of ${run.pagesTotal} pages${failed}`} showLabel />;
}
