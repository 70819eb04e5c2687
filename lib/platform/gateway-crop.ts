import "server-only";
import sharp from "sharp";
import type { RenderedPage } from "./raster/rasteriser";

/** A part of a page that Lectern has drawn, as a JPEG data URL. Corners are pixels of the page's picture. */
export async function cropJpeg({ png, width, height }: RenderedPage, corners: { top_left_x: number; top_left_y: number; bottom_right_x: number; bottom_right_y: number }): Promise<string> {
  const left = Math.min(width - 1, corners.top_left_x);
  const top = Math.min(height - 1, corners.top_left_y);
  const size = { width: Math.max(1, Math.min(width, corners.bottom_right_x) - left), height: Math.max(1, Math.min(height, corners.bottom_right_y) - top) };
  const jpeg = await sharp(png).extract({ left, top, ...size }).jpeg({ quality: 85 }).toBuffer();
  return `data:image/jpeg;base64,${jpeg.toString("base64")}`;
}
