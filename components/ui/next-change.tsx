import { AlarmClock } from "lucide-react";
import { cn } from "./cn";
import { ClockTime } from "./time";

export type NextChangeProps = {
  next: { at: string; action: "start" | "stop"; cause: "hours" | "idle" } | null;
  keepUntil: string | null;
  /** The scheduler's last start or stop when it failed. */
  failure?: string | null;
  className?: string;
};

const CAUSES = { hours: "by its working hours", idle: "for want of pages" };

/** "Stops 18:00 by its working hours": what happens next by itself; nothing when nothing does. */
export function NextChange({ next, keepUntil, failure, className }: NextChangeProps) {
  if (!next && !keepUntil && !failure) return null;
  return (
    <span className={cn("inline-flex flex-wrap items-center gap-x-1.5 text-sm text-muted-foreground", className)}>
      <AlarmClock aria-hidden className="size-3.5" />
      {keepUntil && <span>Kept running until <ClockTime at={keepUntil} />.</span>}
      {next && (
        <span>
          {next.action === "stop" ? "Stops" : "Starts"} <ClockTime at={next.at} /> {CAUSES[next.cause]}
        </span>
      )}
      {failure && <span className="text-failed">The last change by the clock failed: {failure}</span>}
    </span>
  );
}
