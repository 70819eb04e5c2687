"use client";

import dynamic from "next/dynamic";
import { useEffect, useRef } from "react";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { labelStyles } from "@/components/ui/label-style";
import type { Block } from "@/lib/domain/grounding";
import { isGenerated, labelFamily } from "@/lib/domain/grounding-labels";
import type { BlockLink } from "./page-overlay";

// The Markdown and formula code is fetched when there is text to show, not before.
const BlockText = dynamic(() => import("./block-text").then((file) => file.BlockText), { ssr: false });

type TextPanelProps = { blocks: readonly Block[]; isShown: (block: Block) => boolean; link: BlockLink; isWriting: boolean };

/** The text beside the page, block by block; each is linked with its box both ways. */
export function TextPanel({ blocks, isShown, link, isWriting }: TextPanelProps) {
  const shown = blocks.filter(isShown);
  return (
    <ol aria-label="Text of the page" aria-busy={isWriting} className="grid gap-1.5">
      {shown.map((block) => (
        <li key={block.index}>
          <BlockCard block={block} link={link} />
        </li>
      ))}
    </ol>
  );
}

function BlockCard({ block, link }: { block: Block; link: BlockLink }) {
  const ref = useRef<HTMLDivElement>(null);
  const isSelected = link.selected === block.index;
  useEffect(() => {
    if (isSelected) ref.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  const style = labelStyles[labelFamily(block.label)];
  return (
    <div
      ref={ref}
      onPointerEnter={() => link.hover(block.index)}
      onPointerLeave={() => link.hover(null)}
      className={cn("grid gap-1 rounded-md border border-transparent border-l-3 px-3 py-1.5 transition-colors", (link.hovered === block.index || isSelected) && "border-border bg-muted/60")}
      style={{ borderLeftColor: style.color, borderLeftStyle: style.outline }}
    >
      <span className="flex flex-wrap items-center gap-2 text-sm text-muted-foreground">
        <button type="button" className="min-h-6 rounded-sm hover:text-foreground" aria-pressed={isSelected} onClick={() => link.select(isSelected ? null : block.index)}>
          {block.index + 1} {block.label}
          <span className="sr-only">: show its box</span>
        </button>
        {isGenerated(block.label) && <Badge title="Written by the model about a picture, not read from the page.">generated</Badge>}
        {!block.box && <span>no box</span>}
      </span>
      <BlockText text={block.text} />
    </div>
  );
}
