import "server-only";
import type { AttemptOutcome } from "@/lib/domain/retry-ladder";
import type { Db } from "@/lib/platform/db";
import { readIdOf, type ReadablePage } from "./page-outcome";

/** One try as it is kept; `reason` is a sentence of ours and never quotes the engine or the document. */
export type AttemptRecord = {
  outcome: AttemptOutcome;
  reason: string;
  temperature: number;
  maxTokens: number | null;
  route: string;
  promptTokens: number | null;
  completionTokens: number | null;
  seconds: number;
  startedAt: Date;
};

/** Keeps a try of a page beside the ones before it. */
export async function recordAttempt(db: Db, page: ReadablePage, { outcome, reason, temperature, maxTokens, route, promptTokens, completionTokens, seconds, startedAt }: AttemptRecord) {
  return db.runAttempt.create({
    data: { pageId: page.id, readId: readIdOf(page), number: page.attempts.length + 1, outcome, reason, temperature, maxTokens, route, promptTokens, completionTokens, seconds, startedAt },
  });
}
