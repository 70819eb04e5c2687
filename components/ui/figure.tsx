import type { ReactNode } from "react";
import { cn } from "./cn";

export type FigureProps = {
  label: ReactNode;
  /** The number, already formatted; its unit apart. */
  value: ReactNode;
  unit?: ReactNode;
  /** Source, date, comparison; or an EstimatedBadge. */
  note?: ReactNode;
  className?: string;
};

/** One number that matters, with its unit and where it comes from. Put several in a Figures list. */
export function Figure({ label, value, unit, note, className }: FigureProps) {
  return (
    <div data-slot="figure" className={cn("grid min-w-0 content-start gap-0.5", className)}>
      <dt className="text-sm text-muted-foreground">{label}</dt>
      <dd className="grid gap-0.5">
        <span className="text-xl font-semibold tracking-tight break-words tabular-nums">
          {value}
          {unit && <span className="text-base font-normal text-muted-foreground"> {unit}</span>}
        </span>
        {note && <span className="text-sm text-muted-foreground">{note}</span>}
      </dd>
    </div>
  );
}

export function Figures({ className, children }: { className?: string; children: ReactNode }) {
  return <dl className={cn("grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]", className)}>{children}</dl>;
}

export type Fact = { name: ReactNode; value: ReactNode };

/** Names and values in two columns; one under the other on a phone. */
export function Facts({ facts, className }: { facts: Fact[]; className?: string }) {
  return (
    <dl className={cn("grid gap-x-6 gap-y-1.5 sm:grid-cols-[max-content_1fr]", className)}>
      {facts.map((fact, index) => (
        <div key={index} className="contents">
          <dt className="text-muted-foreground max-sm:pt-1">{fact.name}</dt>
          <dd className="min-w-0 break-words">{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
