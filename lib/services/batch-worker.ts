import "server-only";
import { setMaxListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import PgBoss from "pg-boss";
import type { Db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { createLines, type Lines } from "./batch-lines";
import { claimBatchPage, endBatches, engineSlots, missingJobs, standOf, type EngineSlots, type PageJob } from "./batch-queue";
import { readClaimedPage } from "./page-reader";
import { deliverWebhook, giveUpWebhook, WEBHOOK_FAILED_QUEUE, WEBHOOK_QUEUE } from "./webhook";

export const PAGE_QUEUE = "batch-pages";
/** Pages that one process has taken from the queue: those that it reads, and those that stand in line for an engine. */
const HELD = 96;
const IDLE_MS = 300;
const LOOK_MS = 500;
const SWEEP_MS = 1_000;
/** A job that nobody ends within this time goes back to the queue: its process has died. */
const JOB_SECONDS = 60;
const HOLD_MS = 40_000;
/** A page that is not to be tried yet stays outside the line, so that it keeps no other waiting. */
const LATER_MS = 1_000;

export type BatchWorker = { stop(): Promise<void> };
/** `webhookRetrySeconds`: until a webhook is sent for the second time; twice as long before each further try. */
export type BatchWorkerOptions = { slots?: EngineSlots; webhookRetrySeconds?: number };
const WEBHOOK_RETRY_SECONDS = 10;
type Job = PgBoss.Job<PageJob>;
type Room = { db: Db; boss: PgBoss; lines: Lines; slots: EngineSlots; signal: AbortSignal };

/** Reads pages of batches until it is stopped. The queue says what is to be done; whether a page is read and counted, its own row decides. */
export function startBatchWorker(db: Db, connectionString: string, { slots = engineSlots, webhookRetrySeconds = WEBHOOK_RETRY_SECONDS }: BatchWorkerOptions = {}): BatchWorker {
  const shutdown = new AbortController();
  setMaxListeners(0, shutdown.signal); // each page that is held waits on it
  const done = run(db, connectionString, { slots, webhookRetrySeconds, signal: shutdown.signal }).catch(report);
  return {
    stop: async () => {
      shutdown.abort();
      await done;
    },
  };
}

async function run(db: Db, connectionString: string, { slots, webhookRetrySeconds, signal }: Required<BatchWorkerOptions> & { signal: AbortSignal }): Promise<void> {
  const boss = new PgBoss({ connectionString, max: 4, maintenanceIntervalSeconds: 10, archiveCompletedAfterSeconds: 60, deleteAfterSeconds: 600, schedule: false });
  boss.on("error", report);
  await boss.start();
  try {
    await boss.createQueue(PAGE_QUEUE, { name: PAGE_QUEUE, retryLimit: 1_000_000, retryDelay: 1, expireInSeconds: JOB_SECONDS });
    await boss.createQueue(WEBHOOK_FAILED_QUEUE, { name: WEBHOOK_FAILED_QUEUE });
    const webhooks = { name: WEBHOOK_QUEUE, retryLimit: 8, retryDelay: webhookRetrySeconds, retryBackoff: true, deadLetter: WEBHOOK_FAILED_QUEUE };
    await boss.createQueue(WEBHOOK_QUEUE, webhooks);
    await boss.updateQueue(WEBHOOK_QUEUE, webhooks); // one that an earlier version made
    await boss.work<{ batchId: string }>(WEBHOOK_QUEUE, { pollingIntervalSeconds: 1 }, async ([job]) => job && deliverWebhook(db, job.data.batchId));
    await boss.work<{ batchId: string }>(WEBHOOK_FAILED_QUEUE, { pollingIntervalSeconds: 10 }, async ([job]) => job && giveUpWebhook(db, job.data.batchId));
    await dispatch({ db, boss, lines: createLines(), slots, signal });
  } finally {
    await boss.stop({ graceful: false, close: true, wait: true });
  }
}

async function dispatch(room: Room): Promise<void> {
  const { db, boss, signal } = room;
  const working = new Set<Promise<void>>();
  let sweptAt = 0;
  while (!signal.aborted) {
    if (Date.now() - sweptAt > SWEEP_MS) {
      await sweep(db, boss).catch(report);
      sweptAt = Date.now();
    }
    const free = HELD - working.size;
    const jobs = free > 0 ? await boss.fetch<PageJob>(PAGE_QUEUE, { batchSize: free }).catch(report) : null;
    for (const job of jobs ?? []) {
      const work: Promise<void> = perform(room, job).catch(report).finally(() => working.delete(work));
      working.add(work);
    }
    if (!jobs?.length) await Promise.race([setTimeout(IDLE_MS), ...working]);
  }
  await Promise.all(working);
}

/** Holds a job until its page has ended; a page that must wait too long goes back to the queue, so that others get their turn. */
async function perform(room: Room, job: Job): Promise<void> {
  const { db, boss, lines, signal } = room;
  const { pageId, engine = "" } = job.data; // jobs of an earlier version have no engine
  const until = Date.now() + HOLD_MS;
  let stand = await standOf(db, pageId, new Date());
  while (!signal.aborted && stand !== "ended") {
    const claim = stand === "later" ? stand : await claimInTurn(room, { pageId, engine, until });
    if (claim === "ended") break;
    if (claim === "claimed") {
      await readClaimedPage(db, pageId, signal);
      lines.ring(engine);
    } else if (claim === "wait" || Date.now() > until) return boss.fail(PAGE_QUEUE, job.id); // comes again
    else await setTimeout(LATER_MS, undefined, { signal }).catch(() => undefined);
    stand = await standOf(db, pageId, new Date());
  }
  await (signal.aborted ? boss.fail(PAGE_QUEUE, job.id) : boss.complete(PAGE_QUEUE, job.id));
}

async function claimInTurn({ db, lines, slots, signal }: Room, { pageId, engine, until }: PageJob & { until: number }) {
  const leave = await lines.stand(engine);
  try {
    for (;;) {
      if (signal.aborted) return "wait";
      const claim = await claimBatchPage(db, pageId, { now: new Date(), slots });
      if (claim !== "wait" || Date.now() > until) return claim;
      await lines.wait(engine, LOOK_MS, signal);
    }
  } finally {
    leave();
  }
}

async function sweep(db: Db, boss: PgBoss): Promise<void> {
  const jobs = await missingJobs(db, PAGE_QUEUE);
  if (jobs.length > 0) await boss.insert(jobs.map(({ priority, ...data }) => ({ name: PAGE_QUEUE, data, priority, singletonKey: data.pageId })));
  const ended = await endBatches(db, new Date());
  for (const batchId of ended) log().info({ batchId }, "batch ended");
  const due = await db.batch.findMany({ where: { state: "done", webhookState: "due" }, select: { id: true } });
  for (const { id } of due) {
    await boss.send(WEBHOOK_QUEUE, { batchId: id }, { singletonKey: id });
    await db.batch.updateMany({ where: { id, webhookState: "due" }, data: { webhookState: "queued" } });
  }
}

function report(error: unknown): undefined {
  log().error({ kind: error instanceof Error ? error.name : typeof error, error: error instanceof Error ? error.message.slice(0, 300) : "" }, "batch worker");
}
