import { z } from "zod";

export const BATCH_STATES = ["working", "paused", "done", "cancelled"] as const;
export const BatchState = z.enum(BATCH_STATES);
export type BatchState = z.infer<typeof BatchState>;

/** Most documents and pages of one batch. */
export const batchLimits = { documents: 5_000, pages: 50_000 } as const;

/** Pages by how they stand. */
export type BatchProgress = { total: number; done: number; truncated: number; failed: number; cancelled: number; running: number };

/** Pages that ended lately: how many, and over which span. */
export type RecentPages = { pages: number; spanSeconds: number };

/** Pages that came to an end, whichever. */
export function endedPages({ done, truncated, failed, cancelled }: BatchProgress): number {
  return done + truncated + failed + cancelled;
}

/**
 * Seconds until the last page ends, at the pace of the pages that ended lately; null while fewer than five did. The first of them opens
 * the span and is not counted in it.
 */
export function secondsLeft(progress: BatchProgress, recent: RecentPages): number | null {
  const left = progress.total - endedPages(progress);
  if (left === 0) return 0;
  if (recent.pages < 5 || recent.spanSeconds <= 0) return null;
  return left / ((recent.pages - 1) / recent.spanSeconds);
}
