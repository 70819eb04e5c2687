import "server-only";
import { z } from "zod";
import { defaultDocumentLimits, DocumentPage } from "@/lib/domain/document";
import { renderSize, type PageSize, type RenderModel, type RenderPreset } from "@/lib/domain/document-rendering";
import { notFound } from "@/lib/domain/errors";
import { rasteriser, type RenderedPage } from "@/lib/platform/raster/rasteriser";
import type { FileAnswer } from "@/lib/platform/door";
import { documentStore, environmentOfDocument, readableDocument } from "./document-access";
import { read } from "./operation";

type StoredDocument = { environmentId: string; storageKey: string; name: string; pages: unknown };
export type PageView = { number: number; model: RenderModel; preset: RenderPreset };

const RENDER_MODELS: Record<string, RenderModel> = { "lightonocr-3-0.8b": "0.8B", "lightonocr-3-1b": "1B", "lightonocr-3-4b": "4B" };

/** The rendering rule of a model of the catalogue; the embedded engine is given pages as the 0.8B would get them. */
export function renderModelOf(modelId: string): RenderModel {
  return RENDER_MODELS[modelId] ?? "0.8B";
}

function sizeOf(page: DocumentPage): PageSize {
  return "widthPt" in page ? { kind: "pdf", widthPt: page.widthPt, heightPt: page.heightPt } : { kind: "image", widthPx: page.widthPx, heightPx: page.heightPx };
}

/** Draws one page as the model is shown it. Throws DocumentError, or `not_found` for a page that is not there. */
export async function drawPage(document: StoredDocument, view: PageView, signal?: AbortSignal): Promise<RenderedPage> {
  const page = z.array(DocumentPage).parse(document.pages).find((each) => each.number === view.number);
  if (!page) throw notFound("page");
  const { width, height } = renderSize({ model: view.model, preset: view.preset, page: sizeOf(page) });
  const ref = { key: document.storageKey, environment: document.environmentId, purpose: "original" as const };
  const source = { id: ref.key, bytes: () => documentStore().readBytes(ref) };
  return rasteriser().renderPage(source, { number: view.number, width, height }, { name: document.name, limits: defaultDocumentLimits, ...(signal ? { signal } : {}) });
}

export const documentsPage = read({
  name: "documents.page",
  summary: "The picture of one page, exactly as the model is shown it",
  permission: "document.read",
  environment: environmentOfDocument,
  answers: "file",
  input: z.strictObject({ id: z.uuid(), number: z.number().int().min(1), modelId: z.string().max(60), preset: z.enum(["fast", "standard", "best"]) }),
  output: z.custom<FileAnswer>(),
  run: async ({ caller, db, input, signal }) => {
    const document = await readableDocument(db, caller.actor, input.id);
    const { png } = await drawPage(document, { number: input.number, model: renderModelOf(input.modelId), preset: input.preset }, signal);
    return { body: new Uint8Array(png), mediaType: "image/png", bytes: png.byteLength };
  },
});
