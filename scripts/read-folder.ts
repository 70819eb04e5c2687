/**
 * `npm run --silent read:folder -- DIR [--pages-only]` takes every file of a folder the way of an upload (inspect, draw, read with the
 * embedded engine) and prints one JSON line a file: name, state, reason, pages, seconds, peak MiB (of this process and the worker), text.
 */
import { createReadStream, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { defaultDocumentLimits as limits, type DocumentPage } from "@/lib/domain/document";
import { pageSizeOf, renderSize } from "@/lib/domain/document-rendering";
import { DomainError } from "@/lib/domain/errors";
import { parseGrounding } from "@/lib/domain/grounding";
import { pageToMarkdown } from "@/lib/domain/grounding-markdown";
import { startEmbeddedEngine, type RunningEngine } from "@/lib/embedded/engine/start";
import { readPage } from "@/lib/platform/engine";
import { createRasteriser, type RasterSource } from "@/lib/platform/raster/rasteriser";
import { createSend } from "@/lib/platform/send";
import type { Send } from "@/lib/platform/transport";

type Line = { name: string; state: "read" | "pages" | "refused" | "partly"; reason: string; pages: number; seconds: number; peakMiB: number; text: string };

const [folder, ...flags] = process.argv.slice(2);
if (!folder || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
  console.error("Name a folder that exists: npm run --silent read:folder -- DIR [--pages-only]");
  process.exit(2);
}
const raster = createRasteriser();
const engine: RunningEngine | null = flags.includes("--pages-only") ? null : await startEmbeddedEngine({ dataDir: process.env.LECTERN_DATA_DIR ?? ".lectern" });
const send = engine && createSend({ origin: engine.url, allowLoopback: true });

/** Highest memory of this process and of the worker that draws, while a file is worked on. */
function watchMemory(): () => number {
  raster.takePeakBytes();
  let peak = process.memoryUsage.rss();
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
  return () => (clearInterval(timer), Math.round((Math.max(peak, process.memoryUsage.rss()) + raster.takePeakBytes()) / 2 ** 20));
}

const sentence = (error: unknown) => (error instanceof DomainError ? error.message : `Unexpected: ${error instanceof Error ? error.message : String(error)}`);

async function readFile(name: string, file: string): Promise<Line> {
  const started = performance.now();
  const peak = watchMemory();
  const source: RasterSource = { id: name, bytes: async () => ({ byteLength: statSync(file).size, pieces: createReadStream(file) }) };
  const done = (rest: Pick<Line, "state" | "reason" | "pages" | "text">): Line => ({ name, ...rest, seconds: Math.round(performance.now() - started) / 1000, peakMiB: peak() });
  try {
    const { pages } = await raster.inspect(source, { name, limits });
    const read = await inParallel(pages, (page) => readOne(source, page, name).catch((error: unknown) => ({ fault: `Page ${page.number}: ${sentence(error)}` })));
    const texts = read.flatMap((page) => ("fault" in page ? [] : [page.text]));
    const faults = read.flatMap((page) => ("fault" in page ? [page.fault] : []));
    const notes = read.flatMap((page, index) => ("note" in page && page.note ? [`Page ${index + 1}: ${page.note}`] : []));
    const state = faults.length > 0 ? (faults.length === pages.length ? "refused" : "partly") : send ? "read" : "pages";
    return done({ state, reason: [...faults, ...notes].join(" "), pages: pages.length, text: texts.filter(Boolean).join("\n\n") });
  } catch (error) {
    return done({ state: "refused", reason: sentence(error), pages: 0, text: "" });
  } finally {
    raster.forget(name);
  }
}

type ReadPage = { text: string; note: string };

async function readOne(source: RasterSource, page: DocumentPage, name: string): Promise<ReadPage> {
  const { width, height } = renderSize({ model: "0.8B", preset: "standard", page: pageSizeOf(page) });
  const { png, lacksFonts } = await raster.renderPage(source, { number: page.number, width, height }, { name, limits });
  const note = lacksFonts ? "The page came out white although the PDF holds text: its font is not in the file." : "";
  return { text: send ? pageToMarkdown(parseGrounding(await textOf(send, png))) : "", note };
}

/** Pages of a file at once, as many as there are workers; in their order. */
async function inParallel<T>(pages: readonly DocumentPage[], work: (page: DocumentPage) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  const queue = [...pages.entries()];
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) done[next[0]] = await work(next[1]);
  };
  await Promise.all([lane(), lane()]);
  return done;
}

async function textOf(to: Send, imagePng: Uint8Array): Promise<string> {
  return (await readPage(to, { model: "embedded-tesseract-5", imagePng, mode: "grounding" })).text;
}

/** Every file of the folder and the folders in it; links are followed to files only, and what is neither is left out. */
function filesIn(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const names = entries.flatMap((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const isFile = entry.isFile() || (entry.isSymbolicLink() && statSync(file, { throwIfNoEntry: false })?.isFile());
    return isFile ? [path.relative(root, file)] : [];
  });
  return names.sort();
}

for (const name of filesIn(folder)) console.log(JSON.stringify(await readFile(name, path.join(folder, name))));
raster.close();
await engine?.stop();
process.exit();
