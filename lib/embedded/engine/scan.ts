import "server-only";
import type { Page } from "tesseract.js";
import { areaOf, heightOf, widthOf, type Box } from "./box";

/** Confidence is Tesseract's, 0–100. */
export type Word = { text: string; confidence: number; box: Box };

/**
 * One line as Tesseract read it. `height` is the height of the row of letters in pixels; `block` and `paragraph` count
 * upwards in reading order; `kind` is Tesseract's block type (1 flowing, 2 heading, 6 table, 7 vertical …).
 */
export type Line = { words: Word[]; box: Box; height: number; block: number; paragraph: number; kind: number };

/** What one pass over a picture found: its lines in reading order, drawn rules and photographs, in pixels of that picture. */
export type Scan = { width: number; height: number; lines: Line[]; rules: Box[]; pictures: Box[] };

export type Size = { width: number; height: number };

type Recognised = Pick<Page, "blocks" | "hocr">;

/** Turns Tesseract's answer (asked with `blocks` and `hocr`) into a scan. Rules and photographs are only in the hOCR. */
export function readScan(page: Recognised, size: Size): Scan {
  const lines: Line[] = [];
  let paragraphs = 0;
  (page.blocks ?? []).forEach((block, blockIndex) => {
    for (const paragraph of block.paragraphs) {
      paragraphs += 1;
      for (const line of paragraph.lines) {
        const words = line.words.map(({ text, confidence, bbox }) => ({ text: text.trim(), confidence, box: bbox }));
        lines.push({
          words: words.filter((word) => word.text !== "" && areaOf(word.box) > 0),
          box: line.bbox,
          height: line.rowAttributes.rowHeight,
          block: blockIndex,
          paragraph: paragraphs,
          kind: Number(block.blocktype), // typed as a string, delivered as a number
        });
      }
    }
  });
  const hocr = page.hocr ?? "";
  return { ...size, lines, rules: boxesOf(hocr, "ocr_separator"), pictures: boxesOf(hocr, "ocr_photo") };
}

function boxesOf(hocr: string, name: string): Box[] {
  const tag = new RegExp(`class=['"]${name}['"][^>]*?bbox (\\d+) (\\d+) (\\d+) (\\d+)`, "g");
  return [...hocr.matchAll(tag)]
    .map(([, x0, y0, x1, y1]) => ({ x0: Number(x0), y0: Number(y0), x1: Number(x1), y1: Number(y1) }))
    .filter((box) => areaOf(box) > 0);
}

export function lettersIn(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}

/** How well a page was read: mean confidence (0–100) of the words with two letters or more, weighted by their letters. */
export type Certainty = { confidence: number; letters: number };

export function certaintyOf(scan: Scan): Certainty {
  let letters = 0;
  let weighted = 0;
  for (const word of scan.lines.flatMap((line) => line.words)) {
    const count = lettersIn(word.text);
    if (count < 2) continue;
    letters += count;
    weighted += count * word.confidence;
  }
  return { confidence: letters === 0 ? 0 : weighted / letters, letters };
}

/** Mean confidence 0–100 over all characters of the page; `null` for a page without a word. */
export function meanConfidence(scan: Scan): number | null {
  const words = scan.lines.flatMap((line) => line.words);
  const characters = words.reduce((sum, word) => sum + word.text.length, 0);
  if (characters === 0) return null;
  return words.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / characters;
}

/** Whether most letters stand in lines taller than twice their width: text that reads downwards. */
export function readsDownwards(scan: Scan): boolean {
  let tall = 0;
  let all = 0;
  for (const line of scan.lines) {
    const letters = line.words.reduce((sum, word) => sum + lettersIn(word.text), 0);
    all += letters;
    if (heightOf(line.box) > 2 * widthOf(line.box)) tall += letters;
  }
  return all > 0 && tall > all / 2;
}
