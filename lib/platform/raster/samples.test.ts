import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultDocumentLimits as limits } from "@/lib/domain/document";
import { renderSize } from "@/lib/domain/document-rendering";
import { createRasteriser } from "./rasteriser";

const Manifest = z.object({
  documents: z.array(
    z.object({
      file: z.string(),
      mediaType: z.string(),
      sha256: z.string(),
      pages: z.number().nullable(),
      expect: z.union([
        z.object({ ok: z.literal(true), mustContain: z.array(z.string()).min(1) }),
        z.object({ ok: z.literal(false), reason: z.string() }),
      ]),
    }),
  ),
});

const folder = "public/samples";
const { documents } = Manifest.parse(JSON.parse(readFileSync(`${folder}/manifest.json`, "utf8")));
const raster = createRasteriser(1);
afterAll(() => raster.close());

describe("sample documents", () => {
  it("are all described, with their sources", async () => {
    const readme = readFileSync(`${folder}/README.md`, "utf8");
    const files = (await readdir(folder)).filter((name) => !["README.md", "manifest.json"].includes(name));
    expect(documents.map(({ file }) => file).sort()).toEqual(files.sort());
    for (const file of files) expect(readme).toContain(`| \`${file}\` |`);
  });

  it.each(documents)("$file does what the manifest says", async ({ file, mediaType, sha256, pages, expect: expected }) => {
    const bytes = readFileSync(`${folder}/${file}`);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
    const source = { id: file, bytes: async () => Uint8Array.from(bytes) };
    const call = { name: file, limits };
    if (!expected.ok) return expect(raster.inspect(source, call)).rejects.toMatchObject({ reason: expected.reason });

    const found = await raster.inspect(source, call);
    expect([found.mediaType, found.pages.length]).toEqual([mediaType, pages]);
    const first = found.pages[0];
    if (!first) throw new Error("No page.");
    const page = "widthPt" in first ? ({ kind: "pdf", ...first } as const) : ({ kind: "image", ...first } as const);
    const size = renderSize({ model: "1B", preset: "standard", page });
    const { png } = await raster.renderPage(source, { number: 1, ...size }, call);
    const { width, height } = await sharp(png).metadata();
    expect({ width, height }).toEqual({ width: size.width, height: size.height });
    const { channels } = await sharp(png).stats();
    expect(channels[0]?.stdev).toBeGreaterThan(10); // something is drawn
  });
});
