/** What is known of a running deployment's work; instants in epoch ms. `engine` null: its own metrics could not be read lately. */
export type Work = { readySince: number; lastPageAt: number | null; hasPagesWaiting: boolean; engine: { at: number; busyAt: number; running: number; waiting: number } | null; keepUntil: number | null };
export type Idle = { state: "busy" } | { state: "unknown"; sentence: string } | { state: "idle"; since: number; stopsAt: number };

/** Metrics older than this say nothing about now. */
export const METRICS_FRESH_MS = 3 * 60_000;
const MINUTE_MS = 60_000;

/**
 * Since when nothing was read, by the portal's own log and by the engine's metrics, and when it stops for that. Without fresh metrics
 * nobody knows whether somebody calls the engine past the portal: then it is not stopped.
 */
export function idleOf(work: Work, { idleMinutes, now }: { idleMinutes: number; now: number }): Idle {
  const { engine } = work;
  if (work.hasPagesWaiting) return { state: "busy" };
  if (!engine || now - engine.at > METRICS_FRESH_MS) return { state: "unknown", sentence: "The engine's own metrics cannot be read, so that traffic past the portal is not known: it is not stopped for idleness." };
  if (engine.running + engine.waiting > 0) return { state: "busy" };
  const since = Math.max(work.readySince, work.lastPageAt ?? 0, engine.busyAt, work.keepUntil ?? 0);
  return { state: "idle", since, stopsAt: since + idleMinutes * MINUTE_MS };
}
