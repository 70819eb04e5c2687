import "server-only";
import { fileTypeFromBuffer } from "file-type";
import sharp, { type OutputInfo } from "sharp";
import { EngineError } from "./engine-error";
import type { Size } from "./scan";

/** A page picture as the client sees it (EXIF orientation applied): its size, and the grey PNG that Tesseract gets. */
export type Picture = { sent: Size; page: PagePng };

export type PagePng = Size & { png: Buffer };

/** Degrees clockwise. */
export type Turn = 0 | 90 | 180 | 270;

const ACCEPTED = ["image/png", "image/jpeg", "image/webp", "image/tiff", "image/gif", "image/avif"];
const FIELD = { param: "messages" };
const MAX_PIXELS = 50e6;
const MIN_SIDE = 16; // Tesseract fails on pictures of a pixel or two
/** Longest side that a picture is brought to: small ones are read best at 2600 px; enlarged beyond 2150, those of 1900 and more take a fifth longer and are read no better. */
const longestSideFor = (sent: number) => (sent < 1900 ? 2600 : Math.min(2600, Math.max(2150, sent)));
const MAX_ENLARGEMENT = 2.5;

/**
 * Decodes a picture and brings it to the size that Tesseract reads best.
 * @throws EngineError BadRequestError when the bytes are no picture of an accepted type, damaged, too large or too small.
 */
export async function preparePicture(bytes: Buffer): Promise<Picture> {
  const type = await fileTypeFromBuffer(bytes);
  if (!type || !ACCEPTED.includes(type.mime)) {
    throw new EngineError(
      "BadRequestError",
      "The image is not a PNG, JPEG, WebP, TIFF, GIF or AVIF picture; convert it to PNG or JPEG.",
      FIELD,
    );
  }
  try {
    const upright = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" })
      .autoOrient()
      .flatten({ background: "#fff" })
      .toColourspace("srgb")
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return await enlarge(upright.data, upright.info);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const isTooLarge = error instanceof Error && error.message.includes("exceeds pixel limit");
    const cause = isTooLarge
      ? `has more than ${MAX_PIXELS / 1e6} million pixels; make it smaller`
      : "cannot be decoded: it is damaged or incomplete";
    throw new EngineError("BadRequestError", `The image ${cause}.`, FIELD);
  }
}

async function enlarge(data: Buffer, info: OutputInfo): Promise<Picture> {
  const sent = { width: info.width, height: info.height };
  if (Math.min(sent.width, sent.height) < MIN_SIDE) {
    throw new EngineError(
      "BadRequestError",
      `The image is ${sent.width} × ${sent.height} pixels; each side needs at least ${MIN_SIDE}.`,
      FIELD,
    );
  }
  const longest = Math.max(sent.width, sent.height);
  const factor = Math.min(MAX_ENLARGEMENT, longestSideFor(longest) / longest);
  const size = { width: Math.max(1, Math.round(sent.width * factor)), height: Math.max(1, Math.round(sent.height * factor)) };
  const png = await sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
    .resize({ ...size, fit: "fill", kernel: "cubic" })
    .toColourspace("b-w")
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { sent, page: { ...size, png } };
}

/** The page turned clockwise. */
export async function turnPage(page: PagePng, turn: Turn): Promise<PagePng> {
  const { data, info } = await sharp(page.png).rotate(turn).png({ compressionLevel: 1 }).toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}
