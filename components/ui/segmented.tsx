"use client";

import { RadioGroup } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";

type Choice<V extends string> = {
  value: V;
  /** Why this one cannot be chosen; shown with it, and the arrow keys pass over it. */
  disabledReason?: string | null;
};

export type SegmentedProps<V extends string> = {
  /** Accessible name of the group. */
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: (Choice<V> & { label: ReactNode })[];
  className?: string;
};

/** A few short words of which one holds. Arrow keys move, as in any radio group. */
export function Segmented<V extends string>({ label, value, onChange, options, className }: SegmentedProps<V>) {
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value}
      onValueChange={(next) => pick(options, next, onChange)}
      orientation="horizontal"
      data-slot="segmented"
      className={cn("flex w-fit max-w-full overflow-x-auto rounded-md border border-input/60 bg-muted p-0.5", className)}
    >
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          value={option.value}
          disabled={Boolean(option.disabledReason)}
          title={option.disabledReason ?? undefined}
          className="inline-flex h-6.5 shrink-0 items-center gap-1.5 rounded-sm border border-transparent px-2.5 text-sm font-medium whitespace-nowrap text-muted-foreground outline-offset-0 transition-colors enabled:hover:text-foreground disabled:opacity-55 data-[state=checked]:border-input/60 data-[state=checked]:bg-card data-[state=checked]:text-foreground pointer-coarse:h-9.5 [&_svg]:size-4"
        >
          {option.label}
          {option.disabledReason && <span className="sr-only">: {option.disabledReason}</span>}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}

export type Tile<V extends string> = Choice<V> & {
  title: ReactNode;
  description?: ReactNode;
  /** The number that decides, at the right end: a price. */
  figure?: ReactNode;
  badges?: ReactNode;
};

export type RadioTilesProps<V extends string> = Omit<SegmentedProps<V>, "options" | "value"> & {
  value: V | null;
  options: Tile<V>[];
};

/** Choices that need a sentence and a number each; the columns are set by `className`. */
export function RadioTiles<V extends string>({ label, value, onChange, options, className }: RadioTilesProps<V>) {
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value}
      onValueChange={(next) => pick(options, next, onChange)}
      data-slot="radio-tiles"
      className={cn("grid grid-cols-1 gap-2 sm:grid-cols-2 lg:grid-cols-3", className)}
    >
      {options.map((tile) => (
        <RadioGroup.Item
          key={tile.value}
          value={tile.value}
          disabled={Boolean(tile.disabledReason)}
          className="grid min-h-16 min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1 rounded-lg border border-input/60 bg-card p-3 text-left transition-colors enabled:hover:border-input enabled:hover:bg-muted/50 disabled:cursor-not-allowed disabled:border-dashed disabled:bg-transparent data-[state=checked]:border-accent data-[state=checked]:bg-accent/6 data-[state=checked]:ring-1 data-[state=checked]:ring-accent data-[state=checked]:hover:bg-accent/6"
        >
          <TileContent tile={tile} />
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}

function TileContent<V extends string>({ tile }: { tile: Tile<V> }) {
  const isOff = Boolean(tile.disabledReason);
  return (
    <>
      <span className="flex min-w-0 items-start justify-between gap-2">
        <span className={cn("min-w-0 font-medium break-words", isOff && "text-muted-foreground")}>{tile.title}</span>
        {tile.figure && <span className={cn("shrink-0 text-right tabular-nums", isOff && "text-muted-foreground")}>{tile.figure}</span>}
      </span>
      {tile.description && <span className="text-sm text-muted-foreground">{tile.description}</span>}
      {tile.badges && <span className="flex flex-wrap gap-1 pt-1">{tile.badges}</span>}
      {tile.disabledReason && <span className="text-sm text-working">{tile.disabledReason}</span>}
    </>
  );
}

function pick<V extends string>(options: Choice<V>[], next: string, onChange: (value: V) => void) {
  const chosen = options.find((option) => option.value === next);
  if (chosen) onChange(chosen.value);
}
