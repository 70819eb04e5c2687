import "server-only";
import { setTimeout } from "node:timers/promises";
import PgBoss from "pg-boss";
import type { Db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { claimBatchPage, endBatches, pagesWithoutJob } from "./batch-queue";
import { readClaimedPage } from "./page-reader";
import { deliverWebhook, WEBHOOK_QUEUE } from "./webhook";

export const PAGE_QUEUE = "batch-pages";
const PARALLEL = 32;
const IDLE_MS = 300;
const LOOK_MS = 250;
const SWEEP_MS = 1_000;
const SWEEP_PAGES = 2_000;
/** A job that nobody ends within this time goes back to the queue: its process has died. */
const JOB_SECONDS = 60;
const HOLD_MS = 40_000;

export type BatchWorker = { stop(): Promise<void> };
type Job = PgBoss.Job<{ pageId: string }>;

/** Reads pages of batches until it is stopped. The queue says what is to be done; whether a page is read and counted, its own row decides. */
export function startBatchWorker(db: Db, connectionString: string): BatchWorker {
  const shutdown = new AbortController();
  const done = run(db, connectionString, shutdown.signal).catch(report);
  return {
    stop: async () => {
      shutdown.abort();
      await done;
    },
  };
}

async function run(db: Db, connectionString: string, signal: AbortSignal): Promise<void> {
  const boss = new PgBoss({ connectionString, max: 4, maintenanceIntervalSeconds: 10, archiveCompletedAfterSeconds: 60, deleteAfterSeconds: 600, schedule: false });
  boss.on("error", report);
  await boss.start();
  try {
    await boss.createQueue(PAGE_QUEUE, { name: PAGE_QUEUE, retryLimit: 1_000_000, retryDelay: 1, expireInSeconds: JOB_SECONDS });
    await boss.createQueue(WEBHOOK_QUEUE, { name: WEBHOOK_QUEUE, retryLimit: 8, retryDelay: 10, retryBackoff: true });
    await boss.work<{ batchId: string }>(WEBHOOK_QUEUE, { pollingIntervalSeconds: 1 }, async ([job]) => job && deliverWebhook(db, job.data.batchId));
    await dispatch(db, boss, signal);
  } finally {
    await boss.stop({ graceful: false, close: true, wait: true });
  }
}

async function dispatch(db: Db, boss: PgBoss, signal: AbortSignal): Promise<void> {
  const working = new Set<Promise<void>>();
  let sweptAt = 0;
  while (!signal.aborted) {
    if (Date.now() - sweptAt > SWEEP_MS) {
      await sweep(db, boss).catch(report);
      sweptAt = Date.now();
    }
    const room = PARALLEL - working.size;
    const jobs = room > 0 ? await boss.fetch<{ pageId: string }>(PAGE_QUEUE, { batchSize: room }).catch(report) : null;
    for (const job of jobs ?? []) {
      const work: Promise<void> = perform(db, boss, { job, signal }).catch(report).finally(() => working.delete(work));
      working.add(work);
    }
    if (!jobs?.length) await Promise.race([pause(IDLE_MS, signal), ...working]);
  }
  await Promise.all(working);
}

/** Holds a job until its page has ended; a page that must wait too long goes back to the queue, so that others get their turn. */
async function perform(db: Db, boss: PgBoss, { job, signal }: { job: Job; signal: AbortSignal }): Promise<void> {
  const until = Date.now() + HOLD_MS;
  while (!signal.aborted) {
    const claim = await claimBatchPage(db, job.data.pageId, new Date());
    if (claim === "ended") return boss.complete(PAGE_QUEUE, job.id);
    if (claim === "claimed") await readClaimedPage(db, job.data.pageId, signal);
    else if (Date.now() > until) break;
    else await pause(LOOK_MS, signal);
  }
  await boss.fail(PAGE_QUEUE, job.id); // comes again
}

async function sweep(db: Db, boss: PgBoss): Promise<void> {
  const pages = await pagesWithoutJob(db, PAGE_QUEUE, SWEEP_PAGES);
  if (pages.length > 0) await boss.insert(pages.map((pageId) => ({ name: PAGE_QUEUE, data: { pageId }, singletonKey: pageId })));
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
