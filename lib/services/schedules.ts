import "server-only";
import { z } from "zod";
import { DomainError, notFound } from "@/lib/domain/errors";
import { changesBetween, ScheduleRule } from "@/lib/domain/schedule";
import { Prisma, type Schedule } from "@/lib/generated/prisma/client";
import { inEnvironmentsWith } from "./environments";
import { environmentOfDeployment } from "./deployment-rows";
import { publish } from "./live";
import { read, write } from "./operation";
import { nextOf, type Next } from "./schedules-due";
import { effectiveOf } from "./schedules-plan";
import { scheduledDeployments, type Scheduled } from "./schedules-state";

const UPCOMING_MS = 14 * 86_400_000;
const MAX_KEEP_MS = 31 * 86_400_000;

const IdleMinutes = z.int().min(5, "Five minutes is the least: a start takes that long.").max(24 * 60);
const Settings = z.strictObject({ rule: ScheduleRule.nullable(), idleMinutes: IdleMinutes.nullable() });
const Firing = z.strictObject({ slot: z.iso.datetime(), action: z.enum(["start", "stop"]), cause: z.enum(["hours", "idle", "wake"]), state: z.enum(["claimed", "done", "nothing", "failed"]), message: z.string() });
const NextView = z.strictObject({ at: z.iso.datetime(), action: z.enum(["start", "stop"]), cause: z.enum(["hours", "idle"]) });
const Row = z.strictObject({
  deploymentId: z.uuid(),
  environmentId: z.uuid(),
  timeZone: z.string().nullable(),
  isRunning: z.boolean(),
  next: NextView.nullable(),
  keepUntil: z.iso.datetime().nullable(),
  idleMinutes: z.number().int().nullable(),
  /** Why idleness does not stop it although it should be looked for; empty when it would. */
  idleNote: z.string(),
  /** The last start or stop by the scheduler, with why it failed if it did. */
  last: Firing.nullable(),
});
export type ScheduleRow = z.infer<typeof Row>;

function toNext(next: Next | null): z.infer<typeof NextView> | null {
  return next ? { ...next, at: new Date(next.at).toISOString() } : null;
}

function toRow(one: Scheduled, { now, last }: { now: Date; last: z.infer<typeof Firing> | null }): ScheduleRow {
  const { row, effective, isRunning, idleMinutes, idle } = one;
  const isKept = effective.keepUntil !== null && effective.keepUntil > now.getTime();
  const note = idle?.state === "unknown" ? idle.sentence : "";
  return { deploymentId: row.id, environmentId: row.environmentId, timeZone: effective.plan?.rule.timeZone ?? null, isRunning, next: toNext(nextOf(one, now)), keepUntil: isKept && effective.keepUntil !== null ? new Date(effective.keepUntil).toISOString() : null, idleMinutes, idleNote: note, last };
}

export const schedulesList = read({
  name: "schedules.list",
  summary: "What starts or stops next, for every deployment that I may see",
  permission: "environment.read",
  environment: "each",
  input: z.strictObject({ environmentId: z.uuid().optional() }),
  output: z.strictObject({ deployments: z.array(Row) }),
  run: async ({ caller, db, input, now }) => {
    const mine = inEnvironmentsWith(caller.actor, "environment.read");
    const all = await scheduledDeployments(db, { now, where: mine });
    const shown = all.filter(({ row }) => input.environmentId === undefined || row.environmentId === input.environmentId);
    const firings = await db.scheduleFiring.findMany({ where: { deploymentId: { in: shown.map(({ row }) => row.id) }, state: { not: "nothing" } }, orderBy: [{ deploymentId: "asc" }, { slot: "desc" }], distinct: ["deploymentId"] });
    const lastOf = (id: string) => firings.find((firing) => firing.deploymentId === id);
    return { deployments: shown.map((one) => toRow(one, { now, last: toFiring(lastOf(one.row.id)) })) };
  },
});

type FiringRow = { slot: Date; action: string; cause: string; state: string; message: string };

function toFiring(row: FiringRow | undefined): z.infer<typeof Firing> | null {
  return row ? Firing.parse({ slot: row.slot.toISOString(), action: row.action, cause: row.cause, state: row.state, message: row.message }) : null;
}

/** A column of JSON takes Prisma's own null. */
function jsonRule(rule: ScheduleRule | null) {
  return { rule: rule ?? Prisma.DbNull };
}

function settingsOf(row: Schedule | null): z.infer<typeof Settings> | null {
  return row && (row.rule !== null || row.idleMinutes !== null) ? { rule: row.rule === null ? null : ScheduleRule.parse(row.rule), idleMinutes: row.idleMinutes } : null;
}

