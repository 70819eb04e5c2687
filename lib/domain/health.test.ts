import { describe, expect, it } from "vitest";
import { breaches, type AlertFacts } from "./alert";
import { engineHealth, gainOf, healthPoints, type HealthRow } from "./health";

const METRICS = `# TYPE vllm:request_success_total counter
vllm:request_success_total{engine="0",finished_reason="stop",model_name="m"} 40.0
vllm:request_success_total{engine="0",finished_reason="length",model_name="m"} 2.0
vllm:request_success_total{engine="0",finished_reason="abort",model_name="m"} 7.0
vllm:num_requests_running{engine="0"} 3.0
vllm:num_requests_waiting{engine="0"} 5.0
vllm:kv_cache_usage_perc{engine="0"} 0.31
vllm:kv_cache_usage_perc{engine="1"} 0.44
vllm:e2e_request_latency_seconds_bucket{le="1.0"} 4.0
vllm:e2e_request_latency_seconds_sum{engine="0"} 84.0
vllm:e2e_request_latency_seconds_count{engine="0"} 42.0
`;

describe("an engine's metrics", () => {
  it("tell pages, truncated ones, the queue, KV use and latency", () => expect(engineHealth(METRICS)).toEqual({ pages: 42, truncated: 2, running: 3, waiting: 5, kvUse: 0.44, latencySum: 84, latencyCount: 42 }));
  it("tell no KV use where the engine has none, and nothing where it is no engine", () => {
    expect(engineHealth("vllm:request_success_total 1")).toMatchObject({ kvUse: null, pages: 1 });
    expect(engineHealth("up 1\n<html>")).toBeNull();
  });
  it("count what came since the last reading, and begin at zero after a restart", () => {
    const at = (pages: number, restarts = 0) => ({ pages, truncated: 0, latencySum: 0, latencyCount: 0, restarts });
    expect(gainOf(null, at(500)).pages).toBe(0);
    expect(gainOf(at(500), at(512)).pages).toBe(12);
    expect(gainOf(at(500), at(3, 1))).toMatchObject({ pages: 3, restarts: 1 });
  });
});

const row = (at: number, more: Partial<HealthRow> = {}): HealthRow => ({ at, restarts: 0, oomKills: 0, pages: 0, truncated: 0, running: 0, waiting: 0, kvUse: null, latencySum: 0, latencyCount: 0, seconds: 300, ...more });

it("points put rows together, and a gap is a gap", () => {
  const points = healthPoints([row(0, { pages: 30, truncated: 3, waiting: 4, kvUse: 0.2, latencySum: 60, latencyCount: 30 }), row(300_000, { pages: 30, waiting: 9, restarts: 1 })], { from: 0, to: 1_800_000, stepMs: 600_000 });
  expect(points).toHaveLength(3);
  expect(points[0]).toEqual({ at: 0, restarts: 1, oomKills: 0, pages: 60, truncatedShare: 0.05, running: 0, waiting: 9, kvUse: 0.2, latencySeconds: 2, pagesPerSecond: 0.1 });
  expect(points[1]).toMatchObject({ at: 600_000, pagesPerSecond: null, waiting: null, truncatedShare: null });
});

describe("an alert rule", () => {
  const MINUTE = 60_000;
  const facts: AlertFacts = { name: "ocr", isAsleep: false, isReady: true, stateSince: 0, message: "", pagesLastHour: 0, truncatedLastHour: 0, waiting: 0 };
  const rules = [{ kind: "not_ready", threshold: 30 }, { kind: "truncation", threshold: 5 }, { kind: "queue", threshold: 200 }] as const;
  it.each<[string, Partial<AlertFacts>, string[]]>([
    ["nothing while all is well", {}, []],
    ["not yet at 29 minutes", { isReady: false, stateSince: 1 * MINUTE + 1 }, []],
    ["not ready at 30 minutes", { isReady: false }, ["not_ready"]],
    ["nothing while it sleeps", { isReady: false, isAsleep: true }, []],
    ["no share of few pages", { pagesLastHour: 19, truncatedLastHour: 19 }, []],
    ["truncation over the share", { pagesLastHour: 100, truncatedLastHour: 6 }, ["truncation"]],
    ["not at the share itself", { pagesLastHour: 100, truncatedLastHour: 5 }, []],
    ["a queue over the limit, not at it", { waiting: 201 }, ["queue"]],
    ["a queue at the limit", { waiting: 200 }, []],
  ])("says %s", (_, more, kinds) => expect(breaches({ ...facts, ...more }, { rules, now: 30 * MINUTE }).map((each) => each.kind)).toEqual(kinds));
});
