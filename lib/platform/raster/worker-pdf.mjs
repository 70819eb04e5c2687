import { PDFiumDocument, PDFiumLibrary } from "@hyzyla/pdfium";
import sharp from "sharp";
import { Refusal } from "./worker-type.mjs";

/** @type {Promise<PDFiumLibrary> | undefined} */
let library;

const letter = { width: 612, height: 792 };

/**
 * Takes a PDF in and opens it, with the empty password where there is one.
 * @param {number} byteLength @param {(target: Uint8Array, offset: number) => void} fill @param {() => void} check
 */
export async function openPdf(byteLength, fill, check) {
  library ??= PDFiumLibrary.init();
  const { module } = await library;
  const place = module.wasmExports.malloc(byteLength);
  if (!place) throw new Refusal("page_memory", { isPoisoned: true });
  fill(module.HEAPU8, place);
  const documentIdx = load(module, { place, byteLength, check });
  const pdf = new PDFiumDocument({ module, documentPtr: place, documentIdx });
  return {
    mediaType: "application/pdf",
    kind: "pdf",
    inspect: (limits) => inspectPages(pdf, limits),
    render: (page, size) => renderPage(pdf, page, size),
    close: () => pdf.destroy(),
  };
}

// fpdfview.h: FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY
const LOCKED = [4, 5];

function load(module, { place, byteLength, check }) {
  try {
    check();
    const documentIdx = module._FPDF_LoadMemDocument(place, byteLength, 0);
    if (!documentIdx) throw new Refusal(LOCKED.includes(module._FPDF_GetLastError()) ? "encrypted" : "corrupt");
    return documentIdx;
  } catch (error) {
    module.wasmExports.free(place);
    throw error;
  }
}

/** @param {import("@hyzyla/pdfium").PDFiumDocument} pdf @param {{ maxPages: number }} limits */
async function inspectPages(pdf, limits) {
  const count = pdf.getPageCount(); // may lie: a 300-byte file can claim a million
  if (count <= 0) throw new Refusal("no_pages");
  if (count > limits.maxPages) throw new Refusal("too_many_pages");
  const sizes = Array.from({ length: count }, (_, index) => pageSize(pdf, index));
  if (sizes.every((size) => !size)) throw new Refusal("no_pages");
  // A broken page keeps its place, so that the others can be read; drawing it fails with its own reason.
  return sizes.map((size, index) => ({ number: index + 1, widthPt: (size ?? letter).width, heightPt: (size ?? letter).height }));
}

/** Size in points as shown; of a page whose CropBox shows nothing, that of its MediaBox. Null for a page that is not there. */
function pageSize(pdf, index) {
  return sizeByIndex(pdf, index) ?? (showWholePage(pdf, index) ? sizeByIndex(pdf, index) : null);
}

/** Without parsing the page's content, which `getPage` would do for every page of the document. */
function sizeByIndex(pdf, index) {
  const { module, documentIdx } = pdf;
  const pointer = module.wasmExports.malloc(8);
  try {
    if (!module._FPDF_GetPageSizeByIndexF(documentIdx, index, pointer)) return null;
    const view = new DataView(module.HEAPU8.buffer, pointer, 8);
    const size = { width: view.getFloat32(0, true), height: view.getFloat32(4, true) };
    return size.width > 0 && size.height > 0 && Number.isFinite(size.width * size.height) ? size : null;
  } finally {
    module.wasmExports.free(pointer);
  }
}

/** ISO 32000 has the CropBox cut to the MediaBox; where nothing is left, viewers show the MediaBox. */
function showWholePage({ module, documentIdx }, index) {
  const page = module._FPDF_LoadPage(documentIdx, index);
  if (!page) return false;
  const sides = module.wasmExports.malloc(16);
  const hasBox = module._FPDFPage_GetMediaBox(page, sides, sides + 4, sides + 8, sides + 12);
  const view = new DataView(module.HEAPU8.buffer, sides, 16);
  const box = [0, 4, 8, 12].map((at) => view.getFloat32(at, true));
  module.wasmExports.free(sides);
  if (hasBox) module._FPDFPage_SetCropBox(page, ...box);
  module._FPDF_ClosePage(page);
  return Boolean(hasBox);
}

async function renderPage(pdf, number, size) {
  if (number > pdf.getPageCount() || !pageSize(pdf, number - 1)) throw new Refusal("page_failed");
  const { data } = await draw(pdf, number - 1, { ...size, scale: 1, render: "bitmap" });
  const png = await sharp(data, { raw: { ...size, channels: 4 } })
    .flatten({ background: "#fff" })
    .png()
    .toBuffer();
  return { png, lacksFonts: isBlank(data) && hasText(pdf, number - 1) };
}

/** Whether nothing is drawn: every pixel is white or clear. */
function isBlank(data) {
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] > 8 && (data[at] < 250 || data[at + 1] < 250 || data[at + 2] < 250)) return false;
  }
  return true;
}

/** Letters of a font that is not in the file and has no substitute here are drawn as nothing. */
function hasText(pdf, index) {
  try {
    return pdf.getPage(index).getText().trim() !== "";
  } catch {
    return false;
  }
}

/** Draws with filled form fields; a document whose form cannot be set up is drawn without. */
async function draw(pdf, index, options) {
  let hasForm = true;
  try {
    pdf.initializeFormFields();
  } catch {
    hasForm = false;
  }
  const page = pdf.getPage(index);
  if (page.getOriginalSize().originalWidth <= 0) throw new Refusal("page_failed");
  return page.render({ ...options, renderFormFields: hasForm });
}
