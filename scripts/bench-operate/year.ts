import { tickSchedules } from "@/lib/services/schedules-tick";
import { deploy, workingHours, type Place } from "./place.ts";

const DAY_MS = 86_400_000;
const WARM_UP_DAYS = 7;

export type Year = { days: number; ticks: number; beforeMb: number; afterMb: number; firings: number };

/** A simulated year of working hours on a cluster: four looks a day, the heap after a garbage collection before and after it. */
export async function measureYear({ db, environmentId }: Place, { days, deployments }: { days: number; deployments: number }): Promise<Year> {
  const ids = await Promise.all(Array.from({ length: deployments }, (_, index) => deploy(db, environmentId, `year-${index}`)));
  const begin = Date.UTC(2027, 0, 4);
  await db.schedule.createMany({ data: ids.map((id) => ({ environmentId, deploymentId: id, rule: workingHours, countsFrom: new Date(begin) })) });
  let ticks = 0;
  const live = async (from: number, to: number) => {
    for (let day = from; day < to; day += 1) {
      for (const hour of [3, 7.01, 12, 17.01]) {
        await tickSchedules(db, new Date(begin + day * DAY_MS + hour * 3_600_000));
        ticks += 1;
      }
    }
  };
  await live(0, WARM_UP_DAYS);
  const beforeMb = heapMb();
  await live(WARM_UP_DAYS, days);
  const afterMb = heapMb();
  const firings = await db.scheduleFiring.count({ where: { deploymentId: { in: ids } } });
  await db.deployment.updateMany({ where: { id: { in: ids } }, data: { deletedAt: new Date() } });
  return { days, ticks, beforeMb, afterMb, firings };
}

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
