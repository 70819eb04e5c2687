import type { ReactNode } from "react";
import { cn } from "./cn";

export type MeterTerm = {
  label: string;
  value: number;
  /** One more fact: "36 pages at once". */
  note?: ReactNode;
  /** Hatched: calculated and not measured. */
  estimated?: boolean;
};

export type MeterProps = {
  /** What is filled: "Memory of one L4". */
  label: string;
  terms: MeterTerm[];
  /** What fits; the rest of the bar is free, or the terms run over it. */
  capacity: number;
  /** Writes a value with its unit. */
  format: (value: number) => string;
  className?: string;
};

const shades = [
  "bg-accent text-background/50",
  "bg-accent/72 text-background/50",
  "bg-accent/48 text-background/60",
  "bg-accent/30 text-background/70",
  "bg-muted-foreground/50 text-background/60",
];

/** Terms stacked against a capacity; the list under the bar says the same in words. */
export function Meter({ label, terms, capacity, format, className }: MeterProps) {
  const used = terms.reduce((sum, term) => sum + term.value, 0);
  const isOver = used > capacity;
  const scale = Math.max(used, capacity) || 1;
  return (
    <figure data-slot="meter" className={cn("grid min-w-0 gap-2", className)}>
      <figcaption className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">{label}</span>
        <span className={cn("tabular-nums", isOver ? "font-medium text-failed" : "text-muted-foreground")}>
          {isOver ? `${format(used - capacity)} more than ${format(capacity)}` : `${format(used)} of ${format(capacity)}`}
        </span>
      </figcaption>
      <div
        aria-hidden
        className={cn("relative flex h-4 gap-px overflow-hidden rounded-sm border bg-muted", isOver ? "border-failed" : "border-input/60")}
      >
        {terms.map((term, index) => (
          <span
            key={term.label}
            className={cn("h-full transition-[width]", shades[index % shades.length], term.estimated && "hatched")}
            style={{ width: `${(term.value / scale) * 100}%` }}
          />
        ))}
        {isOver && <span className="absolute inset-y-0 w-0.5 bg-failed" style={{ left: `${(capacity / scale) * 100}%` }} />}
      </div>
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {terms.map((term, index) => (
          <Term key={term.label} term={term} swatch={shades[index % shades.length]} text={format(term.value)} />
        ))}
        {!isOver && (
          <Term term={{ label: "free", value: capacity - used }} swatch="bg-muted border border-input/60" text={format(capacity - used)} />
        )}
      </dl>
    </figure>
  );
}

function Term({ term, swatch, text }: { term: MeterTerm; swatch: string | undefined; text: string }) {
  return (
    <div className="flex items-center gap-1.5">
      <dt className="flex items-center gap-1.5 text-muted-foreground">
        <span aria-hidden className={cn("size-2.5 rounded-[2px]", swatch, term.estimated && "hatched")} />
        {term.label}
      </dt>
      <dd className="tabular-nums">
        {text}
        {term.estimated && <span className="text-muted-foreground"> estimated</span>}
        {term.note && <span className="text-muted-foreground"> ({term.note})</span>}
      </dd>
    </div>
  );
}
