import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { defaultDocumentLimits as limits, type DocumentPage } from "@/lib/domain/document";
import { pageSizeOf, renderSize } from "@/lib/domain/document-rendering";
import { createRasteriser, type Rasteriser, type RasterSource } from "@/lib/platform/raster/rasteriser";
import { isInstalled, ownSeconds, runMeasured } from "./processor-time";

type Document = { file: string; source: RasterSource; pages: DocumentPage[] };

const call = (file: string) => ({ name: path.basename(file), limits });

async function openAll(raster: Rasteriser, folder: string): Promise<Document[]> {
  const documents: Document[] = [];
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".pdf")).sort()) {
    const file = path.join(folder, name);
    const source = { id: file, bytes: async () => new Uint8Array(readFileSync(file)) };
    const inspected = await raster.inspect(source, call(file)).catch(() => null); // some cannot be opened on purpose
    if (inspected) documents.push({ file, source, pages: inspected.pages });
  }
  return documents;
}

async function draw(raster: Rasteriser, { file, source }: Document, page: DocumentPage): Promise<void> {
  const { width, height } = renderSize({ model: "0.8B", preset: "fast", page: pageSizeOf(page) });
  await raster.renderPage(source, { number: page.number, width, height }, call(file)).catch(() => undefined); // a page that is stopped on purpose
}

/** Prints pages a core-second next to pdftoppm's on the same pages at the same size, both with PNG encoding, and the gain of a second core. */
export async function compareDrawing(folder: string, print: (name: string, value: string, target: string) => void): Promise<void> {
  const raster = createRasteriser(1);
  const documents = (await openAll(raster, folder)).filter(({ pages }) => pages.length > 0);
  const count = documents.reduce((sum, { pages }) => sum + pages.length, 0);
  const before = ownSeconds();
  for (const document of documents) for (const page of document.pages) await draw(raster, document, page);
  const own = ownSeconds() - before;
  raster.close();
  if (await isInstalled("pdftoppm")) {
    const theirs = await drawWithPoppler(documents);
    console.log(`  ${count} pages at 1540 px: ${(own / count * 1000).toFixed(0)} ms of a core a page, pdftoppm ${(theirs / count * 1000).toFixed(0)} ms`);
    print("pages a core-second, rasteriser : pdftoppm -png", (theirs / own).toFixed(2), "target ≥ 1.0");
  } else print(`pages a core-second of the rasteriser`, (count / own).toFixed(1), "pdftoppm is not installed (Debian: poppler-utils)");
  const largest = documents.reduce((most, each) => (each.pages.length > most.pages.length ? each : most));
  const [one, two] = [await pagesPerSecond(largest, 1), await pagesPerSecond(largest, 2)];
  print(`pages a second by the clock: one worker ${one.toFixed(1)}, two ${two.toFixed(1)}`, (two / one).toFixed(2), "target ≥ 1.8 on a quiet machine with two cores");
}

async function drawWithPoppler(documents: readonly Document[]): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "lectern-bench-"));
  let total = 0;
  for (const { file } of documents) {
    const { seconds } = await runMeasured("pdftoppm", ["-png", "-cropbox", "-scale-to", "1540", file, path.join(folder, "page")]);
    total += seconds;
  }
  rmSync(folder, { recursive: true });
  return total;
}

async function pagesPerSecond(document: Document, workers: number): Promise<number> {
  const raster = createRasteriser(workers);
  const [first] = document.pages;
  if (first) await Promise.all(Array.from({ length: workers }, () => draw(raster, document, first))); // each has the document open
  const started = performance.now();
  await Promise.all([...document.pages, ...document.pages].map((page) => draw(raster, document, page)));
  raster.close();
  return (document.pages.length * 2) / ((performance.now() - started) / 1000);
}
