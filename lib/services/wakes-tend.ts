import "server-only";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import type { Deployment, Wake } from "@/lib/generated/prisma/client";
import type { Db } from "@/lib/platform/db";
import { publish } from "./live";
import { finishPage } from "./page-outcome";
import { usualOf } from "./rollout-history";
import { firingId, type Due } from "./schedules-due";
import { claim, fire } from "./schedules-fire";
import { isAsleep, requestWake } from "./wakes";

/** A start may take three times what it usually does, and where nothing is known as long as a first download on a new node. */
const PATIENCE = 3;
const LEAST_PATIENCE_MS = 10 * 60_000;
const UNKNOWN_PATIENCE_MS = 40 * 60_000;
/** Pages of a sleeping deployment are put off by so much at each look. */
const HOLD_MS = 20_000;

/** Carries every waking on, and has pages wait for deployments that sleep. Safe with any number of processes. */
export async function tendWakes(db: Db, now: Date): Promise<void> {
  await holdPages(db, now);
  const wakes = await db.wake.findMany({ where: { state: "waking" }, include: { deployment: { include: { environment: { select: { clusterId: true } } } } } });
  for (const wake of wakes) await tend(db, wake, now);
}

type Waking = Wake & { deployment: Deployment & { environment: { clusterId: string | null } } };

async function tend(db: Db, wake: Waking, now: Date): Promise<void> {
  const { deployment } = wake;
  if (deployment.deletedAt) return end(db, wake, { state: "gave_up", reason: `${deployment.name} was deleted.`, now });
  if (deployment.state === "ready" && !isAsleep(deployment)) return end(db, wake, { state: "awake", reason: "", now });
  if (!wake.startedAt) return start(db, wake, now);
  if (isAsleep(deployment)) return end(db, wake, { state: "gave_up", reason: `${deployment.name} was stopped again before it was ready.`, now });
  if (deployment.state === "failed" || deployment.state === "timed_out") return end(db, wake, { state: "gave_up", reason: deployment.message, now });
  const limit = await patience(db, deployment);
  if (now.getTime() - wake.requestedAt.getTime() > limit) {
    const reason = `${deployment.name} was not ready after ${Math.round(limit / 60_000)} min, which is longer than a start takes here. ${deployment.message}`;
    await end(db, wake, { state: "gave_up", reason, now });
  }
}

async function start(db: Db, wake: Waking, now: Date): Promise<void> {
  const due: Due = { id: firingId(wake.deploymentId, wake.requestedAt, "start"), deploymentId: wake.deploymentId, slot: wake.requestedAt, action: "start", cause: "wake" };
  const attempt = await claim(db, due, now);
  if (attempt !== null) await fire(db, due, { now, attempt });
  const firing = await db.scheduleFiring.findUnique({ where: { id: due.id } });
  if (firing?.state === "failed") return end(db, wake, { state: "gave_up", reason: firing.message, now });
  if (firing?.state === "done" || firing?.state === "nothing") await db.wake.updateMany({ where: { id: wake.id, startedAt: null }, data: { startedAt: now } });
}

async function patience(db: Db, deployment: Waking["deployment"]): Promise<number> {
  const usual = await usualOf(db, DeploymentSpec.parse(deployment.spec), deployment.environment.clusterId);
  return usual.totalSeconds === null ? UNKNOWN_PATIENCE_MS : Math.max(LEAST_PATIENCE_MS, usual.totalSeconds * 1000 * PATIENCE);
}

async function end(db: Db, wake: Waking, { state, reason, now }: { state: "awake" | "gave_up"; reason: string; now: Date }): Promise<void> {
  const { count } = await db.wake.updateMany({ where: { id: wake.id, state: "waking" }, data: { state, reason, endedAt: now } });
  if (count === 0) return;
  if (state === "awake") await db.runPage.updateMany({ where: ofDeployment(wake.deploymentId), data: { leasedUntil: null, reason: "" } });
  else await failPages(db, wake, reason);
  await db.$transaction((tx) => publish(tx, `deployment:${wake.deploymentId}`, { data: { wake: state } }));
}

