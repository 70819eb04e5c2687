import "server-only";
import { setTimeout } from "node:timers/promises";
import type { Db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { memory } from "@/lib/platform/memory-vault";
import { claimPage } from "./page-queue";
import { readClaimedPage } from "./page-reader";

/** Pages that one process works on at once. */
const PARALLEL = 32;
const IDLE_MS = 300;

export type Worker = { stop(): Promise<void> };

/** Takes pages from the queue in the database until it is stopped; pages under way are put back then. */
export function startPageWorker(db: Db): Worker {
  const shutdown = new AbortController();
  const done = dispatch(db, shutdown.signal);
  return {
    stop: async () => {
      shutdown.abort();
      await done;
    },
  };
}

async function dispatch(db: Db, signal: AbortSignal): Promise<void> {
  const working = new Set<Promise<void>>();
  while (!signal.aborted) {
    const id = working.size < PARALLEL ? await claimPage(db, new Date(), memory().processId).catch(report) : null;
    if (id) {
      const work: Promise<void> = readClaimedPage(db, id, signal).then(undefined, report).finally(() => working.delete(work));
      working.add(work);
    } else {
      await Promise.race([pause(IDLE_MS, signal), ...working]); // a page that ended makes room
    }
  }
  await Promise.all(working);
}

function report(error: unknown): void {
  log().error({ kind: error instanceof Error ? error.name : typeof error, error: error instanceof Error ? error.message : "" }, "page worker");
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
