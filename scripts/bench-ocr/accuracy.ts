import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { defaultDocumentLimits as limits } from "@/lib/domain/document";
import { pageSizeOf, renderSize } from "@/lib/domain/document-rendering";
import { toPlainText } from "@/lib/domain/export-markup";
import { parseGrounding } from "@/lib/domain/grounding";
import { startEmbeddedEngine } from "@/lib/embedded/engine/start";
import { readPage } from "@/lib/platform/engine";
import { createRasteriser } from "@/lib/platform/raster/rasteriser";
import { createSend } from "@/lib/platform/send";
import { isInstalled, ownSeconds, runMeasured } from "./processor-time";
import { addScores, scoreReading, type Score } from "./score";

/** A page with its truth, and the picture that both engines are given. */
type Page = { name: string; truth: string; png: Buffer; width: number; height: number };
type Reading = { score: Score; seconds: number };
type Places = { documents: string; truths: string; dataDir: string };

const SPARE_MS = 300;

/** Pages of the documents that have a truth (`<name>.txt`, form feeds between pages), drawn as the 0.8B model is shown them. */
async function drawPages({ documents, truths }: Places): Promise<Page[]> {
  const raster = createRasteriser();
  const pages: Page[] = [];
  for (const file of readdirSync(documents).sort()) {
    const truthFile = path.join(truths, `${path.parse(file).name}.txt`);
    const texts = readTruth(truthFile);
    if (!texts) continue;
    const source = { id: file, bytes: async () => new Uint8Array(readFileSync(path.join(documents, file))) };
    const inspected = await raster.inspect(source, { name: file, limits });
    for (const page of inspected.pages.slice(0, texts.length)) {
      const { width, height } = renderSize({ model: "0.8B", preset: "standard", page: pageSizeOf(page) });
      const { png } = await raster.renderPage(source, { number: page.number, width, height }, { name: file, limits });
      pages.push({ name: `${file} ${page.number}`, truth: texts[page.number - 1] ?? "", png, width, height });
    }
  }
  raster.close();
  return pages;
}

function readTruth(file: string): string[] | null {
  try {
    return readFileSync(file, "utf8").split("\f");
  } catch {
    return null;
  }
}

/** Prints character error rate, word recall and processor seconds a page of the embedded engine, next to native Tesseract's on the same pictures. */
export async function compareEngines(places: Places, print: (name: string, value: string, target: string) => void): Promise<void> {
  const pages = await drawPages(places);
  const native = (await isInstalled("tesseract")) ? await readNatively(pages) : null;
  const own = await readEmbedded(pages, places.dataDir);
  if (process.env.BENCH_PAGES_SHOWN) pages.forEach((page, index) => console.log(`  ${page.name.padEnd(32)} ${describe(own[index])}   native ${describe(native?.[index])}`));
  const mine = total(own);
  if (!native) return print(`embedded engine on ${pages.length} pages: ${describe(mine)}`, "—", "native tesseract is not installed (Debian: tesseract-ocr, with -deu and -fra)");
  const theirs = total(native);
  console.log(`  embedded engine on ${pages.length} pages: ${describe(mine)}\n  native tesseract on the same pictures: ${describe(theirs)}`);
  print("character errors of the embedded engine : native", (rate(mine.score) / rate(theirs.score)).toFixed(2), "target ≤ 1");
  print("word recall of the embedded engine : native", (recall(mine.score) / recall(theirs.score)).toFixed(2), "");
  print("speed of the embedded engine : native, one core each", (theirs.seconds / mine.seconds).toFixed(2), "target ≥ 0.6");
}

const rate = ({ errors, characters }: Score) => errors / characters;
const recall = ({ found, words }: Score) => found / words;
const total = (readings: Reading[]): Reading => ({ score: addScores(readings.map(({ score }) => score)), seconds: readings.reduce((sum, { seconds }) => sum + seconds, 0) / readings.length });

function describe(reading: Reading | undefined): string {
  if (!reading) return "—";
  return `${(rate(reading.score) * 100).toFixed(1)} % character errors, ${(recall(reading.score) * 100).toFixed(1)} % word recall, ${reading.seconds.toFixed(2)} s of a core a page`;
}

async function readEmbedded(pages: readonly Page[], dataDir: string): Promise<Reading[]> {
  const engine = await startEmbeddedEngine({ dataDir, workers: 1 });
  const send = createSend({ origin: engine.url, allowLoopback: true });
  const read = (page: Page) => readPage(send, { model: "embedded-tesseract-5", imagePng: page.png, mode: "grounding" });
  const [first] = pages;
  if (first) await read(first); // its thread is started and its code compiled
  const readings: Reading[] = [];
  for (const page of pages) {
    const before = ownSeconds();
    const { text } = await read(page);
    const seconds = ownSeconds() - before;
    readings.push({ seconds, score: scoreReading(page.truth, plainText(page, text)) });
    await new Promise((resolve) => setTimeout(resolve, SPARE_MS)); // what the page left to be cleared away is not the next one's
  }
  await engine.stop();
  return readings;
}

function plainText({ width, height }: Page, text: string): string {
  return toPlainText([{ number: 1, width, height, state: "done", reason: "", blocks: parseGrounding(text) }]);
}

async function readNatively(pages: readonly Page[]): Promise<Reading[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "lectern-bench-"));
  const languages = await nativeLanguages();
  const readings: Reading[] = [];
  for (const page of pages) {
    const file = path.join(folder, "page.png");
    writeFileSync(file, page.png);
    const { stdout, seconds } = await runMeasured("tesseract", [file, "stdout", "-l", languages]);
    readings.push({ seconds, score: scoreReading(page.truth, stdout) });
  }
  rmSync(folder, { recursive: true });
  return readings;
}

/** The embedded engine's three, as far as they are installed. */
async function nativeLanguages(): Promise<string> {
  const { stdout } = await runMeasured("tesseract", ["--list-langs"]);
  const languages = ["eng", "fra", "deu"].filter((language) => stdout.split("\n").includes(language));
  console.log(`  native tesseract reads ${languages.join(", ")}`);
  return languages.join("+");
}
