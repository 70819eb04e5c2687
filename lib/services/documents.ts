import "server-only";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { z } from "zod";
import { defaultDocumentLimits, DocumentPage, MediaType } from "@/lib/domain/document";
import { DomainError } from "@/lib/domain/errors";
import { environmentsWith } from "@/lib/domain/policy";
import { newObjectKey } from "@/lib/platform/document-store";
import { rasteriser } from "@/lib/platform/raster/rasteriser";
import { documentStore, environmentOfDocument, purgeDocument, readableDocument, readableDocuments } from "./document-access";
import { inEnvironmentsWith } from "./environments";
import { environmentById } from "./environment-rows";
import { read, write } from "./operation";

export const DocumentRow = z.strictObject({
  id: z.uuid(),
  environmentId: z.uuid(),
  name: z.string(),
  mediaType: MediaType,
  bytes: z.number().int(),
  pages: z.array(DocumentPage),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  isOwn: z.boolean(),
});

type Row = Awaited<ReturnType<typeof readableDocument>>;

function toDocumentRow(row: Row, userId: string | null): z.input<typeof DocumentRow> {
  return {
    id: row.id,
    environmentId: row.environmentId,
    name: row.name,
    mediaType: MediaType.parse(row.mediaType),
    bytes: Number(row.bytes),
    pages: z.array(DocumentPage).parse(row.pages),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    isOwn: row.ownerId === userId,
  };
}

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
    const ref = { key: newObjectKey(), environment: environment.id, purpose: "original" as const };
    const content = Readable.fromWeb(body as NodeStream); // the same stream; Node and the DOM type it apart
    const abort = signal ? { signal } : {};
    const stored = await documentStore().put(ref, content, { maxBytes: defaultDocumentLimits.maxBytes, ...abort });
    try {
      const source = { id: ref.key, bytes: () => documentStore().readBytes(ref) };
      const inspected = await rasteriser().inspect(source, { name: input.name, limits: defaultDocumentLimits, ...abort });
      const expiresAt = new Date(now.getTime() + environment.retentionHours * 3_600_000);
      const row = await db.document.create({
        data: {
          environmentId: environment.id,
          ownerId: caller.actor.userId,
          name: input.name,
          mediaType: inspected.mediaType,
          bytes: stored.bytes,
          sha256: stored.sha256,
          pages: inspected.pages,
          pageCount: inspected.pages.length,
          storageKey: ref.key,
          createdAt: now,
          expiresAt,
        },
      });
      return toDocumentRow(row, caller.actor.userId);
    } catch (error) {
      await documentStore().delete(ref.key);
      throw error;
    }
  },
});

export const documentsList = read({
  name: "documents.list",
  summary: "My documents, and those that I manage",
  permission: "document.read",
  environment: "each",
  input: z.strictObject({ environmentId: z.uuid().optional(), limit: z.number().int().min(1).max(200).default(50) }),
  output: z.strictObject({ documents: z.array(DocumentRow) }),
  run: async ({ caller, db, input }) => {
    const managed = environmentsWith(caller.actor, "document.manage");
    const only = input.environmentId ? { environmentId: input.environmentId } : {};
    const rows = await db.document.findMany({
      where: { AND: [inEnvironmentsWith(caller.actor, "document.read"), readableDocuments(caller.actor, managed), only], deletedAt: null },
      orderBy: { createdAt: "desc" },
      take: input.limit,
    });
    return { documents: rows.map((row) => toDocumentRow(row, caller.actor.userId)) };
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
  run: async ({ caller, db, input }) => toDocumentRow(await readableDocument(db, caller.actor, input.id), caller.actor.userId),
});

export const documentsDelete = write({
  name: "documents.delete",
  summary: "Delete a document with its runs and texts, now",
  permission: "document.read",
  environment: environmentOfDocument,
  effect: "outside",
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({ id: z.uuid() }),
  target: (input) => ({ type: "document", id: input.id }),
  run: async ({ caller, db, input }) => {
    const row = await readableDocument(db, caller.actor, input.id);
    await purgeDocument(db, row);
    return { id: row.id };
  },
});
