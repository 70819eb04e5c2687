import "server-only";
import { z } from "zod";
import { DocumentPage } from "@/lib/domain/document";
import { pageSizeOf, renderModelOf, renderSize, type RenderModel, type RenderPreset } from "@/lib/domain/document-rendering";
import { DomainError, notFound } from "@/lib/domain/errors";
import { rasteriser, type RenderedPage } from "@/lib/platform/raster/rasteriser";
import type { FileAnswer } from "@/lib/platform/door";
import type { Db } from "@/lib/platform/db";
import { environmentOfDocument, readableDocument, storeOf } from "./document-access";
import { limitsIn } from "./document-limits";
import { read } from "./operation";

type StoredDocument = { environmentId: string; storageKey: string; heldBy: string | null; name: string; bytes: bigint; pages: unknown };
/** `maxEdge` bounds the longest side, for thumbnails and for what is shown while the full picture comes. */
export type PageView = { number: number; model: RenderModel; preset: RenderPreset; maxEdge?: number | undefined; signal?: AbortSignal | undefined };

/** The preset that runs.start or runs.readAgain wrote. */
export function presetOf(stored: string): RenderPreset {
  return stored === "fast" || stored === "best" ? stored : "standard";
}

/** Draws one page as the model is shown it, or smaller. Throws DocumentError, or `not_found` for a page that is not there. */
export async function drawPage(db: Db, document: StoredDocument, view: PageView): Promise<RenderedPage> {
  const page = z.array(DocumentPage).parse(document.pages).find((each) => each.number === view.number);
  if (!page) throw notFound("page");
  const size = shrunk(renderSize({ model: view.model, preset: view.preset, page: pageSizeOf(page) }), view.maxEdge);
  const ref = { key: document.storageKey, environment: document.environmentId, purpose: "original" as const };
  const source = { id: ref.key, bytes: async () => ({ byteLength: Number(document.bytes), pieces: await storeOf(document).read(ref) }) };
  const limits = await limitsIn(db, document.environmentId);
  return rasteriser().renderPage(source, { number: view.number, ...size }, { name: document.name, limits, ...(view.signal ? { signal: view.signal } : {}) });
}

function shrunk({ width, height }: { width: number; height: number }, maxEdge = Infinity): { width: number; height: number } {
  const scale = Math.min(1, maxEdge / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

export const documentsPage = read({
  name: "documents.page",
  summary: "The picture of one page, exactly as the model is shown it; with maxEdge a smaller one",
  permission: "document.read",
  environment: environmentOfDocument,
  answers: "file",
  input: z.strictObject({ id: z.uuid(), number: z.number().int().min(1), modelId: z.string().max(60), preset: z.enum(["fast", "standard", "best"]), maxEdge: z.number().int().min(64).max(2048).optional() }),
  output: z.custom<FileAnswer>(),
  run: async ({ caller, db, input, signal }) => {
    const document = await readableDocument(db, caller.actor, input.id);
    const view = { number: input.number, model: renderModelOf(input.modelId), preset: input.preset, maxEdge: input.maxEdge, signal };
    const { png } = await drawPage(db, document, view).catch((error: unknown) => {
      if (signal?.aborted) throw new DomainError("unavailable", "The picture was no longer wanted."); // nobody hears it: the browser has scrolled on
      throw error;
    });
    return { body: new Uint8Array(png), mediaType: "image/png", bytes: png.byteLength };
  },
});
