import { Moon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { ClockTime } from "./time";
import { WorkingRing } from "./working-ring";

export const states = ["ready", "working", "waiting", "asleep", "failed", "unknown"] as const;
export type State = (typeof states)[number];

const colours: Record<State, string> = {
  ready: "text-ready",
  working: "text-working",
  waiting: "text-waiting",
  asleep: "text-asleep",
  failed: "text-failed",
  unknown: "text-unknown",
};

export function StatusIcon({ state, className }: { state: State; className?: string }) {
  const look = cn("size-4 shrink-0", colours[state], className);
  if (state === "working") return <WorkingRing className={look} />;
  if (state === "asleep") return <Moon aria-hidden className={look} />;
  if (state === "failed") return <TriangleAlert aria-hidden className={look} />;
  return (
    <svg viewBox="0 0 16 16" aria-hidden fill="none" stroke="currentColor" className={look}>
      {state === "ready" && <circle cx="8" cy="8" r="4.5" fill="currentColor" stroke="none" />}
      {state === "waiting" && <circle cx="8" cy="8" r="4" strokeWidth="2" />}
      {state === "unknown" && <circle cx="8" cy="8" r="5" strokeWidth="1.75" strokeDasharray="3.2 2.1" />}
    </svg>
  );
}

export type StatusProps = {
  state: State;
  /** The word; the state's own name if left out. */
  children?: ReactNode;
  /** Since when it is so, or, for unknown, when it was last known. */
  since?: Date | string | number;
  className?: string;
};

/** Icon, word and colour together, so that none is needed alone. */
export function Status({ state, children, since, className }: StatusProps) {
  return (
    <span
      data-slot="status"
      data-state={state}
      className={cn("inline-flex items-center gap-1.5 align-middle whitespace-nowrap", className)}
    >
      <StatusIcon state={state} />
      <span className={cn("font-medium", colours[state])}>{children ?? state}</span>
      {since !== undefined && (
        <span className="text-muted-foreground">
          since <ClockTime at={since} />
        </span>
      )}
    </span>
  );
}
