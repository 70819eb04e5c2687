/**
 * `npm run bench:read` measures the playground's path and prints ratios:
 * 32 pages in parallel through the queue against the same calls made directly, on an engine that takes a constant time a page;
 * from a token of the engine to its text in the live stream; drawing pages on one and two workers.
 */
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { makeDesk, makePdf, useOwnDataFolder as ownDataFolder } from "./test/reading-desk.ts";
import { migrate } from "./migrate.ts";
import { startPostgres } from "./postgres.ts";
import { startStandInEngine, type Behaviour } from "./test/stand-in-engine.ts";

const PAGES = 32;
const PIECES = 40;
const PIECE_MS = 100;

ownDataFolder();
const postgres = await startPostgres({ dir: ".data/bench/pg", database: `bench_${Date.now()}`, isTest: true });
process.env.DATABASE_URL = postgres.url;
await migrate(postgres.url);
// Imported now, as the configuration is read from the environment.
const { db } = await import("@/lib/platform/db");
const { createSend } = await import("@/lib/platform/send");
const { readPage } = await import("@/lib/platform/engine");
const { createRasteriser, rasteriser } = await import("@/lib/platform/raster/rasteriser");
const { defaultDocumentLimits: limits } = await import("@/lib/domain/document");
const { liveSignals } = await import("@/lib/platform/listen");
const { execute } = await import("@/lib/services/pipeline");
const { runsGet, runsStart } = await import("@/lib/services/runs");
const { readClaimedPage } = await import("@/lib/services/page-reader");
const { openLiveText } = await import("@/lib/services/run-rows");

const text = Array.from({ length: PIECES }, (_, index) => `![text](10,${index * 20},900,${index * 20 + 18}) Line ${index} of the page.\n`).join("");
const sentAt: number[] = [];
const answer = (): Behaviour => ({ kind: "answer", text, pieces: PIECES, pieceMs: PIECE_MS });
const engine = await startStandInEngine({ behave: answer, onPiece: () => sentAt.push(performance.now()) });
const desk = await makeDesk(db(), "bench", engine.url);
const line = (name: string, value: string, target: string) => console.log(`${name.padEnd(58)} ${value.padStart(10)}   ${target}`);

/** Claims and reads all pages of a run at once, as the worker does for an engine with 32 slots. */
async function readRun(documentId: string): Promise<number> {
  const { id } = await execute(runsStart, { db: db(), caller: desk.caller, input: { documentId, deploymentId: null, preset: "fast" } });
  const pages = await db().runPage.findMany({ where: { runId: id }, select: { id: true } });
  await db().runPage.updateMany({ where: { runId: id }, data: { state: "running", attempt: 1, leasedUntil: new Date(Date.now() + 60_000) } });
  const started = performance.now();
  await Promise.all(pages.map((page) => readClaimedPage(db(), page.id, new AbortController().signal)));
  const seconds = (performance.now() - started) / 1000;
  const view = await execute(runsGet, { db: db(), caller: desk.caller, input: { id } });
  if (view.pages.some((page) => page.state !== "done")) throw new Error("not every page was read");
  return seconds;
}

async function throughput(): Promise<void> {
  const send = createSend({ origin: engine.url, allowLoopback: true });
  const documentId = await desk.upload(makePdf(PAGES));
  await readRun(documentId); // connections, workers and code are warm
  const source = { id: "direct", bytes: async () => Uint8Array.from(makePdf(PAGES)) };
  const started = performance.now();
  await Promise.all(Array.from({ length: PAGES }, async (_, index) => {
    const { png } = await rasteriser().renderPage(source, { number: index + 1, width: 1190, height: 1540 }, { name: "a.pdf", limits });
    await readPage(send, { model: "stand-in", imagePng: png, mode: "grounding" });
  }));
  const direct = (performance.now() - started) / 1000;
  const through = await readRun(documentId);
  line(`${PAGES} pages in parallel: directly ${direct.toFixed(2)} s, playground ${through.toFixed(2)} s`, (direct / through).toFixed(3), "target ≥ 0.97");
}

async function latency(): Promise<void> {
  const documentId = await desk.upload(makePdf(1));
  const seen: number[] = [];
  const { id } = await execute(runsStart, { db: db(), caller: desk.caller, input: { documentId, deploymentId: null, preset: "fast" } });
  const topic = `run:${id}` as const;
  let cursor = 0n;
  let got = "";
  const look = async () => {
    for (const row of await db().liveEvent.findMany({ where: { topic, id: { gt: cursor } }, orderBy: { id: "asc" } })) {
      cursor = row.id;
      if (row.sealed) got += openLiveText(topic, row.sealed);
    }
    while (seen.length < got.split("\n").length - 1) seen.push(performance.now());
  };
  const unsubscribe = liveSignals().subscribe(new Set([topic]), () => void look());
  await new Promise((resolve) => setTimeout(resolve, 500)); // LISTEN is under way
  sentAt.splice(0);
  const page = await db().runPage.findFirstOrThrow({ where: { runId: id } });
  await db().runPage.update({ where: { id: page.id }, data: { state: "running", attempt: 1, leasedUntil: new Date(Date.now() + 60_000) } });
  await readClaimedPage(db(), page.id, new AbortController().signal);
  await new Promise((resolve) => setTimeout(resolve, 300));
  unsubscribe();
  const waits = seen.map((at, index) => at - (sentAt[index] ?? at)).sort((a, b) => a - b);
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? NaN;
  line(`token at the engine → box in the live stream, p50 ${at(0.5).toFixed(0)} ms, p95`, `${at(0.95).toFixed(0)} ms`, "target ≤ 100 ms");
}

async function drawing(): Promise<void> {
  const bytes = readFileSync("public/samples/columns-multipage.pdf");
  const time = async (workers: number) => {
    const raster = createRasteriser(workers);
    const source = { id: "columns", bytes: async () => Uint8Array.from(bytes) };
    const draw = (number: number) => raster.renderPage(source, { number, width: 1190, height: 1540 }, { name: "columns.pdf", limits });
    await Promise.all(Array.from({ length: workers }, () => draw(1)));
    const started = performance.now();
    await Promise.all(Array.from({ length: 15 }, (_, index) => draw(index + 1)));
    raster.close();
    return 15 / ((performance.now() - started) / 1000);
  };
  const [one, two] = [await time(1), await time(2)];
  line(`pages drawn a second at 1540 px: one worker ${one.toFixed(1)}, two ${two.toFixed(1)}`, (two / one).toFixed(2), "target ≥ 1.8");
}

await throughput();
await latency();
await drawing();
rasteriser().close();
await liveSignals().close();
await engine.stop();
await db().$disconnect();
await postgres.stop();
process.exit();
