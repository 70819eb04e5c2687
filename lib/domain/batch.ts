import { z } from "zod";

export const BATCH_STATES = ["working", "paused", "done", "cancelled"] as const;
export const BatchState = z.enum(BATCH_STATES);
export type BatchState = z.infer<typeof BatchState>;

/** Most documents and pages of one batch. */
export const batchLimits = { documents: 5_000, pages: 50_000 } as const;

/** Pages by how they stand. */
export type BatchProgress = { total: number; done: number; truncated: number; failed: number; cancelled: number; running: number };

/**
 * Pages that ended lately: how many, and over which span. While the window holds every page that has ended, the span begins when the first one
 * began, else when the first of the window ended.
 */
export type RecentPages = { pages: number; spanSeconds: number; isFromStart: boolean };

/** Pages that came to an end, whichever. */
export function endedPages({ done, truncated, failed, cancelled }: BatchProgress): number {
  return done + truncated + failed + cancelled;
}

/**
 * Seconds until the last page ends, at the pace of the pages that ended lately; null while fewer than five did. Pages under way count as half
 * read, which they are on average. In a window that begins with the end of a page that page opens the span and is not counted in it.
 */
export function secondsLeft(progress: BatchProgress, recent: RecentPages): number | null {
  const left = progress.total - endedPages(progress);
  if (left === 0) return 0;
  if (recent.pages < 5 || recent.spanSeconds <= 0) return null;
  const underWay = progress.running / 2;
  const pages = recent.isFromStart ? recent.pages + underWay : recent.pages - 1;
  return Math.max(0, left - underWay) / (pages / recent.spanSeconds);
}

/** What the result of a batch may hold of each document. */
export const BATCH_OUTPUTS = ["markdown", "text", "json", "html"] as const;
export const BatchOutput = z.enum(BATCH_OUTPUTS);
export type BatchOutput = z.infer<typeof BatchOutput>;

/** A file that did not become part of a batch, and why. */
export const SkippedFile = z.strictObject({ name: z.string().max(300), reason: z.string().max(500) });
export type SkippedFile = z.infer<typeof SkippedFile>;
