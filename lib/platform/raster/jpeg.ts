import "server-only";
import sharp from "sharp";

/** A page's own PNG (never a user's file) as JPEG, sRGB, for a PDF. */
export async function toJpeg(png: Uint8Array): Promise<Uint8Array> {
  return sharp(png).jpeg({ quality: 82, mozjpeg: false }).toBuffer();
}
