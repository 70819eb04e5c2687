import type { DocumentPage } from "./document";

/** The published sizes of the model family; each has its own rule for the picture of a page. */
export type RenderModel = "0.8B" | "1B" | "4B";

const renderModels: Record<string, RenderModel> = { "lightonocr-3-0.8b": "0.8B", "lightonocr-3-1b": "1B", "lightonocr-3-4b": "4B" };

/** The rendering rule of a model of the catalogue; the embedded engine is given pages as the 0.8B would get them. */
export function renderModelOf(modelId: string): RenderModel {
  return renderModels[modelId] ?? "0.8B";
}

/** fast: 1540 px on the longest edge. standard: the model's own default. best: 400 DPI, at most 5 megapixels. */
export type RenderPreset = "fast" | "standard" | "best";

/** A page of a PDF in points (1/72 inch), or a picture in pixels. */
export type PageSize = { kind: "pdf"; widthPt: number; heightPt: number } | { kind: "image"; widthPx: number; heightPx: number };

/** The size of a page as inspection found it, in the form that `renderSize` takes. */
export function pageSizeOf(page: DocumentPage): PageSize {
  return "widthPt" in page ? { kind: "pdf", widthPt: page.widthPt, heightPt: page.heightPt } : { kind: "image", widthPx: page.widthPx, heightPx: page.heightPx };
}

/** Whole pixels, and how many tokens the picture costs the model without the chat template's ≈ 20. */
export type RenderSize = { width: number; height: number; imageTokens: number };

// https://github.com/lightonai/LightOnOCR, README and client: longest edge, and pixels on a side per image token.
const rules: Record<RenderModel, { longestEdge: number; hasBest: boolean; tokenEdge: number }> = {
  "0.8B": { longestEdge: 2048, hasBest: true, tokenEdge: 32 },
  "1B": { longestEdge: 1540, hasBest: false, tokenEdge: 28 },
  "4B": { longestEdge: 2048, hasBest: true, tokenEdge: 32 },
};

const fastEdge = 1540;
const bestPixels = 5_000_000;
const bestDpi = 400;
const maxSide = 10_000;

/**
 * The size at which a page is drawn for a model. PDF pages are drawn straight to the longest edge, small ones larger than they
 * are; pictures are only ever scaled down. The 1B has no "best": its processor scales everything to 1540 px. Each side is 1–10,000.
 */
export function renderSize({ model, preset, page }: { model: RenderModel; preset: RenderPreset; page: PageSize }): RenderSize {
  const rule = rules[model];
  const [w, h] = page.kind === "pdf" ? [page.widthPt, page.heightPt] : [page.widthPx, page.heightPx];
  const isBest = preset === "best" && rule.hasBest;
  const edge = preset === "fast" ? Math.min(fastEdge, rule.longestEdge) : rule.longestEdge;
  const fullScale = page.kind === "pdf" ? bestDpi / 72 : 1;
  const wanted = isBest ? Math.min(fullScale, Math.sqrt(bestPixels / (w * h))) : edge / Math.max(w, h);
  const scale = Math.min(wanted, page.kind === "image" ? 1 : Infinity, maxSide / Math.max(w, h));
  const width = clampSide(w * scale);
  const height = clampSide(h * scale);
  return { width, height, imageTokens: tokens(width, rule.tokenEdge) * tokens(height, rule.tokenEdge) };
}

function clampSide(pixels: number): number {
  return Math.min(maxSide, Math.max(1, Math.round(pixels)));
}

function tokens(pixels: number, tokenEdge: number): number {
  return Math.max(1, Math.round(pixels / tokenEdge));
}
