import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useLog, type LogSource } from "./use-log";

const ID = "01985a3e-0000-7000-8000-000000000001";
const at = (second: number) => `2026-11-30T12:00:0${second}.000000000Z`;
const logs: Record<string, { at: string; text: string }[]> = {
  "ocr-5d-a": [{ at: at(1), text: "first" }, { at: at(3), text: "third" }],
  "ocr-5d-b": [{ at: at(2), text: "second" }],
};
type Asked = { path: string; pod: string; previous?: boolean; after?: string };
const asked: Asked[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("fetch", async (url: string) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const input = JSON.parse(searchParams.get("input") ?? "{}") as Omit<Asked, "path">;
    asked.push({ path: pathname, ...input });
    const isNew = asked.filter((one) => one.path === "/api/logs.follow").length === 1;
    const lines = pathname === "/api/logs.read" ? logs[input.pod] : isNew ? [{ at: at(4), text: "fourth" }] : [];
    return Response.json({ lines, isCut: false, note: "" });
  });
});
afterEach(() => (cleanup(), vi.unstubAllGlobals()));

const source = (pod: string): LogSource => ({ pod, container: "vllm" });
const follow = (sources: LogSource[], more: { previous?: boolean; isFollowing?: boolean } = {}) => renderHook(() => useLog({ id: ID, sources, previous: false, isFollowing: false, ...more })).result;

it("merges the logs of all pods by time, each line with its pod", async () => {
  const log = follow([source("ocr-5d-a"), source("ocr-5d-b")]);
  await waitFor(() => expect(log.current.lines.map((line) => line.text)).toEqual(["a/vllm first", "b/vllm second", "a/vllm third"]));
});

it("follows one from its last line on, without a mark", async () => {
  const log = follow([source("ocr-5d-a")], { isFollowing: true });
  await waitFor(() => expect(log.current.lines.map((line) => line.text)).toEqual(["first", "third", "fourth"]), { timeout: 5_000 });
  expect(asked[1]).toMatchObject({ path: "/api/logs.follow", after: at(3) });
});

it("reads the container before a crash once, and follows it no further", async () => {
  const log = follow([source("ocr-5d-b")], { previous: true, isFollowing: true });
  await waitFor(() => expect(log.current.isLoading).toBe(false));
  expect(asked).toEqual([expect.objectContaining({ path: "/api/logs.read", pod: "ocr-5d-b", previous: true })]);
});
