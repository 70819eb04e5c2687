import "server-only";
import { z } from "zod";
import { healthPoints } from "@/lib/domain/health";
import type { Db } from "@/lib/platform/db";
import { environmentOfDeployment } from "./deployment-rows";
import { BUCKET_MS } from "./health-look";
import { read } from "./operation";

const HOUR_MS = 3_600_000;
/** Points of a chart that is some 300 pixels wide. */
const MOST_POINTS = 96;

const Point = z.strictObject({
  at: z.number(),
  restarts: z.number(),
  oomKills: z.number(),
  pages: z.number(),
  truncatedShare: z.number().nullable(),
  running: z.number().nullable(),
  waiting: z.number().nullable(),
  kvUse: z.number().nullable(),
  latencySeconds: z.number().nullable(),
  pagesPerSecond: z.number().nullable(),
});
const Event = z.strictObject({ at: z.number(), kind: z.enum(["rollout", "start", "stop", "wake", "alert", "restart"]), text: z.string() });
export type HealthEvent = z.infer<typeof Event>;

export const healthGet = read({
  name: "health.get",
  summary: "How a deployment did over time: restarts, out-of-memory kills, truncated pages, queue, latency, pages per second and KV use, with what happened meanwhile",
  permission: "environment.read",
  environment: environmentOfDeployment,
  input: z.strictObject({ id: z.uuid(), hours: z.union([z.literal(6), z.literal(24), z.literal(168), z.literal(720)]).default(24) }),
  output: z.strictObject({ from: z.number(), to: z.number(), stepMs: z.number(), points: z.array(Point), events: z.array(Event), measuredAt: z.iso.datetime().nullable() }),
  run: async ({ db, input, now }) => {
    const to = now.getTime();
    const from = to - input.hours * HOUR_MS;
    const stepMs = Math.max(BUCKET_MS, Math.ceil((input.hours * HOUR_MS) / MOST_POINTS / BUCKET_MS) * BUCKET_MS);
    const rows = await db.healthSample.findMany({ where: { deploymentId: input.id, at: { gte: new Date(from) } }, orderBy: { at: "asc" } });
    const last = await db.healthCounter.aggregate({ where: { deploymentId: input.id }, _max: { at: true } });
    const points = healthPoints(rows.map((row) => ({ ...row, at: row.at.getTime() })), { from, to, stepMs });
    return { from, to, stepMs, points, events: await eventsOf(db, input.id, new Date(from)), measuredAt: last._max.at?.toISOString() ?? null };
  },
});

/** What happened to a deployment, from what is kept of it anyway. */
async function eventsOf(db: Db, deploymentId: string, from: Date): Promise<HealthEvent[]> {
  const [rollouts, firings, wakes, alerts] = await Promise.all([
    db.rollout.findMany({ where: { revision: { deploymentId }, startedAt: { gte: from } }, include: { revision: { select: { number: true, note: true } } } }),
    db.scheduleFiring.findMany({ where: { deploymentId, state: "done", endedAt: { gte: from } } }),
    db.wake.findMany({ where: { deploymentId, requestedAt: { gte: from } } }),
    db.alert.findMany({ where: { deploymentId, startedAt: { gte: from } } }),
  ]);
  const events: HealthEvent[] = [
    ...rollouts.map(({ startedAt, revision, state }) => ({ at: startedAt.getTime(), kind: "rollout" as const, text: `Revision ${revision.number}: ${state}${revision.note === "" ? "" : ` (${revision.note})`}` })),
    ...firings.map(({ endedAt, slot, action, cause }) => ({ at: (endedAt ?? slot).getTime(), kind: action === "start" ? ("start" as const) : ("stop" as const), text: `${action === "start" ? "Started" : "Stopped"} by ${cause === "idle" ? "idleness" : cause}` })),
    ...wakes.map(({ requestedAt, state, reason }) => ({ at: requestedAt.getTime(), kind: "wake" as const, text: state === "gave_up" ? `Waking was given up: ${reason}` : "Woken" })),
    ...alerts.map(({ startedAt, sentence }) => ({ at: startedAt.getTime(), kind: "alert" as const, text: sentence })),
  ];
  return events.sort((left, right) => left.at - right.at).slice(-200);
}
