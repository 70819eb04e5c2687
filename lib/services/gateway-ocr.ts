import "server-only";
import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Caller } from "@/lib/domain/caller";
import type { DocumentLimits, DocumentPage } from "@/lib/domain/document";
import { pageSizeOf, renderModelOf, renderSize } from "@/lib/domain/document-rendering";
import { DomainError } from "@/lib/domain/errors";
import { FieldRefused } from "@/lib/domain/gateway-chat";
import { parseGrounding } from "@/lib/domain/grounding";
import { parseOcrRequest, type OcrOptions, type OcrRequest } from "@/lib/domain/mistral-ocr";
import { toOcrPage, type OcrPage } from "@/lib/domain/mistral-ocr-page";
import { cropJpeg } from "@/lib/platform/gateway-crop";
import { mistralError } from "@/lib/platform/gateway-errors";
import type { Lifted } from "@/lib/platform/gateway-lift";
import { PRIVATE_HEADERS } from "@/lib/platform/problem";
import { rasteriser, type RasterSource } from "@/lib/platform/raster/rasteriser";
import { limitsIn } from "./document-limits";
import { admit, type Gateway } from "./gateway";
import type { Offer } from "./gateway-engines";
import { readPicture } from "./gateway-read";
import { readyOffers } from "./gateway-route";

const MAX_BODY_BYTES = 96 * 1024 * 1024; // the environment's own limit is checked once the document is known
const PAGES_AT_ONCE = 8;

type Document = { source: RasterSource; bytes: number; limits: DocumentLimits; pages: DocumentPage[] };
type Job = { gateway: Gateway; caller: Caller; offers: Offer[]; document: Document; options: OcrOptions; signal: AbortSignal };

/** Answers `POST /v1/ocr`, in the form of Mistral's OCR API. */
export async function answerOcr(gateway: Gateway, request: Request): Promise<Response> {
  const requestId = randomUUID();
  let leave = () => {};
  const source = { id: `gateway-${requestId}` };
  try {
    const { caller, body, leave: leaving } = await admit(gateway, request, { requestId, maxBytes: MAX_BODY_BYTES });
    leave = leaving;
    const ocr = parseOcrRequest(body.value);
    const offers = ocr.model && !/^mistral-ocr/i.test(ocr.model) ? await readyOffers(gateway, { caller, signal: request.signal }, ocr.model) : await usualOffer(gateway, caller);
    const answer = await readDocument(gateway, { caller, offers, ocr, lower: body.lower, sourceId: source.id, signal: request.signal });
    return Response.json(answer, { headers: { ...PRIVATE_HEADERS, "X-Request-Id": requestId } });
  } catch (error) {
    return request.signal.aborted ? new Response(null, { status: 499 }) : mistralError(error, requestId); // nobody is there to read it
  } finally {
    leave();
    rasteriser().forget(source.id);
  }
}

/** What a client means that still names Mistral's model: the newest ready deployment of its one environment, else the embedded engine. */
async function usualOffer(gateway: Gateway, caller: Caller): Promise<Offer[]> {
  const ready = (await gateway.offers(caller.actor)).filter((offer) => offer.state === "ready");
  if (new Set(ready.map(({ environment }) => environment.id)).size > 1)
    throw new DomainError("conflict", `This token may use several environments: name the model, such as ${ready.slice(0, 4).map(({ environment, name }) => `${environment.slug}/${name}`).join(", ")}, or use a token for one environment.`);
  const [best] = ready.sort((a, b) => Number(b.deploymentId !== null) - Number(a.deploymentId !== null) || b.createdAt.getTime() - a.createdAt.getTime());
  if (!best) throw new DomainError("not_found", "There is no engine that this token may use. Deploy a model, or give the token the permission to have documents read.");
  return [best];
}

type Asked = { caller: Caller; offers: Offer[]; ocr: OcrRequest; lower: Lifted["lower"]; sourceId: string; signal: AbortSignal };

async function readDocument(gateway: Gateway, { caller, offers, ocr, lower, sourceId, signal }: Asked): Promise<unknown> {
  const [offer] = offers;
  if (!offer) throw new DomainError("unavailable", "No engine of that name is ready.", { retryAfterSeconds: 5 });
  const document = await openDocument(gateway, { ocr, lower, offer, sourceId, signal });
  await (await gateway.meter()).pages({ token: caller.tokenId, user: caller.actor.userId ?? "", environment: offer.environment.id }, document.pages.length);
  const failed = new AbortController(); // the first page that fails ends the others: the answer is whole or an error
  setMaxListeners(0, failed.signal, signal); // each page hears of the end, several times over
  const job = { gateway, caller, offers, document, options: ocr.options, signal: AbortSignal.any([signal, failed.signal]) };
  const pages = await inParallel(document.pages, (page) => readOne(job, page)).catch((error: unknown) => {
    failed.abort();
    throw error;
  });
  return { pages, model: `${offer.environment.slug}/${offer.name}`, document_annotation: null, usage_info: { pages_processed: pages.length, doc_size_bytes: document.bytes } };
}

async function openDocument({ db }: Gateway, { ocr, lower, offer, sourceId, signal }: Omit<Asked, "caller" | "offers"> & { offer: Offer }): Promise<Document> {
  const limits = await limitsIn(db, offer.environment.id);
  const content = Buffer.from(Buffer.concat(lower(ocr.base64)).toString("latin1"), "base64");
  if (content.byteLength > limits.maxBytes) throw new DomainError("too_large", `The document has ${Math.ceil(content.byteLength / 1024 / 1024)} MB; this environment takes ${Math.floor(limits.maxBytes / 1024 / 1024)} MB.`);
  const source = { id: sourceId, bytes: async () => new Uint8Array(content) }; // a fresh array: it is moved into the worker
  const inspected = await rasteriser().inspect(source, { name: "document", limits, signal });
  const outside = ocr.pages?.find((index) => index >= inspected.pages.length);
  if (outside !== undefined) throw new FieldRefused(`The document has ${inspected.pages.length} pages, numbered from 0; page ${outside} was asked for.`, "pages");
  return { source, limits, bytes: content.byteLength, pages: inspected.pages.filter(({ number }) => !ocr.pages || ocr.pages.includes(number - 1)) };
}

async function readOne({ gateway, caller, offers, document, options, signal }: Job, page: DocumentPage): Promise<OcrPage & { lectern?: { state: string } }> {
  const size = pageSizeOf(page);
  const { width, height } = renderSize({ model: renderModelOf(offers[0]?.modelId ?? ""), preset: "standard", page: size });
  const picture = await rasteriser().renderPage(document.source, { number: page.number, width, height }, { name: "document", limits: document.limits, signal });
  const { text, isCut } = await readPicture(gateway, { offers, userId: caller.actor.userId, tokenId: caller.tokenId, png: picture.png, signal });
  const dpi = size.kind === "pdf" ? Math.max(1, Math.round(width / (size.widthPt / 72))) : 72;
  const answer = toOcrPage({ index: page.number - 1, width, height, dpi, blocks: parseGrounding(text) }, options);
  if (options.includesImages) for (const image of answer.images) image.image_base64 = await cropJpeg(picture, image);
  return isCut ? { ...answer, lectern: { state: "truncated" } } : answer;
}

/** Runs over the items, a few at once, in order of result; stops with the first failure. */
async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T); // at is within the list
  };
  await Promise.all(Array.from({ length: Math.min(PAGES_AT_ONCE, items.length) }, lane));
  return results;
}
