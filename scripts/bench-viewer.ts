/**
 * Measures the playground's viewer in Chromium on a production build (`npm run build` first):
 * `node --conditions=react-server --import tsx scripts/bench-viewer.ts`
 * A page with 2,000 boxes is panned and zoomed, the list of 500 pages is scrolled, and the first page of 500 is waited for; prints frame times.
 */
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { startPostgres } from "./postgres.ts";
import { migrate } from "./migrate.ts";
import { measureViewer } from "./bench-viewer/measure.ts";
import { servePortal } from "./bench-viewer/portal.ts";
import { makeDesk, makePdf, useOwnDataFolder as ownDataFolder } from "./test/reading-desk.ts";
import { startStandInEngine } from "./test/stand-in-engine.ts";

const COLUMNS = 40;
const ROWS = 50;
const PAGES = 500;

if (!existsSync(".next/BUILD_ID")) throw new Error("There is no build to measure: run `npm run build` first.");

const dataDir = ownDataFolder();
const postgres = await startPostgres({ dir: ".data/bench/pg", database: `bench_${Date.now()}`, isTest: true });
process.env.DATABASE_URL = postgres.url;
await migrate(postgres.url);
// Imported now, as the configuration is read from the environment.
const { db } = await import("@/lib/platform/db");
const { rasteriser } = await import("@/lib/platform/raster/rasteriser");
const { execute } = await import("@/lib/services/pipeline");
const { runsStart } = await import("@/lib/services/runs");
const { readClaimedPage } = await import("@/lib/services/page-reader");

/** A page full of small blocks: 40 columns of 50. */
const text = Array.from({ length: COLUMNS * ROWS }, (_, index) => {
  const [x, y] = [(index % COLUMNS) * 25, Math.floor(index / COLUMNS) * 20];
  return `![${index % 7 === 0 ? "table" : "text"}](${x + 2},${y + 2},${x + 22},${y + 16}) Cell ${index}`;
}).join("\n");

const engine = await startStandInEngine({ behave: () => ({ kind: "answer", text }) });
const desk = await makeDesk(db(), "bench-viewer", engine.url);
await db().environment.update({ where: { id: desk.environmentId }, data: { maxDocumentPages: PAGES } });
const dense = await desk.upload(makePdf(1), "dense.pdf");
const { id: runId } = await execute(runsStart, { db: db(), caller: desk.caller, input: { documentId: dense, deploymentId: null } });
const page = await db().runPage.findFirstOrThrow({ where: { runId } });
await db().runPage.update({ where: { id: page.id }, data: { state: "running", attempt: 1, leasedUntil: new Date(Date.now() + 60_000) } });
await readClaimedPage(db(), page.id, new AbortController().signal);
const long = await desk.upload(makePdf(PAGES), "long.pdf");
rasteriser().close();

const portal = await servePortal(postgres.url, dataDir);
const isRoot = process.getuid?.() === 0;
const found = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find((file) => file && existsSync(file));
const browser = await chromium.launch({ ...(found ? { executablePath: found } : {}), args: isRoot ? ["--no-sandbox", "--disable-gpu"] : [] });
try {
  const target = { db: db(), origin: portal.origin, personId: desk.userId };
  await measureViewer(browser, target, { dense: `doc=${dense}&run=${runId}`, long: `doc=${long}` });
} finally {
  await browser.close();
  await portal.stop();
  await engine.stop();
  await db().$disconnect();
  await postgres.stop();
}
process.exit();
