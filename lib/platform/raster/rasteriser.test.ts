import { readFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { acceptedTypes, defaultDocumentLimits, DocumentLimits } from "@/lib/domain/document";
import { renderSize } from "@/lib/domain/document-rendering";
import { createRasteriser, type RasterSource } from "./rasteriser";
import { endings } from "./worker-type.mjs";

const raster = createRasteriser(2);
afterAll(() => raster.close());

const limits = defaultDocumentLimits;
const hostile = ["zero-pages.pdf", "slow-shading.pdf", "bomb-20000x20000.png", "huge-page.pdf"];
const folderOf = (name: string) => (hostile.includes(name) ? "lib/platform/raster/fixtures" : "public/samples");
const sample = (name: string): RasterSource => ({ id: name, bytes: () => readFile(path.join(folderOf(name), name)) });
const made = (id: string, content: Uint8Array | string): RasterSource => ({ id, bytes: async () => Uint8Array.from(Buffer.from(content)) });
const page = (number: number, width: number, height: number) => ({ number, width, height });

/** A one-page PDF; `extra` goes into the page's dictionary, `content` is its content stream. */
function pdf({ extra = "/MediaBox [0 0 200 100]", content = "", count = 1 }) {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [3 0 R] /Count ${count} >>`,
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${extra} >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  return `%PDF-1.4\n${objects.map((body, i) => `${i + 1} 0 obj\n${body}\nendobj\n`).join("")}trailer << /Root 1 0 R /Size 5 >>\n%%EOF`;
}

async function darkShare(png: Buffer): Promise<number> {
  const { data } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  return data.filter((value) => value < 128).length / data.length;
}

describe("inspection", () => {
  it.each<[string, string, number, object | undefined]>([
    ["invoice-en.pdf", "application/pdf", 1, { number: 1, widthPt: 612, heightPt: 792 }],
    ["columns-multipage.pdf", "application/pdf", 15, { number: 1, widthPt: 612, heightPt: 792 }],
    ["receipt-thermal.jpg", "image/jpeg", 1, undefined],
    ["multilingual.tif", "image/tiff", 1, undefined],
    ["form-boxes.png", "image/png", 1, undefined],
  ])("%s is %s with %i page(s)", async (name, ...[mediaType, count, first]) => {
    const found = await raster.inspect(sample(name), { name, limits });
    expect(found.mediaType).toBe(mediaType);
    expect(found.pages).toHaveLength(count);
    if (first) expect(found.pages[0]).toEqual(first);
    else expect(found.pages[0]).toHaveProperty("widthPx");
  });

  it.each([
    ["encrypted.pdf", "encrypted"],
    ["corrupt.pdf", "corrupt"],
    ["empty.pdf", "empty"],
    ["zero-pages.pdf", "no_pages"],
    ["bomb-20000x20000.png", "too_many_pixels"],
  ])("%s is refused as %s", async (name, reason) => {
    await expect(raster.inspect(sample(name), { name, limits })).rejects.toMatchObject({ reason });
  });

  const png = sharp({ create: { width: 8, height: 6, channels: 3, background: "red" } }).png();
  it.each<[string, () => Promise<Uint8Array | string>, string | null]>([
    ["a.jpg", () => png.toBuffer(), "name_mismatch"],
    ["a.txt", () => png.toBuffer(), "name_mismatch"],
    ["a.pdf", () => png.toBuffer(), "name_mismatch"],
    ["pasted", () => png.toBuffer(), null],
    ["A.PNG", () => png.toBuffer(), null],
    ["a.png", async () => pdf({}), "name_mismatch"],
    ["junk.pdf", async () => `\n\njunk before\n${pdf({})}`, null],
    ["noise.pdf", async () => "no header at all", "corrupt"],
    ["a.svg", async () => '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', "unsupported_type"],
    ["a.svg", async () => '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "unsupported_type"],
    ["a.png", async () => '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "name_mismatch"],
    ["a.html", async () => "<html><script>1</script></html>", "unsupported_type"],
    ["a.zip", async () => Buffer.from("504b0304140000000000", "hex"), "unsupported_type"],
    ["a.bmp", async () => Buffer.from(`BM${"\0".repeat(60)}`), "unsupported_type"],
    ["lies.pdf", async () => pdf({ count: 1_000_000 }), "too_many_pages"],
  ])("%s: type by content and name (%#)", async (name, content, ...[reason]) => {
    const found = raster.inspect(made(`${name}-${reason}-${Math.random()}`, await content()), { name, limits });
    if (reason) await expect(found).rejects.toMatchObject({ reason });
    else expect((await found).pages).toHaveLength(1);
  });

  it("keeps the size and page limits", async () => {
    const small = DocumentLimits.parse({ maxBytes: 1000, maxPages: 14 });
    await expect(raster.inspect(sample("invoice-en.pdf"), { name: "a.pdf", limits: small })).rejects.toMatchObject({ reason: "too_large" });
    const few = DocumentLimits.parse({ maxPages: 14 });
    await expect(raster.inspect(sample("columns-multipage.pdf"), { name: "a.pdf", limits: few })).rejects.toMatchObject({
      reason: "too_many_pages",
    });
  });

  it("shares its table of types with the domain", () => {
    expect(Object.fromEntries(endings)).toEqual(acceptedTypes);
  });
});

describe("pages", () => {
  it("draws a PDF page at exactly the size that the model wants", async () => {
    const { width, height } = renderSize({ model: "1B", preset: "standard", page: { kind: "pdf", widthPt: 612, heightPt: 792 } });
    const drawn = await raster.renderPage(sample("invoice-en.pdf"), page(1, width, height), { name: "invoice-en.pdf", limits });
    expect(await sharp(drawn.png).metadata()).toMatchObject({ format: "png", width: 1190, height: 1540, channels: 3 });
    const share = await darkShare(drawn.png);
    expect(share).toBeGreaterThan(0.005);
    expect(share).toBeLessThan(0.3);
  });

  it("draws what is black and turns what is rotated", async () => {
    const source = made("rotated", pdf({ extra: "/MediaBox [0 0 200 100] /Rotate 90", content: "0 0 100 100 re f" }));
    const found = await raster.inspect(source, { name: "r.pdf", limits });
    expect(found.pages).toEqual([{ number: 1, widthPt: 100, heightPt: 200 }]);
    const { png } = await raster.renderPage(source, page(1, 50, 100), { name: "r.pdf", limits });
    const top = await sharp(png).extract({ left: 0, top: 0, width: 50, height: 48 }).toBuffer();
    expect([await darkShare(top), await darkShare(png)].map((share) => share.toFixed(1))).toEqual(["1.0", "0.5"]);
  });

  it("turns a photo by its EXIF orientation, and flattens alpha on white", async () => {
    const half = await sharp({ create: { width: 40, height: 20, channels: 4, background: "#0000" } })
      .composite([{ input: { create: { width: 20, height: 20, channels: 4, background: "#000f" } }, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .png()
      .toBuffer();
    const source = made("exif", half);
    expect((await raster.inspect(source, { name: "p.png", limits })).pages).toEqual([{ number: 1, widthPx: 20, heightPx: 40 }]);
    const { png } = await raster.renderPage(source, page(1, 10, 20), { name: "p.png", limits });
    const top = await sharp(png).extract({ left: 0, top: 0, width: 10, height: 9 }).toBuffer();
    expect([await darkShare(top), await darkShare(png)].map((share) => share.toFixed(1))).toEqual(["1.0", "0.5"]);
  });

  it("reads each page of a TIFF with its own size", async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 30, height: 20, channels: 3, background } })
        .png()
        .toBuffer();
    const tiff = await sharp([await frame("white"), await frame("black")], { join: { animated: true } })
      .tiff()
      .toBuffer();
    const source = made("pages", tiff);
    const { pages } = await raster.inspect(source, { name: "two.tif", limits });
    expect(pages).toEqual([1, 2].map((number) => ({ number, widthPx: 30, heightPx: 20 })));
    const drawn = await Promise.all([1, 2].map((number) => raster.renderPage(source, page(number, 30, 20), { name: "two.tif", limits })));
    expect(await Promise.all(drawn.map(({ png }) => darkShare(png)))).toEqual([0, 1]);
  });

  it("opens a document once for all its pages, and again once forgotten", async () => {
    const single = createRasteriser(1);
    let opened = 0;
    const source: RasterSource = { id: "counted", bytes: () => ((opened += 1), readFile("public/samples/columns-multipage.pdf")) };
    const call = { name: "c.pdf", limits };
    await single.inspect(source, call);
    for (const number of [1, 2, 15]) await single.renderPage(source, page(number, 100, 130), call);
    expect(opened).toBe(1);
    single.forget("counted");
    await single.renderPage(source, page(3, 100, 130), call);
    expect(opened).toBe(2);
    single.close();
  });

  it("fails one damaged picture with its reason", async () => {
    const whole = await readFile("public/samples/receipt-thermal.jpg");
    const source = made("cut", whole.subarray(0, whole.length / 2));
    const [first] = (await raster.inspect(source, { name: "r.jpg", limits })).pages;
    expect(first).toHaveProperty("widthPx");
    await expect(raster.renderPage(source, page(1, 200, 300), { name: "r.jpg", limits })).rejects.toMatchObject({ reason: "corrupt" });
  });

  it("draws a page of 1e9 points quickly, and refuses a page that is not there", async () => {
    const call = { name: "huge-page.pdf", limits };
    expect((await raster.renderPage(sample("huge-page.pdf"), page(1, 512, 512), call)).png.length).toBeGreaterThan(0);
    await expect(raster.renderPage(sample("huge-page.pdf"), page(2, 512, 512), call)).rejects.toMatchObject({ reason: "page_failed" });
  });
});

describe("isolation", () => {
  const impatient = DocumentLimits.parse({ pageTimeoutMs: 1500 });
  const slow = (signal?: AbortSignal) =>
    raster.renderPage(sample("slow-shading.pdf"), page(1, 1540, 1540), { name: "slow.pdf", limits: signal ? limits : impatient, signal });
  const quick = () => raster.renderPage(sample("scan-simple.pdf"), page(1, 400, 500), { name: "scan-simple.pdf", limits });

  it("stops a page that takes too long while others go on, and replaces the worker", async () => {
    const stopped = expect(slow()).rejects.toMatchObject({ reason: "page_timeout" });
    expect((await quick()).png.length).toBeGreaterThan(0);
    await stopped;
    expect((await Promise.all([quick(), quick(), quick()])).length).toBe(3);
  });

  it("stops within a second of an abort, also while waiting in the queue", async () => {
    const controller = new AbortController();
    const pages = [slow(controller.signal), slow(controller.signal), slow(controller.signal)];
    const first = await Promise.race([quick().then(() => "quick"), new Promise((resolve) => setImmediate(() => resolve("waiting")))]);
    expect(first).toBe("waiting");
    const started = performance.now();
    controller.abort(new Error("cancelled by the person"));
    const outcomes = await Promise.allSettled(pages);
    expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.message)).toEqual(
      Array(3).fill("cancelled by the person"),
    );
    expect(performance.now() - started).toBeLessThan(1000);
    expect((await quick()).width).toBe(400);
  });

  it("kills a page that eats memory", async () => {
    const tight = DocumentLimits.parse({ maxMemoryGrowthBytes: 200 * 1024 * 1024, pageTimeoutMs: 20_000 });
    const source = made("hungry", pdf({ content: "0 0 1 rg 0 0 200 100 re f" }));
    await expect(raster.renderPage(source, page(1, 10_000, 10_000), { name: "h.pdf", limits: tight })).rejects.toMatchObject({
      reason: "page_memory",
    });
    expect((await quick()).height).toBe(500);
  });

  it("charges memory to the page that takes it, not to its neighbours", async () => {
    const tight = DocumentLimits.parse({ maxMemoryGrowthBytes: 200 * 1024 * 1024 });
    const source = made("hungry-too", pdf({ content: "0 0 1 rg 0 0 200 100 re f" }));
    const hungry = raster.renderPage(source, page(1, 10_000, 10_000), { name: "h.pdf", limits: tight });
    const outcomes = await Promise.allSettled([slow(), hungry, quick()]);
    expect(outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason.reason : "drawn"))).toEqual([
      "page_timeout",
      "page_memory",
      "drawn",
    ]);
  });

  it("survives being killed while a picture is decoded", async () => {
    const noise = await sharp({
      create: { width: 3000, height: 3000, channels: 3, background: "white", noise: { type: "gaussian", mean: 128, sigma: 60 } },
    })
      .png()
      .toBuffer();
    for (let round = 0; round < 4; round += 1) {
      const call = { name: "noise.png", limits: DocumentLimits.parse({ pageTimeoutMs: 30 * (round + 1) }) };
      await expect(raster.renderPage(made(`noise-${round}`, noise), page(1, 2048, 2048), call)).rejects.toMatchObject({
        reason: "page_timeout",
      });
    }
    expect((await quick()).width).toBe(400);
  });
});
