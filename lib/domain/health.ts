import { z } from "zod";

/** What an engine has counted since it started, and what it measures now; names as vLLM's V1 engine exports them (vllm/v1/metrics/loggers.py). */
export type EngineHealth = { pages: number; truncated: number; running: number; waiting: number; kvUse: number | null; latencySum: number; latencyCount: number };

/** Counters of one pod as they were last read; kept as JSON. */
export const PodCounters = z.object({ pages: z.number(), truncated: z.number(), latencySum: z.number(), latencyCount: z.number(), restarts: z.number() });
export type PodCounters = z.infer<typeof PodCounters>;

/** Reads Prometheus text, summed over labels; aborted requests did no page. Null when the text is not an engine's. */
export function engineHealth(text: string): EngineHealth | null {
  let isEngine = false;
  const found: EngineHealth = { pages: 0, truncated: 0, running: 0, waiting: 0, kvUse: null, latencySum: 0, latencyCount: 0 };
  for (const line of text.split("\n")) {
    const [, name, labels = "", raw] = /^(vllm:\w+)(?:\{(.*)\})?\s+(\S+)/.exec(line) ?? [];
    const value = Number(raw);
    if (!name || !Number.isFinite(value)) continue;
    isEngine ||= name === "vllm:request_success_total";
    if (name === "vllm:request_success_total" && !labels.includes('finished_reason="abort"') && !labels.includes('finished_reason="error"')) found.pages += value;
    if (name === "vllm:request_success_total" && labels.includes('finished_reason="length"')) found.truncated += value;
    if (name === "vllm:num_requests_running") found.running += value;
    if (name === "vllm:num_requests_waiting") found.waiting += value;
    if (name === "vllm:kv_cache_usage_perc") found.kvUse = Math.max(found.kvUse ?? 0, value);
    if (name === "vllm:e2e_request_latency_seconds_sum") found.latencySum += value;
    if (name === "vllm:e2e_request_latency_seconds_count") found.latencyCount += value;
  }
  return isEngine ? found : null;
}

/** What was counted between two readings of one pod; a counter that fell was reset and begins at zero. Nothing before a first reading is counted. */
export function gainOf(before: PodCounters | null, now: PodCounters): PodCounters {
  const gain = (key: keyof PodCounters) => (before === null ? 0 : now[key] < before[key] ? now[key] : now[key] - before[key]);
  return { pages: gain("pages"), truncated: gain("truncated"), latencySum: gain("latencySum"), latencyCount: gain("latencyCount"), restarts: before === null ? 0 : Math.max(0, now.restarts - before.restarts) };
}

/** One stored bucket; `at` in epoch ms. */
export type HealthRow = { at: number; restarts: number; oomKills: number; pages: number; truncated: number; running: number; waiting: number; kvUse: number | null; latencySum: number; latencyCount: number; seconds: number };
/** One point of a chart; null where nothing was read, which is not zero. */
export type HealthPoint = { at: number; restarts: number; oomKills: number; pages: number; truncatedShare: number | null; running: number | null; waiting: number | null; kvUse: number | null; latencySeconds: number | null; pagesPerSecond: number | null };

/** Rows put together to points of `stepMs`, from the first step to the last, with the gaps in between. */
export function healthPoints(rows: readonly HealthRow[], { from, to, stepMs }: { from: number; to: number; stepMs: number }): HealthPoint[] {
  const first = Math.floor(from / stepMs) * stepMs;
  const groups = new Map<number, HealthRow[]>();
  for (const row of rows) {
    const at = Math.floor(row.at / stepMs) * stepMs;
    groups.set(at, [...(groups.get(at) ?? []), row]);
  }
  const points: HealthPoint[] = [];
  for (let at = first; at < to; at += stepMs) points.push(pointOf(at, groups.get(at) ?? []));
  return points;
}

function pointOf(at: number, rows: HealthRow[]): HealthPoint {
  const sum = (key: "restarts" | "oomKills" | "pages" | "truncated" | "latencySum" | "latencyCount" | "seconds") => rows.reduce((all, row) => all + row[key], 0);
  const most = (values: (number | null)[]) => values.reduce<number | null>((best, value) => (value === null ? best : Math.max(best ?? 0, value)), null);
  const [pages, seconds, latencyCount] = [sum("pages"), sum("seconds"), sum("latencyCount")];
  return {
    at,
    restarts: sum("restarts"),
    oomKills: sum("oomKills"),
    pages,
    truncatedShare: pages > 0 ? sum("truncated") / pages : null,
    running: most(rows.map((row) => row.running)),
    waiting: most(rows.map((row) => row.waiting)),
    kvUse: most(rows.map((row) => row.kvUse)),
    latencySeconds: latencyCount > 0 ? sum("latencySum") / latencyCount : null,
    pagesPerSecond: seconds > 0 ? pages / seconds : null,
  };
}
