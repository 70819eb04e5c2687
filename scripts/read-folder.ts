/**
 * `npm run --silent read:folder -- DIR [--pages-only]` takes every file of a folder the way of an upload (inspect, draw, read with the
 * embedded engine) and prints one JSON line a file: name, state, reason, pages, seconds, peak MiB, text.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
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
if (!folder) {
  console.error("Name a folder: npm run --silent read:folder -- DIR [--pages-only]");
  process.exit(2);
}
const raster = createRasteriser();
const engine: RunningEngine | null = flags.includes("--pages-only") ? null : await startEmbeddedEngine({ dataDir: process.env.LECTERN_DATA_DIR ?? ".lectern" });
const send = engine && createSend({ origin: engine.url, allowLoopback: true });

/** Highest memory of the process while a file is worked on. */
function watchMemory(): () => number {
  let peak = process.memoryUsage.rss();
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
  return () => (clearInterval(timer), Math.round(Math.max(peak, process.memoryUsage.rss()) / 2 ** 20));
}

const sentence = (error: unknown) => (error instanceof DomainError ? error.message : `Unexpected: ${error instanceof Error ? error.message : String(error)}`);

async function readFile(name: string, file: string): Promise<Line> {
  const started = performance.now();
  const peak = watchMemory();
  const source: RasterSource = { id: name, bytes: async () => Uint8Array.from(readFileSync(file)) };
  const done = (rest: Pick<Line, "state" | "reason" | "pages" | "text">): Line => ({ name, ...rest, seconds: Math.round(performance.now() - started) / 1000, peakMiB: peak() });
  try {
    const { pages } = await raster.inspect(source, { name, limits });
    const texts: string[] = [];
    const faults: string[] = [];
    for (const page of pages) await readOne(source, page, name).then((text) => texts.push(text), (error: unknown) => faults.push(`Page ${page.number}: ${sentence(error)}`));
    const state = faults.length > 0 ? (faults.length === pages.length ? "refused" : "partly") : send ? "read" : "pages";
    return done({ state, reason: faults.join(" "), pages: pages.length, text: texts.join("\n") });
  } catch (error) {
    return done({ state: "refused", reason: sentence(error), pages: 0, text: "" });
  } finally {
    raster.forget(name);
  }
}

async function readOne(source: RasterSource, page: DocumentPage, name: string): Promise<string> {
  const { width, height } = renderSize({ model: "0.8B", preset: "standard", page: pageSizeOf(page) });
  const { png } = await raster.renderPage(source, { number: page.number, width, height }, { name, limits });
  return send ? pageToMarkdown(parseGrounding(await textOf(send, png))) : "";
}

async function textOf(to: Send, imagePng: Uint8Array): Promise<string> {
  return (await readPage(to, { model: "embedded-tesseract-5", imagePng, mode: "grounding" })).text;
}

for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
  const file = path.join(folder, name);
  if (statSync(file).isFile()) console.log(JSON.stringify(await readFile(name, file)));
}
raster.close();
await engine?.stop();
process.exit();
