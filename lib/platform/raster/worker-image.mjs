import sharp from "sharp";
import { Refusal } from "./worker-type.mjs";

sharp.cache(false); // nothing of a document stays behind in libvips' cache
sharp.concurrency(1); // the pool already has a worker per core

const bytesPerChannel = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4, float: 4, complex: 8, double: 8, dpcomplex: 16 };

/** @param {Uint8Array} bytes @param {string} mediaType */
export async function openImage(bytes, mediaType) {
  return {
    mediaType,
    kind: "image",
    inspect: (limits) => inspectPages(bytes, mediaType, limits),
    render: (page, size, limits) => renderPage(bytes, page, { size, limits }),
    close: () => undefined,
  };
}

async function inspectPages(bytes, mediaType, limits) {
  const first = await header(bytes, 0);
  const count = mediaType === "image/tiff" ? (first.pages ?? 1) : 1; // of moving pictures only the first frame is a page
  if (count > limits.maxPages) throw new Refusal("too_many_pages");
  const pages = [];
  for (let index = 0; index < count; index += 1) {
    const page = index === 0 ? first : await header(bytes, index).catch(() => first);
    checkSize(page, limits);
    pages.push({ number: index + 1, widthPx: page.autoOrient.width, heightPx: page.autoOrient.height });
  }
  return pages;
}

/** What the header says, without decoding and therefore without sharp's own limit. */
function header(bytes, page) {
  return sharp(bytes, { page, limitInputPixels: false }).metadata();
}

function checkSize({ width, height, pageHeight, channels, depth }, limits) {
  const pixels = width * (pageHeight ?? height);
  const isTooBig = pixels > limits.maxPixelsPerPage || pixels * channels * (bytesPerChannel[depth] ?? 1) > limits.maxDecodedBytesPerPage;
  if (isTooBig) throw new Refusal("too_many_pixels");
}

async function renderPage(bytes, number, { size, limits }) {
  const image = sharp(bytes, { page: number - 1, limitInputPixels: limits.maxPixelsPerPage, failOn: "error" });
  const page = await header(bytes, number - 1).catch(() => {
    throw new Refusal("corrupt");
  });
  checkSize(page, limits);
  const isScaled = page.autoOrient.width !== size.width || page.autoOrient.height !== size.height;
  const upright = image.autoOrient().flatten({ background: "#fff" });
  const fitted = isScaled ? upright.resize({ ...size, fit: "fill", kernel: "lanczos3" }) : upright;
  const png = await fitted
    .toColourspace("srgb")
    .png()
    .toBuffer()
    .catch((/** @type {Error} */ error) => {
      throw new Refusal(/pixel limit/i.test(error.message) ? "too_many_pixels" : "corrupt");
    });
  return { png, lacksFonts: false };
}
