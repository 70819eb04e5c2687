/**
 * npx tsx --conditions=react-server scripts/prove-kills.ts [--kills 100 --pages 400]: kills the process of the batch worker and the gateway at random moments
 * while both are at work, and checks that no page was lost and none counted twice.
 */
import { randomBytes } from "node:crypto";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FileAnswer } from "@/lib/platform/door";
import type { Db } from "@/lib/platform/db";
import type { Desk } from "./test/reading-desk";

/** `brokenOff`: pages that were in hand at five kills and given up, as a page that kills its process would be; they were read again at the end. */
export type Proof = { kills: number; brokenOff: number; batch: { pages: number; done: number; counted: number; inHours: number; inResult: number; inManifest: number; askedOfEngine: number }; gateway: { answered: number; broken: number; counted: number; inHours: number } };
type Options = { databaseUrl: string; kills: number; pages: number; random?: () => number };

const SLOTS = 8;
const LONGEST_LIFE_MS = 900;

/** Kills, starts again, and lets the rest be read; answers what was counted where. */
export async function proveKills({ databaseUrl, kills, pages, random = Math.random }: Options): Promise<Proof> {
  const { connect } = await import("@/lib/platform/db");
  const { makeDesk } = await import("./test/reading-desk");
  const { makeApiKey } = await import("./test/gateway-place");
  const { startStandInEngine } = await import("./test/stand-in-engine");
  const { warmWorkerProcess } = await import("./test/worker-process");
  const db = connect(databaseUrl);
  const engine = await startStandInEngine({ behave: () => ({ kind: "answer", text: "![text](1,1,900,900) Read.", pieces: 3, pieceMs: 20 + random() * 60 }) });
  const desk = await makeDesk(db, `kills-${randomBytes(3).toString("hex")}`, engine.url);
  const batchId = await startBatch(db, desk, pages);
  const port = await freePort();
  const traffic = startTraffic({ port, key: await makeApiKey(db, desk.userId), model: `${await slugOf(db, desk)}/embedded-tesseract-5` });
  const warm = () => warmWorkerProcess({ databaseUrl, slots: SLOTS });
  let next = warm();
  for (let kill = 0; kill < kills; kill += 1) {
    const worker = await next;
    next = warm(); // the next one loads meanwhile
    const before = engine.asked.length;
    await worker.start(port);
    await atWork(() => engine.asked.length > before); // else a slow machine's processes would die before they had begun
    await pause(random() * LONGEST_LIFE_MS);
    await worker.kill();
    await passAMinute(db);
    if (await isDone(db, batchId)) await readAgain(db, batchId);
  }
  const last = await next;
  await last.start(port);
  while (!(await isDone(db, batchId))) await pause(100);
  const brokenOff = await retryBrokenOff(db, { desk, batchId });
  while (!(await isDone(db, batchId))) await pause(100);
  const gateway = await traffic.stop();
  await last.kill();
  const proof = { kills, brokenOff, batch: await batchFacts(db, { desk, batchId, askedOfEngine: engine.asked.length }), gateway: { ...gateway, ...(await gatewayFacts(db, desk)) } };
  await engine.stop();
  await db.$disconnect();
  return proof;
}

async function retryBrokenOff(db: Db, { desk, batchId }: { desk: Desk; batchId: string }): Promise<number> {
  const { batchesRetryFailed } = await import("@/lib/services/batches-control");
  const { execute } = await import("@/lib/services/pipeline");
  const failed = await db.runPage.count({ where: { run: { batchId }, state: "failed" } });
  if (failed > 0) await execute(batchesRetryFailed, { db, caller: desk.caller, input: { id: batchId } });
  return failed;
}

/** Waits until the new process has sent the engine its first page, or is found to send none. */
async function atWork(hasBegun: () => boolean): Promise<void> {
  const until = Date.now() + 60_000;
  while (!hasBegun()) {
    if (Date.now() > until) throw new Error("the process does not begin to read");
    await pause(20);
  }
}

async function slugOf(db: Db, desk: Desk): Promise<string> {
  return (await db.environment.findUniqueOrThrow({ where: { id: desk.environmentId } })).slug;
}

async function startBatch(db: Db, desk: Desk, pages: number): Promise<string> {
  const { batchesCreate } = await import("@/lib/services/batches");
  const { execute } = await import("@/lib/services/pipeline");
  const { copyDocument, makeTiff } = await import("./test/many-pages");
  const first = await desk.upload(makeTiff(20), "pages.tif");
  const documentIds = [first, ...(await copyDocument(db, first, Math.ceil(pages / 20) - 1))];
  const { batch } = await execute(batchesCreate, { db, caller: desk.caller, input: { environmentId: desk.environmentId, name: "Kills", documentIds, deploymentId: null } });
  return batch.id;
}

/** What happens in the minute after a kill, at once: leases run out, and the queue gives the jobs of the dead process back. */
async function passAMinute(db: Db): Promise<void> {
  await db.$executeRaw`UPDATE run_page SET leased_until = now() WHERE state = 'running'`;
  const [queue] = await db.$queryRaw<{ isThere: boolean }[]>`SELECT to_regclass('pgboss.job') IS NOT NULL AS "isThere"`; // not yet, when the first process died at its start
  if (queue?.isThere) await db.$executeRaw`UPDATE pgboss.job SET state = 'retry', start_after = now() WHERE state = 'active'`;
}

