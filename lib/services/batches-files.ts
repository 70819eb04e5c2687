import "server-only";
import path from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { z } from "zod";
import { BATCH_OUTPUTS, BatchOutput } from "@/lib/domain/batch";
import { DomainError } from "@/lib/domain/errors";
import { parseGrounding } from "@/lib/domain/grounding";
import type { Batch } from "@/lib/generated/prisma/client";
import type { Db } from "@/lib/platform/db";
import type { FileAnswer } from "@/lib/platform/door";
import { env } from "@/lib/platform/env";
import { keepInScratch, type ScratchFile } from "@/lib/platform/scratch-file";
import { readZip } from "@/lib/platform/zip-read";
import { writeZip, type ZipFile } from "@/lib/platform/zip-write";
import { progressOf } from "./batch-progress";
import { environmentOfBatch, readableBatch } from "./batch-rows";
import { limitsIn } from "./document-limits";
import { documentsUpload } from "./documents";
import { environmentById } from "./environment-rows";
import { toFiles } from "./export-files";
import { read, write } from "./operation";
import { execute } from "./pipeline";
import { openPageText } from "./run-rows";

const GIBIBYTE = 1024 ** 3;
const archiveLimits = { maxBytes: GIBIBYTE, maxUnpackedBytes: 2 * GIBIBYTE, maxEntries: 2_000, atOnce: 4 } as const;
let archivesHere = 0;

export const batchesUnpack = write({
  name: "batches.unpack",
  summary: "Upload a zip archive of documents: the archive is the body",
  permission: "document.upload",
  environment: async (input) => input.environmentId,
  effect: "outside",
  accepts: "stream",
  input: z.strictObject({ environmentId: z.uuid(), name: z.string().min(1).max(300) }),
  output: z.strictObject({ documentIds: z.array(z.uuid()), skipped: z.array(z.strictObject({ name: z.string(), reason: z.string() })) }),
  target: (input, result) => ({ type: "archive", id: null, detail: result ? { documents: result.documentIds.length, skipped: result.skipped.length } : {} }),
  run: async ({ caller, db, input, body, signal }) => {
    if (!body) throw new DomainError("bad_request", "Send the archive as the body of the request.");
    if ((await environmentById(db, input.environmentId)).retentionHours === 0) throw new DomainError("unprocessable", "This environment stores no documents, and a batch needs them stored. Choose another environment.");
    const limits = await limitsIn(db, input.environmentId);
    const documentIds: string[] = [];
    const skipped: { name: string; reason: string }[] = [];
    const abort = signal ? { signal } : {};
    await withArchive(body, abort, async (archive) => {
      const entries = readZip(archive, { maxEntries: archiveLimits.maxEntries, maxBytes: archiveLimits.maxUnpackedBytes, maxEntryBytes: limits.maxBytes });
      for (const entry of entries.filter(({ name }) => !isClutter(name))) {
        signal?.throwIfAborted();
        try {
          const name = entry.name.split("/").at(-1) ?? entry.name;
          const content = Readable.toWeb(Readable.from(entry.pieces())) as ReadableStream<Uint8Array>; // the same stream; Node and the DOM type it apart
          const { id } = await execute(documentsUpload, { db, caller, input: { environmentId: input.environmentId, name: name.slice(-300) }, body: content, ...abort });
          documentIds.push(id);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          skipped.push({ name: entry.name.slice(0, 300), reason: error.message });
        }
      }
    });
    return { documentIds, skipped };
  },
});

/** What systems add to archives by themselves. */
function isClutter(name: string): boolean {
  return name.startsWith("__MACOSX/") || /(^|\/)(\.DS_Store|Thumbs\.db)$/.test(name);
}

/** Keeps the archive outside memory while `work` takes it apart. Throws `rate_limited` while too many lie there. */
async function withArchive(body: ReadableStream<Uint8Array>, abort: { signal?: AbortSignal }, work: (archive: ScratchFile) => Promise<void>): Promise<void> {
  if (archivesHere >= archiveLimits.atOnce) throw new DomainError("rate_limited", `${archivesHere} archives are being taken apart; the limit at once is ${archiveLimits.atOnce}. Send it again in a minute.`, { retryAfterSeconds: 60 });
  archivesHere += 1;
  try {
    const archive = await keepInScratch(path.join(env().LECTERN_DATA_DIR, "scratch"), Readable.fromWeb(body as NodeStream), { maxBytes: archiveLimits.maxBytes, ...abort });
    await work(archive).finally(archive.close);
  } finally {
    archivesHere -= 1;
  }
}

export const batchesExport = read({
  name: "batches.export",
  summary: "The result of a batch as one zip: what was chosen of each document, and a manifest that names every page and every file left out",
  permission: "document.read",
  environment: environmentOfBatch,
  audited: true,
  answers: "file",
  input: z.strictObject({ id: z.uuid(), format: BatchOutput.optional() }),
  output: z.custom<FileAnswer>(),
  target: (input) => ({ type: "batch", id: input.id, detail: input.format ? { format: input.format } : {} }),
  run: async ({ caller, db, input }) => {
    const batch = await readableBatch(db, caller.actor, input.id);
    return { body: writeZip(filesOf(db, batch, input.format ? [input.format] : batch.outputs)), mediaType: "application/zip", fileName: `${batch.name.replace(/[^\p{L}\p{N} ._-]/gu, "_")}.zip` };
  },
});

const ENDINGS: Record<BatchOutput, string> = { markdown: "md", text: "txt", json: "json", html: "html" };

type Listed = { file: string; document: string; pages: { number: number; state: string; reason: string }[] };

/** One document at a time, the manifest last: it says of every page how it ended. */
async function* filesOf(db: Db, batch: Pick<Batch, "id" | "name" | "state" | "environmentId" | "skipped">, outputs: readonly string[]): AsyncGenerator<ZipFile> {
  const runs = await db.run.findMany({ where: { batchId: batch.id }, select: { id: true }, orderBy: [{ position: "asc" }, { id: "asc" }] });
  const listed: Listed[] = [];
  for (const [index, { id }] of runs.entries()) {
    const run = await db.run.findUnique({ where: { id }, include: { document: { select: { name: true } }, pages: { orderBy: { number: "asc" } } } });
    if (!run) continue; // its document was deleted meanwhile
    const base = `${String(index + 1).padStart(5, "0")} ${run.document.name.replace(/\.[^.]+$/, "").replace(/[\\/:*?"<>|\p{C}]/gu, "_").slice(0, 120)}`;
    const pages = run.pages.map((page) => ({ number: page.number, width: page.width ?? 1, height: page.height ?? 1, state: page.state, reason: page.reason, blocks: parseGrounding(openPageText({ id: page.id, environmentId: batch.environmentId }, page.sealedText)) }));
    const exported = { name: run.document.name, model: run.pages.find((page) => page.modelReported)?.modelReported ?? run.modelId, mode: run.mode === "plain" ? ("plain" as const) : ("grounding" as const), pages };
    const files = toFiles(exported);
    for (const output of BATCH_OUTPUTS.filter((each) => outputs.includes(each))) yield { name: `${base}.${ENDINGS[output]}`, content: files[output]() };
    listed.push({ file: base, document: run.document.name, pages: run.pages.map(({ number, state, reason }) => ({ number, state, reason })) });
  }
  const manifest = { schema: "lectern.batch/1", id: batch.id, name: batch.name, state: batch.state, pages: await progressOf(db, batch.id), documents: listed, skipped: batch.skipped };
  yield { name: "manifest.json", content: Buffer.from(JSON.stringify(manifest, null, 2)) };
}
