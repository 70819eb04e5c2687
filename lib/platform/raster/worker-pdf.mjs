import { PDFiumLibrary } from "@hyzyla/pdfium";
import sharp from "sharp";
import { Refusal } from "./worker-type.mjs";

/** @type {Promise<PDFiumLibrary> | undefined} */
let library;

const letter = { width: 612, height: 792 };

/** @param {Uint8Array} bytes */
export async function openPdf(bytes) {
  library ??= PDFiumLibrary.init();
  const pdf = await (await library).loadDocument(bytes).catch((/** @type {Error} */ error) => {
    throw /password|security/i.test(error.message) ? new Refusal("encrypted") : error;
  });
  return {
    mediaType: "application/pdf",
    kind: "pdf",
    inspect: (limits) => inspectPages(pdf, limits),
    render: (page, size) => renderPage(pdf, page, size),
    close: () => pdf.destroy(),
  };
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

/** Size in points without parsing the page's content, which `getPage` would do for every page of the document. */
function pageSize(pdf, index) {
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
