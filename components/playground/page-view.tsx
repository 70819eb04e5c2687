"use client";

import { Maximize, Minus, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/states";
import { readUrl } from "@/lib/client/api";
import type { DocumentPage } from "@/lib/domain/document";
import type { Block } from "@/lib/domain/grounding";
import type { Input } from "@/lib/client/api";
import { PageOverlay, type BlockLink } from "./page-overlay";

type PageViewProps = { picture: Input<"documents.page">; page: DocumentPage; blocks: readonly Block[]; isShown: (block: Block) => boolean; link: BlockLink };

const ZOOMS = [1, 1.25, 1.5, 2, 3, 4];

function ratio(page: DocumentPage): string {
  return "widthPt" in page ? `${page.widthPt} / ${page.heightPt}` : `${page.widthPx} / ${page.heightPx}`;
}

/** The page exactly as the model was shown it, with its boxes; it can be made larger in steps. */
export function PageView({ picture, page, blocks, isShown, link }: PageViewProps) {
  const [zoom, setZoom] = useState(1);
  const [loaded, setLoaded] = useState("");
  const step = (by: number) => setZoom(ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, ZOOMS.indexOf(zoom) + by))] ?? 1);
  const source = readUrl("documents.page", picture);
  return (
    <div className="grid gap-2">
      <div role="group" aria-label="Zoom" className="flex items-center gap-1 justify-self-end">
        <Button variant="ghost" size="icon" aria-label="Smaller" onClick={() => step(-1)} disabledReason={zoom === 1 ? "The page fits already." : null}><Minus aria-hidden /></Button>
        <span className="w-14 text-center text-sm tabular-nums" aria-live="polite">{Math.round(zoom * 100)} %</span>
        <Button variant="ghost" size="icon" aria-label="Larger" onClick={() => step(1)} disabledReason={zoom === ZOOMS.at(-1) ? "This is the largest." : null}><Plus aria-hidden /></Button>
        <Button variant="ghost" size="icon" aria-label="Fit the page" onClick={() => setZoom(1)}><Maximize aria-hidden /></Button>
      </div>
      <div className="max-h-[calc(100dvh-14rem)] min-h-80 overflow-auto rounded-md border bg-muted" tabIndex={0} role="region" aria-label={`Page ${page.number}`}>
        <div className="relative mx-auto bg-white" style={{ width: `${zoom * 100}%`, aspectRatio: ratio(page) }}>
          {loaded !== source && <Skeleton className="absolute inset-0 h-full rounded-none" />}
          <img key={source} src={source} alt={`Page ${page.number} of the document`} onLoad={() => setLoaded(source)} className="absolute inset-0 size-full select-none" draggable={false} />
          <PageOverlay blocks={blocks} isShown={isShown} link={link} />
        </div>
      </div>
    </div>
  );
}
