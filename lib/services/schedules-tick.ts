import "server-only";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { lookForAlerts } from "./alerts-look";
import { lookForAllDrift } from "./drift-look";
import { recordEngineUse } from "./engine-metrics";
import { pruneHealth, recordAllHealth } from "./health-look";
import { sweepPreviewEnvironments, tendPreviewEnvironments } from "./preview-environments-tend";
import { checkAllPrivacy } from "./privacy-look";
import { probeAllPrivacy } from "./privacy-probe";
import { dueOf } from "./schedules-due";
import { claim, fire } from "./schedules-fire";
import { scheduledDeployments } from "./schedules-state";
import { tickScalers } from "./scaler-tick";
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

/** Each is begun this long after its last end: drift is seen within 30 s, what got less private within a minute. */
const DUTIES: { everyMs: number; run: (db: Db, now: Date) => Promise<unknown> }[] = [
  { everyMs: EVERY_MS, run: tendWakes },
  { everyMs: EVERY_MS, run: tickSchedules },
  { everyMs: 10_000, run: lookForAllDrift },
  { everyMs: 30_000, run: checkAllPrivacy },
  { everyMs: 60_000, run: probeAllPrivacy },
  { everyMs: EVERY_MS, run: tendPreviewEnvironments },
  { everyMs: 60_000, run: sweepPreviewEnvironments },
  { everyMs: 60_000, run: recordAllHealth },
  { everyMs: 5_000, run: tickScalers },
  { everyMs: 15_000, run: lookForAlerts },
  { everyMs: 3_600_000, run: pruneHealth },
];

/** Runs the scheduler's duties in the background until it is stopped; what is under way is finished. A slow one does not keep the others. */
export function startScheduler(db: Db): { stop(): Promise<void> } {
  const end = new AbortController();
  setMaxListeners(DUTIES.length, end.signal); // each sleeps on it
  const repeat = async ({ everyMs, run }: (typeof DUTIES)[number]) => {
    while (!end.signal.aborted) {
      await run(db, new Date()).catch(report);
      await sleep(everyMs, undefined, { signal: end.signal }).catch(() => undefined);
    }
  };
  const done = Promise.all(DUTIES.map(repeat));
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
