"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { cn } from "@/components/ui/cn";
import { StatusIcon, type State } from "@/components/ui/status";
import { readUrl } from "@/lib/client/api";
import { useIsWide } from "./use-is-wide";
import type { RunPage } from "./use-run";

export type PageMark = { state: RunPage["state"] | undefined; hits: number };
type PageListProps = { documentId: string; count: number; markOf: (number: number) => PageMark; current: number; onChoose: (number: number) => void };

const LOOKS: Record<RunPage["state"], State> = { queued: "waiting", running: "working", done: "ready", truncated: "waiting", failed: "failed", cancelled: "unknown" };
/** Up to here every page is in the list at once; beyond, only those near what is in sight. */
const ALL_AT_ONCE = 40;
const THUMB_PX = 144;
const SIZE = { wide: 148, narrow: 96 };

/** Every page as a small picture with how far it is; the current one is shown. */
export function PageList({ documentId, count, markOf, current, onChoose }: PageListProps) {
  const scroller = useRef<HTMLOListElement>(null);
  const isWide = useIsWide();
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are called while rendering and not kept
  const pages = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isWide ? SIZE.wide : SIZE.narrow),
    horizontal: !isWide,
    overscan: count <= ALL_AT_ONCE ? ALL_AT_ONCE : 4,
    gap: 6,
    initialRect: { width: 360, height: 800 },
  });
  useEffect(() => pages.measure(), [pages, isWide]); // upright and lying pages have different sizes
  useEffect(() => {
    pages.scrollToIndex(current - 1, { align: "auto" });
  }, [pages, current]);
  const total = pages.getTotalSize();
  return (
    <ol ref={scroller} aria-label="Pages" className="relative h-32 overflow-x-auto lg:h-[calc(100dvh-14rem)] lg:overflow-x-hidden lg:overflow-y-auto">
      {pages.getVirtualItems().map(({ index, start }) => (
        <li key={index} aria-setsize={count} aria-posinset={index + 1} className="absolute top-0 left-0" style={isWide ? { transform: `translateY(${start}px)`, width: "100%", height: SIZE.wide } : { transform: `translateX(${start}px)`, width: SIZE.narrow, height: "100%" }}>
          <PageButton documentId={documentId} number={index + 1} mark={markOf(index + 1)} isCurrent={index + 1 === current} onChoose={onChoose} />
        </li>
      ))}
      <li aria-hidden className="pointer-events-none" style={isWide ? { height: total } : { width: total, height: 1 }} />
    </ol>
  );
}

type PageButtonProps = { documentId: string; number: number; mark: PageMark; isCurrent: boolean; onChoose: (number: number) => void };

function PageButton({ documentId, number, mark, isCurrent, onChoose }: PageButtonProps) {
  return (
    <button
      type="button"
      aria-current={isCurrent ? "page" : undefined}
      onClick={() => onChoose(number)}
      className={cn("flex size-full flex-col items-center gap-1 rounded-md border p-1 tabular-nums transition-colors hover:bg-muted", isCurrent ? "border-accent bg-accent/6 font-medium" : "border-transparent")}
    >
      <Thumbnail source={readUrl("documents.page", { id: documentId, number, modelId: "", preset: "fast", maxEdge: THUMB_PX })} />
      <span className="flex items-center gap-1.5 text-sm">
        <StatusIcon state={mark.state ? LOOKS[mark.state] : "unknown"} className="size-3.5" />
        <span>
          <span className="sr-only">Page </span>
          {number}
          <span className="sr-only">, {mark.state ?? "not read"}</span>
        </span>
        {mark.hits > 0 && (
          <span className="rounded-sm bg-accent/15 px-1 text-xs">
            {mark.hits}
            <span className="sr-only"> {mark.hits === 1 ? "hit" : "hits"}</span>
          </span>
        )}
      </span>
    </button>
  );
}

function Thumbnail({ source }: { source: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <span className="grid min-h-0 flex-1 place-items-center text-xs text-muted-foreground">no picture</span>;
  // eslint-disable-next-line @next/next/no-img-element -- private pictures must not pass an image optimiser with a cache
  return <img src={source} alt="" loading="lazy" decoding="async" fetchPriority="low" onError={() => setBroken(true)} className="min-h-0 max-w-full flex-1 rounded-[2px] bg-white object-contain" draggable={false} />;
}
