"use client";

import { useState } from "react";
import { formatDuration, formatNumber, formatPercent } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { Segmented } from "@/components/ui/segmented";
import { ErrorState, LoadingPanels } from "@/components/ui/states";
import { ClockTime, RelativeTime } from "@/components/ui/time";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";
import { SmallChart } from "./small-chart";

type Health = Output<"health.get">;
type Point = Health["points"][number];

const SPANS = { "6": "6 h", "24": "24 h", "168": "7 days", "720": "30 days" } as const;
type Span = keyof typeof SPANS;
const HOURS: Record<Span, 6 | 24 | 168 | 720> = { "6": 6, "24": 24, "168": 168, "720": 720 };

const number = (digits: number) => (value: number) => formatNumber(value, { digits });
const CHARTS: { title: string; shape: "line" | "bars"; format: (value: number) => string; of: (point: Point) => number | null }[] = [
  { title: "Pages per second", shape: "line", format: number(2), of: (point) => point.pagesPerSecond },
  { title: "Latency of a page", shape: "line", format: (value) => formatDuration(value * 1000), of: (point) => point.latencySeconds },
  { title: "Waiting pages", shape: "line", format: number(0), of: (point) => point.waiting },
  { title: "Truncated pages", shape: "line", format: (value) => formatPercent(value, 1), of: (point) => point.truncatedShare },
  { title: "KV cache used", shape: "line", format: (value) => formatPercent(value), of: (point) => point.kvUse },
  { title: "Restarts (out of memory among them)", shape: "bars", format: number(0), of: (point) => (point.pagesPerSecond === null && point.restarts === 0 ? null : point.restarts) },
];

/** How a deployment did over time, by its engines' own metrics, with what happened meanwhile. */
export function HealthPanel({ deploymentId }: { deploymentId: string }) {
  const [span, setSpan] = useState<Span>("24");
  const health = useRead("health.get", { id: deploymentId, hours: HOURS[span] }, { refetchInterval: 60_000, keepPrevious: true });
  const { data } = health;
  const spans = Object.entries(SPANS).map(([value, label]) => ({ value: value as Span, label })); // the keys of SPANS
  return (
    <Panel
      title="Health over time"
      description={data?.measuredAt ? <>From the engines’ own metrics, read <RelativeTime at={data.measuredAt} />. Dashed lines are events.</> : "From the engines’ own metrics, once a minute while it runs."}
      actions={<Segmented label="Time shown" value={span} onChange={setSpan} options={spans} />}
    >
      {health.error && <ErrorState problem={problemOf(health.error)} onRetry={() => void health.refetch()} />}
      {!data && !health.error && <LoadingPanels label="Loading the health" count={3} />}
      {data && <Charts health={data} />}
    </Panel>
  );
}

function Charts({ health }: { health: Health }) {
  const { points, events, from, to } = health;
  const marks = events.map(({ at, text }) => ({ share: (at - from) / (to - from), text }));
  const oomKills = points.reduce((sum, point) => sum + point.oomKills, 0);
  return (
    <div className="grid gap-4">
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
        {CHARTS.map(({ title, shape, format, of }) => (
          <SmallChart key={title} title={title} shape={shape} format={format} values={points.map(of)} marks={marks} from={from} to={to} />
        ))}
      </div>
      {oomKills > 0 && <p className="text-failed">{oomKills} of the restarts were kills for want of memory: give it a larger node.</p>}
      {events.length > 0 && <Events events={events} />}
    </div>
  );
}

function Events({ events }: { events: Health["events"] }) {
  return (
    <details>
      <summary className="w-fit cursor-pointer font-medium">{events.length === 1 ? "1 event" : `${events.length} events`}</summary>
      <ul className="mt-2 grid max-h-64 gap-1 overflow-y-auto text-sm">
        {events.toReversed().map((event, index) => (
          <li key={index} className="flex gap-3">
            <ClockTime at={new Date(event.at).toISOString()} className="shrink-0 text-muted-foreground tabular-nums" />
            <span className="min-w-0 break-words">{event.text}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