const ofDeployment = (deploymentId: string) => ({ state: "queued", run: { deploymentId, state: { in: ["queued", "running"] } } });

async function failPages(db: Db, wake: Waking, reason: string): Promise<void> {
  const pages = await db.runPage.findMany({ where: ofDeployment(wake.deploymentId), include: { attempts: true, run: { include: { document: true } } } });
  for (const page of pages) {
    // Claimed first, as only the holder of a page may finish it.
    const attempt = page.attempt + 1;
    const { count } = await db.runPage.updateMany({ where: { id: page.id, state: "queued", attempt: page.attempt }, data: { state: "running", attempt } });
    if (count === 1) await finishPage(db, { ...page, state: "running", attempt }, { failure: `The deployment could not be woken: ${reason}` });
  }
}

/** Pages whose deployment sleeps or wakes are put off, so that no try is spent on them; those that came after it fell asleep wake it. */
async function holdPages(db: Db, now: Date): Promise<void> {
  const rows = await db.run.findMany({
    where: { state: { in: ["queued", "running"] }, deploymentId: { not: null }, pages: { some: { state: "queued" } } },
    select: { deploymentId: true, createdAt: true, createdById: true },
    orderBy: { createdAt: "desc" },
  });
  const newest = new Map(rows.toReversed().map((row) => [row.deploymentId ?? "", row]));
  for (const [deploymentId, run] of newest) {
    const row = await db.deployment.findFirst({ where: { id: deploymentId, deletedAt: null }, include: { environment: { select: { clusterId: true } }, wakes: { where: { state: "waking" } }, sleeps: { where: { endedAt: null } } } });
    if (!row || (!isAsleep(row) && row.wakes.length === 0)) continue;
    const [sleep] = row.sleeps;
    let sentence = await waitSentence(db, row);
    if (row.wakes.length === 0 && sleep && run.createdAt > sleep.startedAt) sentence = (await wakeFor(db, { deploymentId, userId: run.createdById, now })) ?? sentence;
    else if (row.wakes.length === 0) sentence = `${row.name} sleeps: the page is read when it runs again.`;
    await hold(db, { deploymentId, until: new Date(now.getTime() + HOLD_MS), sentence });
  }
}

/** Says it on every page, and to whoever looks on, when it is news. */
async function hold(db: Db, { deploymentId, until, sentence }: { deploymentId: string; until: Date; sentence: string }): Promise<void> {
  const news = await db.runPage.findMany({ where: { ...ofDeployment(deploymentId), reason: { not: sentence } }, select: { runId: true, number: true } });
  await db.runPage.updateMany({ where: ofDeployment(deploymentId), data: { leasedUntil: until, reason: sentence } });
  if (news.length === 0) return;
  await db.$transaction(async (tx) => {
    for (const { runId, number } of news) await publish(tx, `run:${runId}`, { data: { page: number, state: "queued", reason: sentence } });
  });
}

async function waitSentence(db: Db, row: Deployment & { environment: { clusterId: string | null } }): Promise<string> {
  const { totalSeconds } = await usualOf(db, DeploymentSpec.parse(row.spec), row.environment.clusterId);
  if (totalSeconds === null) return `Waits for ${row.name} to wake; how long that takes here is not known yet.`;
  return `Waits for ${row.name} to wake, usually ${totalSeconds < 90 ? `${Math.ceil(totalSeconds)} s` : `${Math.round(totalSeconds / 60)} min`} here.`;
}

/** Null when the waking was asked for; else the sentence that says why not. */
async function wakeFor(db: Db, request: { deploymentId: string; userId: string; now: Date }): Promise<string | null> {
  try {
    await requestWake(db, request);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
