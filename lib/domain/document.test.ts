import { describe, expect, it } from "vitest";
import { acceptedTypes, defaultDocumentLimits, describeLimits, DocumentLimits, fileExtension, MediaType } from "./document";
import { documentError, type DocumentReason } from "./document-failure";
import { renderSize, type PageSize, type RenderModel, type RenderPreset } from "./document-rendering";

const a4: PageSize = { kind: "pdf", widthPt: 595.28, heightPt: 841.89 };
const letter: PageSize = { kind: "pdf", widthPt: 612, heightPt: 792 };
const image = (widthPx: number, heightPx: number): PageSize => ({ kind: "image", widthPx, heightPx });
const pdf = (widthPt: number, heightPt: number): PageSize => ({ kind: "pdf", widthPt, heightPt });

describe("rendering rule", () => {
  it.each<[RenderModel, RenderPreset, PageSize, [number, number, number]]>([
    ["4B", "fast", a4, [1089, 1540, 34 * 48]],
    ["0.8B", "standard", a4, [1448, 2048, 45 * 64]],
    ["4B", "standard", letter, [1583, 2048, 49 * 64]],
    ["4B", "best", letter, [1966, 2544, 61 * 80]],
    ["1B", "standard", a4, [1089, 1540, 39 * 55]],
    ["1B", "best", letter, [1190, 1540, 43 * 55]],
    ["0.8B", "standard", pdf(72, 36), [2048, 1024, 64 * 32]],
    ["0.8B", "best", pdf(72, 36), [400, 200, 13 * 6]],
    ["0.8B", "standard", image(300, 200), [300, 200, 9 * 6]],
    ["0.8B", "best", image(300, 200), [300, 200, 9 * 6]],
    ["4B", "standard", image(4096, 1024), [2048, 512, 64 * 16]],
    ["4B", "best", image(4000, 5000), [2000, 2500, 63 * 78]],
    ["1B", "fast", image(1, 9000), [1, 1540, 55]],
    ["4B", "best", pdf(200_000, 1), [10_000, 1, 313]],
    ["4B", "standard", pdf(1e9, 1e9), [2048, 2048, 4096]],
  ])("%s %s %o", (model, preset, ...[page, [width, height, imageTokens]]) => {
    expect(renderSize({ model, preset, page })).toEqual({ width, height, imageTokens });
  });
});

describe("bad files", () => {
  const reasons: DocumentReason[] = [
    "encrypted", "empty", "corrupt", "no_pages", "too_large", "too_many_pages", "too_many_pixels",
    "unsupported_type", "name_mismatch", "page_timeout", "page_memory", "page_failed",
  ]; // prettier-ignore

  it.each(reasons)("%s: one sentence with cause and remedy", (reason) => {
    const error = documentError(reason, { limits: defaultDocumentLimits, name: "scan.pdf", detected: "png" });
    expect(error.reason).toBe(reason);
    expect(error.message).toMatch(/^[A-Z][^.]+(?:\.[a-z]+[^.]+)?[;,] .+[a-zA-Z)]\.$/);
    expect(error.message).not.toMatch(/undefined|NaN/);
  });

  it("names the limit that was in force", () => {
    const limits = DocumentLimits.parse({ maxBytes: 3 * 1024 * 1024, maxPages: 7, maxPixelsPerPage: 9e6, pageTimeoutMs: 4000 });
    const say = (reason: DocumentReason) => documentError(reason, { limits }).message;
    expect(say("too_large")).toContain("3 MB");
    expect(say("too_many_pages")).toContain("7;");
    expect(say("too_many_pixels")).toContain("9 megapixels");
    expect(say("page_timeout")).toContain("4 seconds");
    expect(describeLimits(limits)).toContain("up to 3 MB, 7 pages and 9 megapixels a page");
  });

  it.each([
    ["IMG_1.HEIC", undefined, "JPEG"],
    ["logo.svg", "xml", "PDF or PNG"],
    ["logo.svg", undefined, "PDF or PNG"],
    ["x", "zip", "unpack"],
    ["x", "docx", "as PDF"],
    ["old.doc", "cfb", "as PDF"],
    ["x.bmp", "bmp", "PNG or JPEG"],
    ["x.jxl", "jxl", "PNG or JPEG"],
    ["x.exe", "exe", "PDF, PNG or JPEG"],
  ])("%s (%s): says how to convert", (name, detected, remedy) => {
    expect(documentError("unsupported_type", { limits: defaultDocumentLimits, name, detected }).message).toContain(remedy);
  });

  it("says how to convert what renaming would not help", () => {
    const say = (detected: string) => documentError("name_mismatch", { limits: defaultDocumentLimits, name: "photo.jpg", detected }).message;
    expect(say("heic")).toBe("The name ends in .jpg, but the content is HEIC; export the photo as JPEG.");
    expect(say("exe")).toContain("save the document as PDF, PNG or JPEG.");
  });

  it("names both sides of a mismatch", () => {
    const { message, code } = documentError("name_mismatch", { limits: defaultDocumentLimits, name: "scan.pdf", detected: "png" });
    expect(message).toContain(".pdf");
    expect(message).toContain("PNG");
    expect(code).toBe("unsupported_type");
  });
});

describe("types and names", () => {
  it("accepts exactly the types that can be decoded", () => {
    expect(MediaType.options).toEqual(Object.keys(acceptedTypes));
    expect(MediaType.safeParse("image/svg+xml").success).toBe(false);
  });

  it.each([
    ["a.PDF", "pdf"],
    ["a.tar.gz", "gz"],
    ["noname", ""],
    ["evil.pdf\u202Egnp", ""],
    [".", ""],
  ])("%s ends in %s", (name, ending) => {
    expect(fileExtension(name)).toBe(ending);
  });
});
