import { describe, expect, it } from "vitest";
import { idleOf, type Work } from "./idle";
import { readingOf } from "./idle-metrics";

const MINUTE = 60_000;
const now = 1_000 * MINUTE;
const quiet: Work = { readySince: now - 60 * MINUTE, lastPageAt: now - 20 * MINUTE, hasPagesWaiting: false, keepUntil: null, engine: { at: now, busyAt: now - 25 * MINUTE, running: 0, waiting: 0 } };
const engine = (more: object) => ({ engine: { at: now, busyAt: 0, running: 0, waiting: 0, ...more } });

describe("idleness", () => {
  it.each<[string, Partial<Work>, object]>([
    ["counts from the last page of the portal", {}, { state: "idle", since: now - 20 * MINUTE, stopsAt: now - 5 * MINUTE }],
    ["counts from the last request past the portal", engine({ busyAt: now - 2 * MINUTE }), { state: "idle", since: now - 2 * MINUTE, stopsAt: now + 13 * MINUTE }],
    ["does not count the time before it was ready", { readySince: now - MINUTE }, { state: "idle", since: now - MINUTE, stopsAt: now + 14 * MINUTE }],
    ["begins after the time for which it is kept", { keepUntil: now + 30 * MINUTE }, { state: "idle", since: now + 30 * MINUTE, stopsAt: now + 45 * MINUTE }],
    ["is not while pages wait", { hasPagesWaiting: true }, { state: "busy" }],
    ["is not while a request runs past the portal", engine({ running: 1 }), { state: "busy" }],
    ["is not while one waits in the engine", engine({ waiting: 3 }), { state: "busy" }],
    ["is not known without metrics", { engine: null }, { state: "unknown" }],
    ["is not known with old metrics", engine({ at: now - 4 * MINUTE }), { state: "unknown" }],
  ])("%s", (_, more, expected) => expect(idleOf({ ...quiet, ...more }, { idleMinutes: 15, now })).toMatchObject(expected));
});

describe("an engine's metrics", () => {
  it("are summed over reasons and engines", () => {
    const text = `# TYPE vllm:request_success_total counter\nvllm:request_success_total{engine="0",finished_reason="stop"} 41\nvllm:request_success_total{engine="0",finished_reason="length"} 1.0\nvllm:num_requests_running{engine="0"} 2\nvllm:num_requests_running{engine="1"} 1\nvllm:num_requests_waiting{engine="0"} 0\nother 7\n`;
    expect(readingOf(text)).toEqual({ requests: 42, running: 3, waiting: 0 });
  });
  it("are not taken from another program's text", () => expect(readingOf("up 1\n<html>")).toBeNull());
});
