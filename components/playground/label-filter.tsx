"use client";

import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { labelStyles } from "@/components/ui/label-style";
import type { Block } from "@/lib/domain/grounding";
import { labelFamily } from "@/lib/domain/grounding-labels";

type LabelFilterProps = { blocks: readonly Block[]; hidden: ReadonlySet<string>; onToggle: (label: string) => void; onHidden: (labels: ReadonlySet<string>) => void };

/** The labels on the page with their counts; each can be hidden, in the picture, in the text and in what is downloaded. */
export function LabelFilter({ blocks, hidden, onToggle, onHidden }: LabelFilterProps) {
  const counts = new Map<string, number>();
  for (const block of blocks) counts.set(block.label, (counts.get(block.label) ?? 0) + 1);
  if (counts.size === 0) return null;
  const margins = [...counts.keys()].filter((label) => labelFamily(label) === "margin");
  const areMarginsHidden = margins.every((label) => hidden.has(label));
  const setMargins = () => onHidden(new Set(areMarginsHidden ? [...hidden].filter((label) => labelFamily(label) !== "margin") : [...hidden, ...margins]));
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <div role="group" aria-label="Labels" className="flex flex-wrap gap-1.5">
        {[...counts].map(([label, count]) => (
          <button
            key={label}
            type="button"
            aria-pressed={!hidden.has(label)}
            onClick={() => onToggle(label)}
            className={cn("inline-flex h-6.5 items-center gap-1.5 rounded-sm border px-2 text-sm transition-colors hover:bg-muted pointer-coarse:h-10", hidden.has(label) ? "border-dashed text-muted-foreground line-through" : "bg-card")}
          >
            <span aria-hidden className="size-2.5 rounded-[2px]" style={{ backgroundColor: labelStyles[labelFamily(label)].color }} />
            {label} <span className="text-muted-foreground tabular-nums">{count}</span>
          </button>
        ))}
      </div>
      {margins.length > 0 && <Button variant="link" size="sm" onClick={setMargins}>{areMarginsHidden ? "Show headers and footers" : "Hide headers and footers"}</Button>}
    </div>
  );
}