async function isDone(db: Db, id: string): Promise<boolean> {
  return (await db.batch.findUniqueOrThrow({ where: { id } })).state === "done";
}

/** More to do when all is read before the last kill: the same pages again, each reading counted on its own. */
async function readAgain(db: Db, batchId: string): Promise<void> {
  await db.$executeRaw`UPDATE run_page SET state = 'queued', read_id = gen_random_uuid(), leased_until = NULL, ended_at = NULL, sealed_text = NULL WHERE run_id IN (SELECT id FROM run WHERE batch_id = ${batchId}::uuid)`;
  await db.run.updateMany({ where: { batchId }, data: { state: "queued", endedAt: null } });
  await db.batch.update({ where: { id: batchId }, data: { state: "working", endedAt: null } });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Four clients that ask one page after the other, streaming and not, whether anybody listens or not. */
function startTraffic({ port, key, model }: { port: number; key: string; model: string }) {
  const url = `data:image/png;base64,${randomBytes(3_000).toString("base64")}`;
  const facts = { answered: 0, broken: 0 };
  let isOver = false;
  const ask = async (stream: boolean) => {
    const body = JSON.stringify({ model, stream, messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }] });
    try {
      const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, { method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${key}` }, body });
      const text = await response.text();
      if (response.ok && (stream ? text.trimEnd().endsWith("[DONE]") : text.includes('"finish_reason":"stop"'))) facts.answered += 1;
      else facts.broken += 1;
    } catch (error) {
      if (isRefused(error)) return pause(50); // nobody was there
      facts.broken += 1;
    }
  };
  const lanes = Array.from({ length: 4 }, async (_, lane) => {
    while (!isOver) await ask(lane % 2 === 0);
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(lanes);
      return facts;
    },
  };
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}

async function batchFacts(db: Db, { desk, batchId, askedOfEngine }: { desk: Desk; batchId: string; askedOfEngine: number }): Promise<Proof["batch"]> {
  const { batchesExport } = await import("@/lib/services/batches-files");
  const { execute } = await import("@/lib/services/pipeline");
  const { readZip } = await import("@/lib/platform/zip-read");
  const pages = await db.runPage.findMany({ where: { run: { batchId } }, select: { id: true, readId: true, state: true } });
  const counted = await db.usageEntry.count({ where: { environmentId: desk.environmentId, feature: "batch", id: { in: pages.map(({ id, readId }) => readId ?? id) } } });
  const all = await db.usageEntry.count({ where: { environmentId: desk.environmentId, feature: "batch" } });
  const hours = await db.usageHour.aggregate({ where: { environmentId: desk.environmentId, feature: "batch" }, _sum: { pages: true } });
  const file: FileAnswer = await execute(batchesExport, { db, caller: desk.caller, input: { id: batchId } });
  const entries = readZip(Buffer.from(await new Response(file.body as ReadableStream).arrayBuffer()), { maxEntries: 1e5, maxBytes: 1e9, maxEntryBytes: 1e9 });
  const texts = entries.filter(({ name }) => name.endsWith(".md")).map((entry) => entry.read().toString());
  const manifest = JSON.parse(entries.at(-1)?.read().toString() ?? "") as { pages: { done: number } }; // written by batches.export
  const done = pages.filter(({ state }) => state === "done").length;
  const isEven = hours._sum.pages === all;
  return { pages: pages.length, done, counted, inHours: isEven ? counted : (hours._sum.pages ?? 0), inResult: texts.join("\n").split("Read.").length - 1, inManifest: manifest.pages.done, askedOfEngine };
}

async function gatewayFacts(db: Db, { environmentId }: Desk): Promise<{ counted: number; inHours: number }> {
  const where = { environmentId, feature: "gateway" };
  const hours = await db.usageHour.aggregate({ where, _sum: { pages: true } });
  return { counted: await db.usageEntry.count({ where }), inHours: hours._sum.pages ?? 0 };
}

const argument = (name: string, usual: number) => (process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : usual);

async function main(): Promise<void> {
  const { ownFolder } = await import("./test/gateway-place");
  const { startPostgres } = await import("./postgres");
  const { migrate } = await import("./migrate");
  ownFolder();
  const database = await startPostgres({ dir: ".data/bench/pg-kills", database: `kills_${Date.now()}`, isTest: true });
  process.env.DATABASE_URL = database.url;
  await migrate(database.url);
  const proof = await proveKills({ databaseUrl: database.url, kills: argument("kills", 100), pages: argument("pages", 400) });
  console.log(JSON.stringify(proof, null, 2));
  const { batch, gateway } = proof;
  const isRight = new Set([batch.pages, batch.done, batch.counted, batch.inHours, batch.inResult, batch.inManifest]).size === 1 && gateway.inHours === gateway.counted && gateway.counted >= gateway.answered && gateway.counted <= gateway.answered + gateway.broken;
  console.log(isRight ? "pages done = pages counted = pages in the result; every answer that arrived was counted once" : "NOT RIGHT");
  await database.stop();
  process.exit(isRight ? 0 : 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
