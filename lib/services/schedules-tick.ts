import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { recordEngineUse } from "./engine-metrics";
import { dueOf } from "./schedules-due";
import { claim, fire } from "./schedules-fire";
import { scheduledDeployments } from "./schedules-state";
import { recordSleeps } from "./sleep-log";
import { tendWakes } from "./wakes-tend";

const EVERY_MS = 2_000;
/** Engines whose idleness counts are asked for their metrics this often. */
const METRICS_MS = 30_000;

/** One look at everything that has a schedule: starts and stops what is due, once per slot. Returns how many slots this call acted on. */
export async function tickSchedules(db: Db, now: Date): Promise<number> {
  await askIdleEngines(db, now);
  const scheduled = await scheduledDeployments(db, { now });
  const dues = scheduled.flatMap((one) => dueOf(one, now) ?? []);
  const over = await db.scheduleFiring.findMany({ where: { id: { in: dues.map((due) => due.id) }, state: { not: "claimed" } }, select: { id: true } });
  const open = dues.filter((due) => over.every(({ id }) => id !== due.id));
  let acted = 0;
  for (const due of open) {
    const attempt = await claim(db, due, now);
    if (attempt === null) continue;
    await fire(db, due, { now, attempt });
    acted += 1;
  }
  await recordSleeps(db, now);
  return acted;
}

/** Reads the metrics of ready engines that may be stopped for idleness, those read longest ago first. */
async function askIdleEngines(db: Db, now: Date): Promise<void> {
  const scheduled = await scheduledDeployments(db, { now });
  const due = scheduled.filter(({ row, idleMinutes, isRunning }) => idleMinutes !== null && isRunning && row.state === "ready" && now.getTime() - (row.engineUse?.at.getTime() ?? 0) > METRICS_MS);
  await Promise.all(due.map(({ row }) => recordEngineUse(db, row.id, now)));
}

/** Runs the scheduler in the background until it is stopped; a tick under way is finished. */
export function startScheduler(db: Db): { stop(): Promise<void> } {
  const end = new AbortController();
  const done = (async () => {
    while (!end.signal.aborted) {
      await tendWakes(db, new Date()).catch(report);
      await tickSchedules(db, new Date()).catch(report);
      await sleep(EVERY_MS, undefined, { signal: end.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      end.abort();
      await done;
    },
  };
}

function report(error: unknown): void {
  log().error({ kind: error instanceof Error ? error.name : typeof error, error: error instanceof Error ? error.message : "" }, "scheduler");
}
