import "server-only";
import { randomUUID } from "node:crypto";
import type { Caller } from "@/lib/domain/caller";
import { SYSTEM } from "@/lib/domain/policy";
import type { Db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { memory } from "@/lib/platform/memory-vault";
import { recordAuditAlone } from "./audit-trail";
import { documentStore, purgeDocument } from "./document-access";
import { pruneLive } from "./live";
import { pruneUsage } from "./usage-retention";

const EVERY_MS = 30_000;
const BATCH = 100;
/** A document in memory outlives the last sign of its tab by so much; a process that dies leaves its row for as long. */
export const HELD_MS = 90_000;
/** An upload that is still being inspected has a file and no row yet. */
const ORPHAN_MS = 60 * 60 * 1000;

type Tidied = { documents: number; orphans: number; events: number };

/** Deletes what has passed its time: documents by their environment's rule, files without a row, old live events. Each purge is audited by count. */
export async function tidy(db: Db, now: Date): Promise<Tidied> {
  await keepHeld(db, now);
  const due = await db.document.findMany({ where: { expiresAt: { lte: now } }, select: { id: true, environmentId: true, storageKey: true, heldBy: true }, take: BATCH });
  const counts = new Map<string, { documents: number; runs: number; pages: number }>();
  for (const row of due) {
    const { runs, pages } = await purgeDocument(db, row);
    const sum = counts.get(row.environmentId) ?? { documents: 0, runs: 0, pages: 0 };
    counts.set(row.environmentId, { documents: sum.documents + 1, runs: sum.runs + runs, pages: sum.pages + pages });
  }
  for (const [environmentId, detail] of counts) await audit(db, environmentId, detail);
  const orphans = await removeOrphans(db);
  if (orphans > 0) await audit(db, null, { files: orphans });
  await pruneUsage(db, now);
  return { documents: due.length, orphans, events: await pruneLive(db, now) };
}

async function audit(db: Db, environmentId: string | null, detail: Record<string, number>): Promise<void> {
  const caller: Caller = { actor: SYSTEM, origin: "scheduler", requestId: randomUUID(), ip: "", userAgent: "", sessionId: null, tokenId: null };
  await recordAuditAlone(db, caller, { action: "documents.purge", environmentId, target: { type: "document" }, outcome: "success", detail });
}

/** Documents in this process's memory live on while their tab asks for them. */
async function keepHeld(db: Db, now: Date): Promise<void> {
  const { processId, seenAt } = memory();
  for (const [storageKey, at] of seenAt) {
    await db.document.updateMany({ where: { storageKey, heldBy: processId }, data: { expiresAt: new Date(at + HELD_MS) } });
    if (now.getTime() - at > HELD_MS && (await db.document.count({ where: { storageKey } })) === 0) seenAt.delete(storageKey);
  }
}

/** Files whose row was never written, because the process died in between. */
async function removeOrphans(db: Db): Promise<number> {
  let removed = 0;
  for await (const key of documentStore().keys(ORPHAN_MS)) {
    if ((await db.document.count({ where: { storageKey: key } })) > 0) continue;
    await documentStore().delete(key);
    removed += 1;
  }
  return removed;
}

export function startHousekeeping(db: Db): { stop(): void } {
  const timer = setInterval(() => {
    tidy(db, new Date()).then(
      (done) => done.documents + done.orphans > 0 && log().info(done, "purged"),
      (error: unknown) => log().error({ kind: error instanceof Error ? error.name : typeof error }, "housekeeping"),
    );
  }, EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
