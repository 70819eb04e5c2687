import "server-only";
import { setTimeout } from "node:timers/promises";
import type { Db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { claimPage } from "./page-queue";
import { readClaimedPage } from "./page-reader";

/** Pages that one process works on at once, and that one engine is given at once. */
const PARALLEL = 6;
const SLOTS_A_DEPLOYMENT = 2;
const IDLE_MS = 400;

export type Worker = { stop(): Promise<void> };

/** Takes pages from the queue in the database until it is stopped; pages under way are put back then. */
export function startPageWorker(db: Db): Worker {
  const shutdown = new AbortController();
  const lanes = Array.from({ length: PARALLEL }, () => lane(db, shutdown.signal));
  return {
    stop: async () => {
      shutdown.abort();
      await Promise.all(lanes);
    },
  };
}

async function lane(db: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isBusy = await takeOne(db, signal).catch((error: unknown) => {
      log().error({ kind: error instanceof Error ? error.name : typeof error, error: error instanceof Error ? error.message : "" }, "page worker");
      return false;
    });
    if (!isBusy) await pause(IDLE_MS, signal);
  }
}

async function takeOne(db: Db, signal: AbortSignal): Promise<boolean> {
  const id = await claimPage(db, new Date(), SLOTS_A_DEPLOYMENT);
  if (!id) return false;
  await readClaimedPage(db, id, signal);
  return true;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
