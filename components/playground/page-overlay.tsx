"use client";

import { memo, useEffect, useRef } from "react";
import { cn } from "@/components/ui/cn";
import { labelStyles } from "@/components/ui/label-style";
import type { Block } from "@/lib/domain/grounding";
import { labelFamily } from "@/lib/domain/grounding-labels";

/** `hover` and `select` keep their identity, so that of 2,000 boxes only those that changed are drawn again. */
export type BlockLink = { hovered: number | null; selected: number | null; hover: (index: number | null) => void; select: (index: number) => void };

type PageOverlayProps = { blocks: readonly Block[]; isShown: (block: Block) => boolean; isHit: (block: Block) => boolean; link: BlockLink };

/** Boxes over the page picture, in percent of it: 0–1000 on each axis, whatever the size on screen. Zooming and turning draw none of them anew. */
export const PageOverlay = memo(function PageOverlay({ blocks, isShown, isHit, link }: PageOverlayProps) {
  return (
    <ol aria-label="Blocks on the page" className="absolute inset-0">
      {blocks.filter((block) => block.box && isShown(block)).map((block) => (
        <li key={block.index}>
          <BlockBox block={block} isSelected={link.selected === block.index} isHovered={link.hovered === block.index} isHit={isHit(block)} hover={link.hover} select={link.select} />
        </li>
      ))}
    </ol>
  );
});

type BlockBoxProps = { block: Block; isSelected: boolean; isHovered: boolean; isHit: boolean } & Pick<BlockLink, "hover" | "select">;

function fillOf({ isSelected, isHovered, isHit }: Pick<BlockBoxProps, "isSelected" | "isHovered" | "isHit">, color: string): string | undefined {
  if (isSelected || isHovered) return `color-mix(in oklch, ${color} ${isSelected ? 18 : 12}%, transparent)`;
  return isHit ? "color-mix(in oklch, var(--find) 35%, transparent)" : undefined;
}

const BlockBox = memo(function BlockBox({ block, isSelected, isHovered, isHit, hover, select }: BlockBoxProps) {
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isSelected) ref.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isSelected]);
  if (!block.box) return null;
  const [left, top, right, bottom] = block.box;
  const style = labelStyles[labelFamily(block.label)];
  return (
    <button
      ref={ref}
      type="button"
      aria-label={`Block ${block.index + 1}, ${block.label}: ${block.text.slice(0, 60)}`}
      aria-pressed={isSelected}
      data-hit={isHit || undefined}
      onPointerEnter={() => hover(block.index)}
      onPointerLeave={() => hover(null)}
      onFocus={() => hover(block.index)}
      onBlur={() => hover(null)}
      onClick={() => select(block.index)}
      className={cn("absolute min-h-1 min-w-1 rounded-[2px] outline-offset-1 transition-colors", isSelected && "z-10")}
      style={{
        left: `${left / 10}%`,
        top: `${top / 10}%`,
        width: `${(right - left) / 10}%`,
        height: `${(bottom - top) / 10}%`,
        border: `${isSelected ? 2.5 : 1.5}px ${style.outline === "double" ? "solid" : style.outline} ${style.color}`,
        // A double line of 1.5 px is drawn as an outline around the border: on a line of text a true double border would hide the letters.
        outline: style.outline === "double" && !isSelected ? `1px solid ${style.color}` : undefined,
        backgroundColor: fillOf({ isSelected, isHovered, isHit }, style.color),
      }}
    >
      <span aria-hidden className="absolute top-0 right-full mr-px rounded-[3px] px-1 text-[10px] leading-3.5 font-medium text-white tabular-nums" style={{ backgroundColor: style.color }}>
        {block.index + 1}
      </span>
    </button>
  );
});