export const schedulesGet = read({
  name: "schedules.get",
  summary: "The schedule of an environment, or of one deployment with what it has from its environment",
  permission: "environment.read",
  environment: async (input) => input.environmentId,
  input: z.strictObject({ environmentId: z.uuid(), deploymentId: z.uuid().optional() }),
  output: z.strictObject({
    own: Settings.nullable(),
    inherited: Settings.nullable(),
    keepUntil: z.iso.datetime().nullable(),
    upcoming: z.array(z.strictObject({ at: z.iso.datetime(), isOn: z.boolean() })),
    firings: z.array(Firing),
  }),
  run: async ({ db, input, now }) => {
    const { environmentId, deploymentId } = input;
    if (deploymentId && (await db.deployment.count({ where: { id: deploymentId, environmentId, deletedAt: null } })) === 0) throw notFound("deployment");
    const shared = await db.schedule.findFirst({ where: { environmentId, deploymentId: null } });
    const own = deploymentId ? await db.schedule.findUnique({ where: { deploymentId } }) : null;
    const { plan, keepUntil } = effectiveOf(own, shared);
    const upcoming = plan ? changesBetween(plan, { from: now.getTime(), to: now.getTime() + UPCOMING_MS }) : [];
    const firings = deploymentId ? await db.scheduleFiring.findMany({ where: { deploymentId }, orderBy: { slot: "desc" }, take: 10 }) : [];
    return {
      own: settingsOf(deploymentId ? own : shared),
      inherited: deploymentId ? settingsOf(shared) : null,
      keepUntil: keepUntil !== null && keepUntil > now.getTime() ? new Date(keepUntil).toISOString() : null,
      upcoming: upcoming.map(({ at, isOn }) => ({ at: new Date(at).toISOString(), isOn })),
      firings: firings.flatMap((row) => toFiring(row) ?? []),
    };
  },
});

export const schedulesSetEnvironment = write({
  name: "schedules.setEnvironment",
  summary: "Set the working hours and idle stop of a whole environment; they count from now on",
  permission: "environment.edit",
  environment: async (input) => input.environmentId,
  effect: "database",
  input: Settings.extend({ environmentId: z.uuid() }),
  output: z.strictObject({ environmentId: z.uuid() }),
  target: ({ environmentId, rule, idleMinutes }) => ({ type: "environment", id: environmentId, detail: { hasHours: rule !== null, timeZone: rule?.timeZone ?? null, idleMinutes } }),
  run: async ({ caller, db, input, now }) => {
    const { environmentId, rule, idleMinutes } = input;
    const before = await db.schedule.findFirst({ where: { environmentId, deploymentId: null }, select: { id: true } });
    const data = { ...jsonRule(rule), idleMinutes, countsFrom: now, updatedById: caller.actor.userId };
    if (before) await db.schedule.update({ where: { id: before.id }, data });
    else await db.schedule.create({ data: { environmentId, ...data } });
    await publish(db, `environment:${environmentId}`, { data: { schedule: true } });
    return { environmentId };
  },
});

export const schedulesSetDeployment = write({
  name: "schedules.setDeployment",
  summary: "Set a deployment's own working hours and idle stop; what is left empty comes from its environment",
  permission: "deployment.stop",
  environment: environmentOfDeployment,
  effect: "database",
  input: Settings.extend({ id: z.uuid() }),
  output: z.strictObject({ id: z.uuid() }),
  target: ({ id, rule, idleMinutes }) => ({ type: "deployment", id, detail: { hasHours: rule !== null, timeZone: rule?.timeZone ?? null, idleMinutes } }),
  run: async ({ caller, db, input, now }) => {
    const { environmentId } = await db.deployment.findUniqueOrThrow({ where: { id: input.id }, select: { environmentId: true } });
    const data = { ...jsonRule(input.rule), idleMinutes: input.idleMinutes, countsFrom: now, updatedById: caller.actor.userId };
    await db.schedule.upsert({ where: { deploymentId: input.id }, create: { environmentId, deploymentId: input.id, ...data }, update: data });
    await publish(db, `environment:${environmentId}`, { data: { schedule: true } });
    return { id: input.id };
  },
});

export const schedulesKeep = write({
  name: "schedules.keep",
  summary: "Keep a deployment running until an instant, whatever its hours say; null ends that",
  permission: "deployment.stop",
  environment: environmentOfDeployment,
  effect: "database",
  input: z.strictObject({ id: z.uuid(), until: z.iso.datetime().nullable() }),
  output: z.strictObject({ id: z.uuid() }),
  target: ({ id, until }) => ({ type: "deployment", id, detail: { until } }),
  run: async ({ caller, db, input, now }) => {
    const until = input.until === null ? null : new Date(input.until);
    if (until && (until <= now || until.getTime() - now.getTime() > MAX_KEEP_MS)) throw new DomainError("unprocessable", "Choose a time after now and within 31 days.");
    const { environmentId } = await db.deployment.findUniqueOrThrow({ where: { id: input.id }, select: { environmentId: true } });
    const data = { keepFrom: until ? now : null, keepUntil: until, updatedById: caller.actor.userId };
    await db.schedule.upsert({ where: { deploymentId: input.id }, create: { environmentId, deploymentId: input.id, countsFrom: now, ...data }, update: data });
    await publish(db, `environment:${environmentId}`, { data: { schedule: true } });
    return { id: input.id };
  },
});
