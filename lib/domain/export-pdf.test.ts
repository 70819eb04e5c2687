import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { hasBox } from "./export-markup";
import { writePdf } from "./export-pdf";
import { parseGrounding } from "./grounding";

const folder = mkdtempSync(path.join(os.tmpdir(), "lectern-pdf-"));
afterAll(() => rmSync(folder, { recursive: true }));

function hasPoppler(): boolean {
  try {
    execFileSync("pdftotext", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn("Not compared with poppler: pdftotext is not installed (Debian: poppler-utils).");
    return false;
  }
}

type Word = { text: string; box: [number, number, number, number] };

/** What poppler finds in the file, with boxes in points from the top left. */
function wordsOf(file: string): Word[] {
  const html = execFileSync("pdftotext", ["-bbox", file, "-"], { encoding: "utf8" });
  const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
  return [...html.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<\/word>/g)].map(([, a, b, c, d, text = ""]) => ({
    text: text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity),
    box: [Number(a), Number(b), Number(c), Number(d)],
  }));
}

/** Points. A font without outlines has no height of its own: poppler gives its letters room above and below, a sixth of a line here. */
const TOLERANCE = { x: 1.5, y: 5 };
const [WIDE, HIGH] = [595.28, 841.89];
const text = [
  "![title](84,96,611,131) Hafenbehörde & Söhne",
  "![text](84,150,480,402) Between March and May the northern quay\nserved 214 vessels, a rise of nine percent\nЖивой журнал 東京港",
  "![text](512,150,910,233) on the year before",
  "![text](20,960,300,985) Ελληνικά 12,50 €",
].join("\n");

describe.skipIf(!hasPoppler())("a searchable PDF, as poppler reads it", () => {
  it("has each word of a block inside of the block's box, and no other words", async () => {
    const jpeg = await sharp({ create: { width: 1000, height: 1414, channels: 3, background: "#fff" } }).jpeg().toBuffer();
    const page = { number: 1, width: 1000, height: 1414, state: "done", reason: "", blocks: parseGrounding(text) };
    const pieces: Uint8Array[] = [];
    const pages = async function* () {
      yield { page, jpeg, widthPt: WIDE, heightPt: HIGH };
    };
    for await (const piece of writePdf("Bulletin", pages())) pieces.push(piece);
    const file = path.join(folder, "bulletin.pdf");
    writeFileSync(file, Buffer.concat(pieces));

    const found = wordsOf(file);
    const wanted = page.blocks.filter(hasBox).flatMap((block) => block.text.split(/\s+/).map((word) => ({ word, box: block.box })));
    expect(found.map((word) => word.text).sort()).toEqual(wanted.map(({ word }) => word).sort());
    for (const { word, box } of wanted) {
      const [x1, y1, x2, y2] = [box[0] * WIDE, box[1] * HIGH, box[2] * WIDE, box[3] * HIGH].map((value) => value / 1000) as [number, number, number, number]; // four of four
      const isInside = found.some((each) => each.text === word && each.box[0] >= x1 - TOLERANCE.x && each.box[1] >= y1 - TOLERANCE.y && each.box[2] <= x2 + TOLERANCE.x && each.box[3] <= y2 + TOLERANCE.y);
      expect(isInside, `${word}: ${JSON.stringify(found.filter((each) => each.text === word))} in ${[x1, y1, x2, y2].map(Math.round).join()}`).toBe(true);
    }
  });
});
