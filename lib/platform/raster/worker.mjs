// Runs in a worker thread, plain JavaScript on purpose: it is started from this file and no bundler may touch it.
// It holds at most one document, gets only bytes, and has no environment; rasteriser.ts holds the limits and kills it.
import { parentPort } from "node:worker_threads";
import { openImage } from "./worker-image.mjs";
import { openPdf } from "./worker-pdf.mjs";
import { Refusal, sniff } from "./worker-type.mjs";

/**
 * @typedef {import("./protocol").WorkerRequest} WorkerRequest
 * @typedef {{ mediaType: string, kind: "pdf" | "image", inspect(limits: object): Promise<object[]>,
 *   render(page: number, size: {width: number, height: number}, limits: object): Promise<{ png: Buffer, lacksFonts: boolean }>, close(): void }} OpenDocument
 */

/** @type {{ id: string, document: OpenDocument } | null} */
let current = null;

/** @param {WorkerRequest} request */
async function open(request) {
  if (current && current.id === request.documentId) return current.document;
  close();
  if (!request.bytes) throw new Error("The worker was asked for a document that it does not hold.");
  const mediaType = await sniff(request.bytes, request.name, request.limits);
  const document = mediaType === "application/pdf" ? await openPdf(request.bytes) : await openImage(request.bytes, mediaType);
  current = { id: request.documentId, document };
  return document;
}

function close() {
  current?.document.close();
  current = null;
}

/** @param {WorkerRequest} request */
async function answer(request) {
  const document = await open(request);
  if (request.kind === "inspect") {
    const pages = await document.inspect(request.limits);
    return { inspected: { mediaType: document.mediaType, kind: document.kind, pages } };
  }
  const { png, lacksFonts } = await document.render(request.page, request.size, request.limits);
  return { png: new Uint8Array(png), lacksFonts };
}

/** @param {unknown} error @param {"inspect" | "render"} kind */
function failure(error, kind) {
  if (error instanceof Refusal) return { reason: error.reason, detected: error.detected, isPoisoned: error.isPoisoned };
  const message = error instanceof Error ? error.message : "";
  const isPoisoned = !(error instanceof Error) || error instanceof WebAssembly.RuntimeError || /abort/i.test(message);
  if (/memory|OOM|allocat/i.test(message)) return { reason: "page_memory", isPoisoned: true };
  return { reason: kind === "inspect" ? "corrupt" : "page_failed", isPoisoned };
}

parentPort?.on("message", async (/** @type {WorkerRequest} */ request) => {
  try {
    const result = await answer(request);
    parentPort?.postMessage({ ok: true, ...result }, result.png ? [result.png.buffer] : []);
  } catch (error) {
    parentPort?.postMessage({ ok: false, ...failure(error, request.kind) });
  }
});
