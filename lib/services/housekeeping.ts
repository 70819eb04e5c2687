import "server-only";
import type { Db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { purgeDocument } from "./document-access";
import { pruneLive } from "./live";

const EVERY_MS = 60_000;
const BATCH = 100;

/** Deletes what has passed its time: documents by their environment's retention, and old live events. */
export async function tidy(db: Db, now: Date): Promise<{ documents: number; events: number }> {
  const due = await db.document.findMany({ where: { expiresAt: { lte: now } }, select: { id: true, storageKey: true, heldBy: true }, take: BATCH });
  for (const row of due) await purgeDocument(db, row);
  return { documents: due.length, events: await pruneLive(db, now) };
}

export function startHousekeeping(db: Db): { stop(): void } {
  const timer = setInterval(() => {
    tidy(db, new Date()).then(
      (done) => done.documents > 0 && log().info(done, "purged"),
      (error: unknown) => log().error({ kind: error instanceof Error ? error.name : typeof error }, "housekeeping"),
    );
  }, EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
