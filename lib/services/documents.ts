import "server-only";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { z } from "zod";
import { DomainError } from "@/lib/domain/errors";
import { shownName } from "@/lib/domain/document-rules";
import { newObjectKey } from "@/lib/platform/document-store";
import { memory } from "@/lib/platform/memory-vault";
import { rasteriser } from "@/lib/platform/raster/rasteriser";
import { environmentOfDocument, purgeDocument, readableDocument, storeOf } from "./document-access";
import { limitsOf } from "./document-limits";
import { DocumentRow, namesOf, toDocumentRow, withLatestRun } from "./document-list";
import { environmentById } from "./environment-rows";
import { HELD_MS } from "./housekeeping";
import { read, write } from "./operation";
import { noteBytes, takeUpload } from "./reading-quotas";

export const documentsUpload = write({
  name: "documents.upload",
  summary: "Upload a document: the file itself is the body",
  permission: "document.upload",
  environment: async (input) => input.environmentId,
  effect: "outside",
  accepts: "stream",
  input: z.strictObject({ environmentId: z.uuid(), name: z.string().min(1, "Give the file's name.").max(300, "A file name has at most 300 characters.") }),
  output: DocumentRow,
  target: (input, result) => ({ type: "document", id: result?.id ?? null, detail: result ? { bytes: result.bytes, pages: result.pages.length } : {} }),
  run: async ({ caller, db, input, body, signal, now }) => {
    if (!body) throw new DomainError("bad_request", "Send the file as the body of the request.");
    if (!caller.actor.userId) throw new DomainError("forbidden", "A document needs an owner.");
    const environment = await environmentById(db, input.environmentId);
    const limits = limitsOf(environment);
    const use = { environment, userId: caller.actor.userId };
    await takeUpload(use);
    const heldBy = environment.retentionHours === 0 ? memory().processId : null;
    const store = storeOf({ heldBy });
    const ref = { key: newObjectKey(), environment: environment.id, purpose: "original" as const };
    const content = Readable.fromWeb(body as NodeStream); // the same stream; Node and the DOM type it apart
    const abort = signal ? { signal } : {};
    const stored = await store.put(ref, content, { maxBytes: limits.maxBytes, ...abort });
    try {
      await noteBytes(use, stored.bytes);
      const source = { id: ref.key, bytes: async () => ({ byteLength: stored.bytes, pieces: await store.read(ref) }) };
      const inspected = await rasteriser().inspect(source, { name: input.name, limits, ...abort });
      const expiresAt = new Date(now.getTime() + (heldBy ? HELD_MS : environment.retentionHours * 3_600_000));
      const row = await db.document.create({
        data: {
          environmentId: environment.id,
          ownerId: caller.actor.userId,
          name: shownName(input.name),
          mediaType: inspected.mediaType,
          bytes: stored.bytes,
          sha256: stored.sha256,
          pages: inspected.pages,
          pageCount: inspected.pages.length,
          storageKey: ref.key,
          heldBy,
          createdAt: now,
          expiresAt,
        },
        include: withLatestRun,
      });
      return toDocumentRow(row, { userId: caller.actor.userId, names: await namesOf(db, [row.ownerId]) });
    } catch (error) {
      await store.delete(ref.key);
      throw error;
    }
  },
});

export const documentsGet = read({
  name: "documents.get",
  summary: "One document with its pages",
  permission: "document.read",
  environment: environmentOfDocument,
  audited: true,
  input: z.strictObject({ id: z.uuid() }),
  output: DocumentRow,
  target: (input) => ({ type: "document", id: input.id }),
  run: async ({ caller, db, input }) => {
    await readableDocument(db, caller.actor, input.id);
    const row = await db.document.findUniqueOrThrow({ where: { id: input.id }, include: withLatestRun });
    return toDocumentRow(row, { userId: caller.actor.userId, names: await namesOf(db, [row.ownerId]) });
  },
});

export const documentsHold = read({
  name: "documents.hold",
  summary: "Keep a document that is only in memory for as long as its tab asks",
  permission: "document.read",
  environment: environmentOfDocument,
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({ isThere: z.boolean() }),
  run: async ({ caller, db, input }) => {
    const row = await readableDocument(db, caller.actor, input.id);
    const { seenAt } = memory();
    const isThere = row.heldBy === null || seenAt.has(row.storageKey);
    if (row.heldBy !== null && isThere && row.ownerId === caller.actor.userId) seenAt.set(row.storageKey, Date.now());
    return { isThere };
  },
});

export const documentsDelete = write({
  name: "documents.delete",
  summary: "Delete a document with its runs and texts, now; answers how many were removed",
  permission: "document.read",
  environment: environmentOfDocument,
  effect: "outside",
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({ id: z.uuid(), runs: z.number().int(), pages: z.number().int() }),
  target: (input, result) => ({ type: "document", id: input.id, detail: result ? { runs: result.runs, pages: result.pages } : {} }),
  run: async ({ caller, db, input }) => {
    const row = await readableDocument(db, caller.actor, input.id);
    return { id: row.id, ...(await purgeDocument(db, row)) };
  },
});
