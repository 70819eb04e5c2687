import "server-only";
import path from "node:path";
import { notFound } from "@/lib/domain/errors";
import { can, type Actor } from "@/lib/domain/policy";
import type { Db, Tx } from "@/lib/platform/db";
import { createFileStore, type ObjectStore } from "@/lib/platform/document-store";
import { env } from "@/lib/platform/env";
import { memoryStore } from "@/lib/platform/memory-store";
import { rasteriser } from "@/lib/platform/raster/rasteriser";
import { vault } from "@/lib/platform/vault";

let store: ObjectStore | undefined;

/** Where documents lie. */
export function documentStore(): ObjectStore {
  store ??= createFileStore({ folder: path.join(env().LECTERN_DATA_DIR, "documents"), sealer: vault() });
  return store;
}

/** Where this document lies: in the store, or in the memory of the process that holds it. */
export function storeOf(document: { heldBy: string | null }): ObjectStore {
  return document.heldBy === null ? documentStore() : memoryStore();
}

/** The environment of a document, for the pipeline. */
export async function environmentOfDocument(input: { id: string }, db: Db): Promise<string | null> {
  const row = await db.document.findFirst({ where: { id: input.id, deletedAt: null }, select: { environmentId: true } });
  return row?.environmentId ?? null;
}

/** The document if it is the actor's own or the actor manages documents there; else `not_found`, as if it did not exist. */
export async function readableDocument(db: Db | Tx, actor: Actor, id: string) {
  const row = await db.document.findFirst({ where: { id, deletedAt: null } });
  if (!row || !isReadable(actor, row)) throw notFound("document");
  return row;
}

/** A document that is only in memory is its owner's alone. */
function isReadable(actor: Actor, row: { ownerId: string; environmentId: string; heldBy: string | null }): boolean {
  return row.ownerId === actor.userId || (row.heldBy === null && can(actor, "document.manage", row.environmentId));
}

/** A filter for lists: own documents, and all of those environments whose documents the actor manages. */
export function readableDocuments(actor: Actor, managed: string[] | "all") {
  if (managed === "all") return {};
  return { OR: [{ ownerId: actor.userId ?? "" }, { environmentId: { in: managed } }] };
}

/** What went with a document. */
export type Purged = { runs: number; pages: number };

/** Removes the file with its data key, its runs with their texts, and what the live stream and the workers still hold of them. */
export async function purgeDocument(db: Db, row: { id: string; storageKey: string; heldBy: string | null }): Promise<Purged> {
  await storeOf(row).delete(row.storageKey);
  rasteriser().forget(row.storageKey); // a worker may still hold it open
  return db.$transaction(async (tx) => {
    // Pages before runs, as everyone who reads a page locks them: else the two wait for each other.
    await tx.$executeRaw`SELECT 1 FROM run_page page JOIN run ON run.id = page.run_id WHERE run.document_id = ${row.id}::uuid ORDER BY page.id FOR UPDATE OF page`;
    const runs = await tx.run.findMany({ where: { documentId: row.id }, select: { id: true, _count: { select: { pages: true } } } });
    await tx.document.delete({ where: { id: row.id } });
    await tx.liveEvent.deleteMany({ where: { topic: { in: runs.map((run) => `run:${run.id}`) } } });
    return { runs: runs.length, pages: runs.reduce((sum, run) => sum + run._count.pages, 0) };
  });
}
