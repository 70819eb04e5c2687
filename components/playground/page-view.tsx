"use client";

import { Maximize, Minus, Plus, RotateCwSquare } from "lucide-react";
import { useRef, useState, type CSSProperties, type RefObject } from "react";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/states";
import { readUrl, type Input } from "@/lib/client/api";
import type { DocumentPage } from "@/lib/domain/document";
import type { Block } from "@/lib/domain/grounding";
import { PageOverlay, type BlockLink } from "./page-overlay";
import { usePinch } from "./use-pinch";
import { MAX_ZOOM, ZOOMS, type View } from "./use-view";

type PageViewProps = {
  picture: Input<"documents.page">;
  page: DocumentPage;
  blocks: readonly Block[];
  isShown: (block: Block) => boolean;
  isHit: (block: Block) => boolean;
  link: BlockLink;
  view: View;
};

/** Longest side of what is shown while the full picture is drawn and sent. */
const FIRST_PX = 512;

function sidesOf(page: DocumentPage): [number, number] {
  return "widthPt" in page ? [page.widthPt, page.heightPt] : [page.widthPx, page.heightPx];
}

/** The page exactly as the model was shown it, with its boxes; first small, then in full. It can be made larger and turned. */
export function PageView({ picture, page, blocks, isShown, isHit, link, view }: PageViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  usePinch(scroller, view.scale);
  const [width, height] = sidesOf(page);
  const isSideways = view.turns % 2 === 1;
  const ratio = isSideways ? height / width : width / height;
  return (
    <div className="grid gap-2">
      <ViewButtons view={view} onFit={() => view.fit(fitting(scroller, ratio))} />
      <div ref={scroller} data-page-scroller className="max-h-[calc(100dvh-14rem)] min-h-80 touch-pan-x touch-pan-y overflow-auto rounded-md border bg-muted" tabIndex={0} role="region" aria-label={`Page ${page.number}`}>
        <div className="relative mx-auto [container-type:size]" style={{ width: `${view.zoom * 100}%`, aspectRatio: ratio }}>
          <div className="absolute top-1/2 left-1/2 bg-white" style={turned(view.turns)}>
            <Picture key={readUrl("documents.page", picture)} picture={picture} />
            <PageOverlay blocks={blocks} isShown={isShown} isHit={isHit} link={link} />
          </div>
        </div>
      </div>
    </div>
  );
}

/** As large as the turned frame wants it, then turned into it. */
function turned(turns: number): CSSProperties {
  const [width, height] = turns % 2 === 1 ? ["100cqh", "100cqw"] : ["100cqw", "100cqh"];
  return { width, height, transform: `translate(-50%, -50%) rotate(${turns * 90}deg)` };
}

function fitting({ current }: RefObject<HTMLElement | null>, ratio: number): number {
  return current ? Math.min(1, (current.clientHeight * ratio) / current.clientWidth) : 1;
}

function Picture({ picture }: { picture: Input<"documents.page"> }) {
  const [state, setState] = useState<"nothing" | "first" | "full" | "failed">("nothing");
  return (
    <>
      {state === "nothing" && <Skeleton className="absolute inset-0 h-full rounded-none" />}
      {state === "failed" && <p className="absolute inset-0 grid place-items-center p-6 text-center text-neutral-600">The page could not be drawn. Its text, if there is any, stands beside.</p>}
      {state !== "full" && state !== "failed" && (
        <img src={readUrl("documents.page", { ...picture, maxEdge: FIRST_PX })} alt="" fetchPriority="high" onLoad={() => setState((now) => (now === "nothing" ? "first" : now))} className="absolute inset-0 size-full select-none" draggable={false} />
      )}
      <img src={readUrl("documents.page", picture)} alt={`Page ${picture.number} of the document`} onLoad={() => setState("full")} onError={() => setState("failed")} className="absolute inset-0 size-full select-none" draggable={false} style={state === "failed" ? { visibility: "hidden" } : undefined} />
    </>
  );
}

function ViewButtons({ view, onFit }: { view: View; onFit: () => void }) {
  return (
    <div className="flex items-center gap-1 justify-self-end">
      <Button variant="ghost" size="icon" aria-label="Turn the view" title="Turn the view (r)" onClick={view.turn}><RotateCwSquare aria-hidden /></Button>
      <div role="group" aria-label="Zoom" className="flex items-center gap-1">
        <Button variant="ghost" size="icon" aria-label="Smaller" title="Smaller (−)" onClick={view.smaller} disabledReason={view.zoom <= (ZOOMS[0] ?? 0) ? "This is the smallest." : null}><Minus aria-hidden /></Button>
        <span className="w-14 text-center text-sm tabular-nums" aria-live="polite">{Math.round(view.zoom * 100)} %</span>
        <Button variant="ghost" size="icon" aria-label="Larger" title="Larger (+)" onClick={view.larger} disabledReason={view.zoom >= MAX_ZOOM ? "This is the largest." : null}><Plus aria-hidden /></Button>
        <Button variant="ghost" size="icon" aria-label="Fit the page" title="Fit the page (f)" data-fit onClick={onFit}><Maximize aria-hidden /></Button>
      </div>
    </div>
  );
}
