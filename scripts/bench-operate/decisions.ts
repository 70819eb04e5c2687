import { tickSchedules } from "@/lib/services/schedules-tick";
import { workingHours, type Place } from "./place.ts";

const TICKS = 10;

/** One tick over many deployments with schedules of their own, at an hour at which nothing is due: decisions a second, the median of ten. */
export async function measureDecisions({ db, environmentId }: Place, count: number): Promise<{ perSecond: number; tickMs: number }> {
  const spec = { name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" };
  const countsFrom = new Date("2026-11-30T07:30:00Z");
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  await db.deployment.createMany({ data: ids.map((id, index) => ({ id, environmentId, name: `many-${index}`, spec: { ...spec, name: `many-${index}` }, state: "ready" })) });
  const zones = ["Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"];
  await db.schedule.createMany({ data: ids.map((id, index) => ({ environmentId, deploymentId: id, rule: { ...workingHours, timeZone: zones[index % zones.length] ?? "UTC", week: [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], hours: { from: "00:00", to: "24:00" } }] }, countsFrom })) });
  const times: number[] = [];
  for (let tick = 0; tick < TICKS; tick += 1) {
    const started = performance.now();
    await tickSchedules(db, new Date(countsFrom.getTime() + 3_600_000 + tick * 2_000));
    times.push(performance.now() - started);
  }
  await db.deployment.deleteMany({ where: { id: { in: ids } } });
  const tickMs = times.sort((left, right) => left - right)[TICKS / 2] ?? 0;
  return { perSecond: (count / tickMs) * 1000, tickMs };
}
