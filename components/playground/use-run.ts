"use client";

import { useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { readKey, useRead } from "@/lib/client/hooks";
import { useLive } from "@/lib/client/live";
import type { LiveEvent } from "@/lib/domain/live-topic";
import type { Output } from "@/lib/client/api";

export type RunView = Output<"runs.get">;
export type RunPage = RunView["pages"][number];

const PageEvent = z.object({ page: z.number(), state: z.enum(["queued", "running", "done", "truncated", "failed", "cancelled"]), offset: z.number().optional(), reason: z.string().optional() });

/** The page with a piece of text put where it belongs; null when a piece before it is missing. */
export function withPiece(page: RunPage, piece: { offset: number; text: string }): RunPage | null {
  if (piece.offset > page.text.length) return null;
  return { ...page, text: page.text.slice(0, piece.offset) + piece.text };
}

/** A run as it is now: read once, then carried on by the live stream, piece by piece. */
export function useRun(runId: string | null) {
  const client = useQueryClient();
  const run = useRead("runs.get", { id: runId ?? "" }, { enabled: runId !== null });
  const key = readKey("runs.get", { id: runId ?? "" });

  function onEvent(event: LiveEvent) {
    const parsed = PageEvent.safeParse(event.data);
    const before = client.getQueryData<RunView>(key);
    const page = parsed.success ? before?.pages.find((each) => each.number === parsed.data.page) : undefined;
    const isPiece = parsed.success && parsed.data.state === "running" && page && before;
    if (!isPiece) return void client.invalidateQueries({ queryKey: ["runs"] });
    const next = withPiece({ ...page, state: "running" }, { offset: parsed.data.offset ?? 0, text: event.text ?? "" });
    if (!next) return void client.invalidateQueries({ queryKey: key });
    client.setQueryData<RunView>(key, { ...before, pages: before.pages.map((each) => (each.number === next.number ? next : each)) });
  }

  useLive(runId ? `run:${runId}` : null, onEvent, { reads: [key] });
  return run;
}
