// Runs in a process of its own, plain JavaScript on purpose: it is started from this file and no bundler may touch it.
// It holds at most one document, gets only bytes, and has no environment; worker-process.ts holds the limits and kills it.
import { openImage } from "./worker-image.mjs";
import { readAll, readInto } from "./worker-input.mjs";
import { openPdf } from "./worker-pdf.mjs";
import { checkName, detect, looksLikePdf, Refusal } from "./worker-type.mjs";

/**
 * @typedef {import("./protocol").WorkerRequest} WorkerRequest
 * @typedef {{ mediaType: string, kind: "pdf" | "image", inspect(limits: object): Promise<object[]>,
 *   render(page: number, size: {width: number, height: number}, limits: object): Promise<{ png: Buffer, lacksFonts: boolean }>, close(): void }} OpenDocument
 */

const HEAD_BYTES = 64 * 1024;

/** @type {{ id: string, document: OpenDocument } | null} */
let current = null;

/** @param {WorkerRequest} request */
async function open(request) {
  if (current && current.id === request.documentId) return current.document;
  close();
  if (request.byteLength === undefined) throw new Error("The worker was asked for a document that it does not hold.");
  current = { id: request.documentId, document: await receive(request) };
  return current.document;
}

/** Takes a document in; a PDF goes straight to where PDFium reads it, so that it is in memory once. @param {WorkerRequest} request */
async function receive({ byteLength, name }) {
  const head = readAll(Math.min(byteLength, HEAD_BYTES));
  const rest = byteLength - head.length;
  if (await looksLikePdf(head)) {
    const fill = (target, offset) => (target.set(head, offset), readInto(target, offset + head.length, rest));
    return openPdf(byteLength, fill, () => checkName("application/pdf", name));
  }
  const bytes = readAll(rest, head);
  const found = await detect(bytes);
  checkName(found.mime, name, found.ext);
  return openImage(bytes, found.mime);
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

async function hear(/** @type {WorkerRequest} */ request) {
  try {
    process.send?.({ ok: true, ...(await answer(request)) });
  } catch (error) {
    process.send?.({ ok: false, ...failure(error, request.kind) });
  }
  if (request.kind === "render") globalThis.gc?.(); // pictures lie outside of the heap: left alone, several pages' worth would wait to be collected
}

if (process.argv.includes("--check")) {
  console.log("ready");
  process.exit();
}
process.on("message", hear);
process.on("disconnect", () => process.exit()); // the server is gone
