import { ClockTime, type Instant } from "@/components/ui/time";
import { StatusIcon } from "@/components/ui/status";

export type LiveState = { state: "live" } | { state: "connecting" } | { state: "stale"; since: Instant };

/** Whether what the page shows is true now. The words are hidden on a phone while all is well. */
export function LiveDot({ live }: { live: LiveState }) {
  const isStale = live.state === "stale";
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-sm whitespace-nowrap text-muted-foreground">
      <StatusIcon state={live.state === "live" ? "ready" : live.state === "connecting" ? "working" : "unknown"} className="size-3.5" />
      {isStale ? (
        <span className="font-medium text-foreground">
          stale <span className="max-sm:sr-only">since</span> <ClockTime at={live.since} />
        </span>
      ) : (
        <span className="max-sm:sr-only">{live.state}</span>
      )}
    </span>
  );
}
