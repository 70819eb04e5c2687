/**
 * npm run bench:batch [-- --pages 20000 --slots 16 --seconds 1 --looks]: one batch on a stand-in engine that reads `slots` pages at once, each in a constant
 * time, and queues what is over, as vLLM does. Prints pages per second against the engine's own limit (slots / seconds), what the queue adds to a page,
 * and how wrong the finish estimate was on the way. Pages are tiny pictures: what is measured is the queue, not the drawing of pages.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { endedPages } from "@/lib/domain/batch";
import type { Db } from "@/lib/platform/db";
import { migrate } from "./migrate";
import { startPostgres } from "./postgres";

const argument = (name: string, usual: number) => (process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : usual);
const [pages, slots, seconds] = [argument("pages", 20_000), argument("slots", 16), argument("seconds", 1)];
/** What Lectern gives the engine at once; more than it reads at once, so that it never waits for the next page. */
const GIVEN = slots * 2;
const PAGES_OF_DOCUMENT = 100;

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const ANSWER = `${event({ model: "stand-in", choices: [{ index: 0, delta: { content: "![text](1,1,900,900) Read." }, finish_reason: "stop" }] })}${event({ choices: [], usage: { prompt_tokens: 2000, completion_tokens: 20 } })}data: [DONE]\n\n`;

/** An engine with so many slots and a line in front of them. `busySeconds` is the time in which at least one slot worked. */
async function startEngine() {
  const waiting: (() => void)[] = [];
  let [free, first, last] = [slots, 0, 0];
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    incoming.on("end", async () => {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else free -= 1;
      first ||= performance.now();
      await pause(seconds * 1000);
      last = performance.now();
      outgoing.writeHead(200, { "content-type": "text/event-stream" }).end(ANSWER);
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    });
  });
  server.listen(0, "127.0.0.1", 1024);
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has a port
  return { url, busySeconds: () => (last - first) / 1000, stop: () => server.close() };
}

async function startBatch(db: Db, engineUrl: string) {
  const { batchesCreate, batchesGet } = await import("@/lib/services/batches");
  const { execute } = await import("@/lib/services/pipeline");
  const { copyDocument, makeTiff } = await import("./test/many-pages");
  const { makeDesk } = await import("./test/reading-desk");
  const desk = await makeDesk(db, `bench-${Date.now()}`, engineUrl);
  const documents = Math.ceil(pages / PAGES_OF_DOCUMENT);
  const first = await desk.upload(makeTiff(Math.ceil(pages / documents)), "pages.tif");
  const documentIds = [first, ...(await copyDocument(db, first, documents - 1))];
  const { batch } = await execute(batchesCreate, { db, caller: desk.caller, input: { environmentId: desk.environmentId, name: "Bench", documentIds, deploymentId: null } });
  const look = async () => (await execute(batchesGet, { db, caller: desk.caller, input: { id: batch.id } })).batch;
  return { id: batch.id, total: batch.pages.total, look };
}

type Look = { at: number; share: number; secondsLeft: number | null };

/** Looks on until the batch is done. */
async function follow({ look }: Awaited<ReturnType<typeof startBatch>>): Promise<{ looks: Look[]; endedAt: number }> {
  const looks: Look[] = [];
  for (;;) {
    const batch = await look();
    const at = performance.now();
    if (batch.state === "done") return { looks, endedAt: at };
    looks.push({ at, share: endedPages(batch.pages) / batch.pages.total, secondsLeft: batch.secondsLeft });
    await pause(500);
  }
}

/** Mean time from one page's end to the next claim and back, outside the engine: what a slot of Lectern's spends on a page besides waiting for its answer. */
async function overheadMs(db: Db, batchId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ ms: number }[]>`
    SELECT (avg(EXTRACT(EPOCH FROM page.ended_at - page.started_at) - page.seconds) * 1000)::float8 AS ms
    FROM run_page page JOIN run ON run.id = page.run_id WHERE run.batch_id = ${batchId}::uuid AND page.state = 'done'`;
  return row?.ms ?? NaN;
}

async function main(): Promise<void> {
  const { ownFolder } = await import("./test/gateway-place");
  const { warmWorkerProcess } = await import("./test/worker-process");
  ownFolder();
  const database = await startPostgres({ dir: ".data/bench/pg-batch", database: `bench_${Date.now()}` });
  process.env.DATABASE_URL = database.url;
  await migrate(database.url);
  const { connect } = await import("@/lib/platform/db");
  const db = connect(database.url);
  const engine = await startEngine();
  const batch = await startBatch(db, engine.url);
  const worker = await warmWorkerProcess({ databaseUrl: database.url, slots: GIVEN });
  console.log(`${os.cpus()[0]?.model}, ${os.availableParallelism()} cores, load ${os.loadavg()[0]?.toFixed(1)}; ${batch.total} pages, an engine of ${slots} slots, ${seconds} s a page: at most ${(slots / seconds).toFixed(1)} pages/s`);
  await worker.start(0);
  const { looks, endedAt } = await follow(batch);
  const perSecond = batch.total / engine.busySeconds();
  console.log(`${perSecond.toFixed(2)} pages/s, ratio ${((perSecond * seconds) / slots).toFixed(3)} of the engine's own limit`);
  console.log(`overhead: ${(await overheadMs(db, batch.id)).toFixed(1)} ms a page from claim to end, outside the engine; slots of the engine stood empty ${((1 - (perSecond * seconds) / slots) * 100).toFixed(1)} % of the time`);
  if (process.argv.includes("--looks")) for (const { at, share, secondsLeft } of looks) console.log(`${(share * 100).toFixed(1)} % done, ${secondsLeft?.toFixed(1) ?? "no"} s left estimated, ${((endedAt - at) / 1000).toFixed(1)} s true`);
  const late = looks.filter(({ share, secondsLeft }) => share >= 0.1 && share < 0.95 && secondsLeft !== null).map(({ at, secondsLeft }) => Math.abs((secondsLeft ?? 0) * 1000 - (endedAt - at)) / (endedAt - at));
  console.log(`finish estimate from 10 % to 95 % done: wrong by ${(100 * (late.reduce((sum, share) => sum + share, 0) / late.length)).toFixed(1)} % on average, ${(100 * Math.max(...late)).toFixed(1)} % at most, in ${late.length} looks`);
  const counted = await db.usageEntry.count({ where: { feature: "batch" } });
  console.log(`pages done ${batch.total}, pages counted ${counted}`);
  await worker.kill();
  engine.stop();
  await db.$disconnect();
  await database.stop();
  process.exit(counted === batch.total ? 0 : 1);
}

await main();
