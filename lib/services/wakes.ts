import "server-only";
import { z } from "zod";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError, notFound } from "@/lib/domain/errors";
import type { Db, Tx } from "@/lib/platform/db";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { inEnvironmentsWith } from "./environments";
import { publish } from "./live";
import { read, write } from "./operation";
import { usualOf } from "./rollout-history";
import { causeOfSleep } from "./sleep-log";

/** Pages that may wait for one deployment to wake; more would only make everybody's wait longer. */
export const MAX_WAITING_PAGES = 1_000;
/** After a waking that was given up, the next one has to wait so long: the cause is seldom gone at once. */
const PAUSE_MS = 60_000;

const One = z.strictObject({ id: z.uuid() });
const WakeView = z.strictObject({
  id: z.uuid(),
  state: z.enum(["waking", "awake", "gave_up"]),
  reason: z.string(),
  requestedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
});
const SleeperView = z.strictObject({
  deploymentId: z.uuid(),
  environmentId: z.uuid(),
  title: z.string(),
  modelId: z.string(),
  isAsleep: z.boolean(),
  /** Why it cannot be woken by a page; null when it can. */
  refusal: z.string().nullable(),
  /** Seconds that a start usually takes here; null without a history. */
  usualSeconds: z.number().nullable(),
  /** Where the start stands, in the cluster's words. */
  message: z.string(),
  waitingPages: z.number().int(),
  wake: WakeView.nullable(),
});
export type SleeperView = z.infer<typeof SleeperView>;

type Sleeper = NonNullable<Awaited<ReturnType<typeof sleeperRows>>[number]>;

function sleeperRows(db: Db | Tx, where: object) {
  return db.deployment.findMany({
    where: { ...where, deletedAt: null, environment: { clusterId: { not: null } } },
    include: { environment: { select: { name: true, clusterId: true } }, wakes: { orderBy: { requestedAt: "desc" }, take: 1 } },
    orderBy: { createdAt: "asc" },
  });
}

/** Whether it has no replicas now. */
export function isAsleep(row: { spec: unknown }): boolean {
  return DeploymentSpec.parse(row.spec).replicas === 0;
}

/** A person's stop stays: only what hours or idleness stopped is woken by a page. */
async function refusalOf(db: Db | Tx, row: { id: string; name: string }): Promise<string | null> {
  const cause = await causeOfSleep(db, row.id, new Date());
  return cause === "person" ? `${row.name} was stopped by a person. Start it, or ask somebody who may.` : null;
}

export async function waitingPages(db: Db | Tx, deploymentId: string): Promise<number> {
  return db.runPage.count({ where: { state: { in: ["queued", "running"] }, run: { deploymentId, state: { in: ["queued", "running"] } } } });
}

async function view(db: Db, row: Sleeper): Promise<SleeperView> {
  const spec = DeploymentSpec.parse(row.spec);
  const [wake] = row.wakes;
  const sleeps = spec.replicas === 0;
  const usual = await usualOf(db, spec, row.environment.clusterId);
  return {
    deploymentId: row.id,
    environmentId: row.environmentId,
    title: `${row.environment.name} / ${row.name}`,
    modelId: spec.modelId,
    isAsleep: sleeps,
    refusal: sleeps ? await refusalOf(db, row) : null,
    usualSeconds: usual.totalSeconds,
    message: row.message,
    waitingPages: await waitingPages(db, row.id),
    wake: wake ? { id: wake.id, state: WakeView.shape.state.parse(wake.state), reason: wake.reason, requestedAt: wake.requestedAt.toISOString(), endedAt: wake.endedAt?.toISOString() ?? null } : null,
  };
}

export type WakeRequest = { deploymentId: string; userId: string | null; now: Date };

/**
 * Asks for a deployment to be woken; any number of askers get the same waking. Throws `unprocessable` when a person stopped it,
 * `rate_limited` when too many pages wait already, `unavailable` right after a waking that was given up.
 */
export async function requestWake(tx: Db | Tx, { deploymentId, userId, now }: WakeRequest): Promise<void> {
  const row = await deploymentRow(tx, deploymentId);
  const refusal = await refusalOf(tx, row);
  if (isAsleep(row) && refusal) throw new DomainError("unprocessable", refusal);
  const waiting = await waitingPages(tx, deploymentId);
  if (waiting >= MAX_WAITING_PAGES) throw new DomainError("rate_limited", `${waiting} pages wait for ${row.name} to wake already. Come back when they are read.`, { retryAfterSeconds: 60 });
  const last = await tx.wake.findFirst({ where: { deploymentId, state: "gave_up" }, orderBy: { requestedAt: "desc" } });
  const since = last?.endedAt ? now.getTime() - last.endedAt.getTime() : Infinity;
  if (last && since < PAUSE_MS) throw new DomainError("unavailable", `${row.name} could not be woken a moment ago: ${last.reason}`, { retryAfterSeconds: Math.ceil((PAUSE_MS - since) / 1000) });
  await tx.wake.createMany({ data: [{ deploymentId, requestedById: userId, requestedAt: now }], skipDuplicates: true });
}

export const wakesRequest = write({
  name: "wakes.request",
  summary: "Wake a sleeping deployment; whoever asks meanwhile waits for the same start",
  permission: "document.upload",
  environment: environmentOfDeployment,
  effect: "database",
  input: One,
  output: One,
  target: (input) => ({ type: "deployment", id: input.id }),
  run: async ({ caller, db, input, now }) => {
    const row = await deploymentRow(db, input.id);
    if (!isAsleep(row)) return input;
    await requestWake(db, { deploymentId: input.id, userId: caller.actor.userId, now });
    await publish(db, `deployment:${input.id}`, { data: { wake: "waking" } });
    return input;
  },
});

export const wakesGet = read({
  name: "wakes.get",
  summary: "Whether a deployment sleeps, and how its waking goes",
  permission: "environment.read",
  environment: environmentOfDeployment,
  input: One,
  output: SleeperView,
  run: async ({ db, input }) => {
    const [row] = await sleeperRows(db, { id: input.id });
    if (!row) throw notFound("deployment");
    return view(db, row);
  },
});

export const wakesList = read({
  name: "wakes.list",
  summary: "Deployments that sleep or are being woken, and that I may have pages read by",
  permission: "document.upload",
  environment: "each",
  input: z.strictObject({}),
  output: z.strictObject({ sleepers: z.array(SleeperView) }),
  run: async ({ caller, db }) => {
    const rows = await sleeperRows(db, inEnvironmentsWith(caller.actor, "document.upload"));
    const asleep = rows.filter((row) => isAsleep(row) || row.wakes[0]?.state === "waking");
    return { sleepers: await Promise.all(asleep.map((row) => view(db, row))) };
  },
});
