import { execFile, execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import sharp, { type Sharp } from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { defaultDocumentLimits as limits } from "@/lib/domain/document";
import { createRasteriser } from "./rasteriser";

const raster = createRasteriser(1);
afterAll(() => raster.close());

const [WIDE, HIGH] = [60, 40];
const RED = [220, 30, 30] as const;
const WHITE = [255, 255, 255] as const;

/** White, with a red block in its top left quarter: no two of the eight orientations look alike. */
function drawing(width = WIDE, height = HIGH): Sharp {
  const block = { create: { width: width / 2, height: height / 2, channels: 3 as const, background: { r: RED[0], g: RED[1], b: RED[2] } } };
  return sharp({ create: { width, height, channels: 3, background: "#fff" } }).composite([{ input: block, left: 0, top: 0 }]);
}

let drawn = 0;
async function draw(bytes: Buffer, name: string, number = 1) {
  const source = { id: `${(drawn += 1)}`, bytes: async () => Uint8Array.from(bytes) };
  const { pages } = await raster.inspect(source, { name, limits });
  const page = pages[number - 1];
  if (!page) throw new Error("no such page");
  const [width, height] = "widthPt" in page ? [Math.round(page.widthPt), Math.round(page.heightPt)] : [page.widthPx, page.heightPx];
  const rendered = await raster.renderPage(source, { number, width, height }, { name, limits });
  const { data, info } = await sharp(rendered.png).raw().toBuffer({ resolveWithObject: true });
  return { ...rendered, channels: info.channels, at: (x: number, y: number) => [...data.subarray((Math.round(y * height - 0.5) * width + Math.round(x * width - 0.5)) * info.channels).subarray(0, 3)] };
}
function expectColour(found: number[], wanted: readonly number[], tolerance = 12) {
  wanted.forEach((value, index) => expect(Math.abs((found[index] ?? 999) - value), `${found.join()} for ${wanted.join()}`).toBeLessThanOrEqual(tolerance));
}
const inTopLeft = async (page: Awaited<ReturnType<typeof draw>>, tolerance?: number) => {
  expectColour(page.at(0.25, 0.25), RED, tolerance);
  for (const [x, y] of [[0.75, 0.25], [0.25, 0.75], [0.75, 0.75]] as const) expectColour(page.at(x, y), WHITE, tolerance);
};

describe("pictures come out as they are meant", () => {
  // How the stored picture must be laid down so that a viewer which obeys the tag shows the drawing upright. Sharp mirrors before it turns.
  const stored: Record<number, (upright: Sharp) => Sharp> = {
    1: (image) => image,
    2: (image) => image.flop(),
    3: (image) => image.rotate(180),
    4: (image) => image.flip(),
    5: (image) => image.rotate(270).flop(),
    6: (image) => image.rotate(270),
    7: (image) => image.rotate(90).flop(),
    8: (image) => image.rotate(90),
  };
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("a photo with EXIF orientation %i", async (orientation) => {
    const upright = sharp(await drawing().png().toBuffer());
    const laid = await (stored[orientation] ?? ((image) => image))(upright).png().toBuffer();
    const page = await draw(await sharp(laid).withMetadata({ orientation }).jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer(), "photo.jpg");
    expect([page.width, page.height]).toEqual([WIDE, HIGH]);
    await inTopLeft(page);
  });

  it.each<[string, string, () => Promise<Buffer>, number?]>([
    ["CMYK", "scan.jpg", () => drawing().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer(), 60],
    ["16 bits a channel", "scan.png", () => drawing().toColourspace("rgb16").png().toBuffer()],
    ["a palette", "scan.png", () => drawing().png({ palette: true, colours: 4 }).toBuffer()],
    ["LZW in TIFF", "scan.tif", () => drawing().tiff({ compression: "lzw" }).toBuffer()],
    ["WebP", "scan.webp", () => drawing().webp({ lossless: true }).toBuffer()],
    ["GIF", "scan.gif", () => drawing().gif().toBuffer()],
    ["AVIF", "scan.avif", () => drawing(128, 128).avif({ quality: 90, chromaSubsampling: "4:4:4" }).toBuffer(), 25],
  ])("%s", async (_kind, name, make, tolerance) => {
    const page = await draw(await make(), name);
    expect(page.channels).toBe(3);
    await inTopLeft(page, tolerance);
  });

  it("alpha, on white paper", async () => {
    const clear = await sharp({ create: { width: 40, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } }).png().toBuffer();
    expectColour((await draw(clear, "clear.png")).at(0.5, 0.5), WHITE);
  });

  it("one bit a pixel", async () => {
    const black = { create: { width: 32, height: 16, channels: 3 as const, background: "#000" } };
    const image = await sharp({ create: { width: 64, height: 32, channels: 3, background: "#fff" } }).composite([{ input: black, left: 0, top: 0 }]).png().toBuffer();
    const page = await draw(await sharp(image).greyscale().tiff({ compression: "lzw", bitdepth: 1 }).toBuffer(), "fax.tif");
    expectColour(page.at(0.25, 0.25), [0, 0, 0]);
    expectColour(page.at(0.75, 0.75), WHITE);
  });

  it("a single pixel", async () => {
    expectColour((await draw(await sharp({ create: { width: 1, height: 1, channels: 3, background: "#0f0" } }).png().toBuffer(), "dot.png")).at(0.5, 0.5), [0, 255, 0]);
  });
});

/** A page of 200 × 100 points with a red block in its top left quarter. */
function pdf(extra: string, content = "0.863 0.118 0.118 rg 0 50 100 50 re f", font = ""): Buffer {
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] ${extra} /Contents 4 0 R >>`, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`, font].filter(Boolean);
  return Buffer.from(`%PDF-1.4\n${objects.map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`).join("")}trailer << /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF`);
}

describe("PDF pages come out as they are meant", () => {
  it.each([
    [0, 0.25, 0.25, [200, 100]],
    [90, 0.75, 0.25, [100, 200]],
    [180, 0.75, 0.75, [200, 100]],
    [270, 0.25, 0.75, [100, 200]],
  ] as const)("turned by %i degrees", async (degrees, x, y, size) => {
    const page = await draw(pdf(`/Rotate ${degrees}`), "page.pdf");
    expect([page.width, page.height]).toEqual(size);
    expectColour(page.at(x, y), RED);
    expectColour(page.at(1 - x, 1 - y), WHITE);
  });

  it("cut to the CropBox", async () => {
    const page = await draw(pdf("/CropBox [50 25 150 75]"), "page.pdf");
    expect([page.width, page.height]).toEqual([100, 50]);
    await inTopLeft(page);
  });

  it("whole, when the CropBox lies outside of the page", async () => {
    const page = await draw(pdf("/CropBox [500 500 600 600]"), "page.pdf");
    expect([page.width, page.height]).toEqual([200, 100]);
    await inTopLeft(page);
  });

  it("a page that is white because its font is missing is told from an empty one", async () => {
    const font = "<< /Type /Font /Subtype /Type0 /BaseFont /NoSuchFont /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /NoSuchFont /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /DW 1000 >>] >>";
    const text = await draw(pdf("/Resources << /Font << /F 5 0 R >> >>", "BT /F 20 Tf 20 40 Td <4F60597D> Tj ET", font), "chinese.pdf");
    expect(text.lacksFonts).toBe(true);
    expect((await draw(pdf("", ""), "empty-page.pdf")).lacksFonts).toBe(false);
  });
});

function hasPoppler(): boolean {
  try {
    execFileSync("pdftoppm", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn("Not compared with poppler: pdftoppm is not installed (Debian: poppler-utils).");
    return false;
  }
}

/** Mean difference of grey values, 0–255, after blurring: two renderers smooth edges each in their own way. */
const TOLERANCE = 6;

describe.skipIf(!hasPoppler())("the sample documents look as poppler draws them", () => {
  it.each([
    ["invoice-en.pdf", 1],
    ["columns-multipage.pdf", 1],
    ["columns-multipage.pdf", 8],
    ["columns-multipage.pdf", 15],
    ["form-10q-cover.pdf", 1],
    ["scan-simple.pdf", 1],
  ])("%s, page %i", async (name, number) => {
    const file = `public/samples/${name}`;
    const page = await draw(await readFile(file), name, number);
    const { stdout } = await promisify(execFile)("pdftoppm", ["-png", "-f", String(number), "-l", String(number), "-cropbox", "-scale-to-x", String(page.width), "-scale-to-y", String(page.height), file], { encoding: "buffer", maxBuffer: 1 << 28 });
    const grey = (image: Buffer) => sharp(image).resize({ width: page.width, height: page.height, fit: "fill" }).greyscale().blur(2).raw().toBuffer();
    const [ours, theirs] = await Promise.all([grey(page.png), grey(stdout)]);
    const difference = ours.reduce((sum, value, index) => sum + Math.abs(value - (theirs[index] ?? 0)), 0) / ours.length;
    expect(difference).toBeLessThan(TOLERANCE);
  });
});
