"use client";

import { memo, useRef } from "react";
import type { Block } from "@/lib/domain/grounding";
import { BlockCard } from "./block-card";
import type { BlockLink } from "./page-overlay";
import { useFindMarks } from "./use-find-marks";

type TextPanelProps = { blocks: readonly Block[]; isShown: (block: Block) => boolean; link: BlockLink; isWriting: boolean; query: string };

const MANY = 100;

/** The text beside the page, block by block in reading order; each is linked with its box both ways. Looking at the page otherwise leaves it alone. */
export const TextPanel = memo(function TextPanel({ blocks, isShown, link, isWriting, query }: TextPanelProps) {
  const list = useRef<HTMLOListElement>(null);
  useFindMarks(list, query, blocks);
  const isOneOfMany = blocks.length > MANY;
  return (
    <ol ref={list} aria-label="Text of the page" aria-busy={isWriting} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {blocks.filter(isShown).map((block) => (
        <li key={block.index}>
          <BlockCard block={block} isSelected={link.selected === block.index} isHovered={link.hovered === block.index} isOneOfMany={isOneOfMany} hover={link.hover} select={link.select} />
        </li>
      ))}
    </ol>
  );
});
