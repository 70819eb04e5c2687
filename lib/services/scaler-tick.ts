import "server-only";
import { randomUUID } from "node:crypto";
import type { Caller } from "@/lib/domain/caller";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import { SYSTEM } from "@/lib/domain/policy";
import { decideReplicas } from "@/lib/domain/scaler";
import type { Deployment, EngineUse, Scaler } from "@/lib/generated/prisma/client";
import type { Db } from "@/lib/platform/db";
import { recordAuditAlone } from "./audit-trail";
import { kubeOfEnvironment } from "./clusters";
import type { LiveObject } from "./deployment-live";
import { recordEngineUse } from "./engine-metrics";
import { recordAwaiting } from "./rollout-progress";
import { storedObjects } from "./rendering";

/** Engines are asked this often; older answers say nothing about now. */
const METRICS_MS = 15_000;
const FRESH_MS = 2 * 60_000;

type Row = Deployment & { scaler: Scaler | null; engineUse: EngineUse | null };

/** One look at every deployment whose replicas Lectern itself sets by the queue. Returns how many it changed. */
export async function tickScalers(db: Db, now: Date): Promise<number> {
  const rows = await db.deployment.findMany({ where: { deletedAt: null, scaler: { isNot: null }, environment: { clusterId: { not: null } } }, include: { scaler: true, engineUse: true } });
  let changed = 0;
  for (const row of rows) {
    if (await tickOne(db, row, now).catch(reported)) changed += 1;
  }
  return changed;
}

/** A cluster that is away is asked again at the next tick. */
function reported(error: unknown): false {
  if (error instanceof DomainError) return false;
  throw error;
}

async function tickOne(db: Db, row: Row, now: Date): Promise<boolean> {
  const { scaler } = row;
  if (!scaler) return false;
  const spec = DeploymentSpec.parse(row.spec);
  // One owner at a time: what the cluster's autoscaler has taken over, Lectern lets go.
  const owner = spec.autoscaling?.by ?? "lectern";
  if (owner !== "lectern") {
    if (scaler.owner !== owner) await db.scaler.update({ where: { deploymentId: row.id }, data: { owner, spareSince: null, sentence: `The cluster's ${owner === "keda" ? "KEDA" : "HorizontalPodAutoscaler"} sets the replicas now.` } });
    return false;
  }
  if (row.state === "ready" && now.getTime() - (row.engineUse?.at.getTime() ?? 0) > METRICS_MS) await recordEngineUse(db, row.id, now);
  const pages = await pagesOf(db, row.id, now);
  const decision = decideReplicas(scaler, { replicas: spec.replicas, pages, isSettled: row.state === "ready", spareSince: scaler.spareSince?.getTime() ?? null, changedAt: scaler.changedAt.getTime(), now: now.getTime() });
  const isChange = decision.replicas !== spec.replicas;
  const data = { owner, sentence: decision.sentence, spareSince: decision.spareSince === null ? null : new Date(decision.spareSince), ...(isChange ? { changedAt: now } : {}) };
  if (!isChange && data.sentence === scaler.sentence && data.spareSince?.getTime() === scaler.spareSince?.getTime()) return false;
  // Whoever moves the row from what it was is the one that acts.
  const { count } = await db.scaler.updateMany({ where: { deploymentId: row.id, changedAt: scaler.changedAt }, data });
  if (count === 0 || !isChange) return false;
  await setCount(db, row, { from: spec, replicas: decision.replicas, sentence: decision.sentence });
  return true;
}

/** Pages that wait in the portal, and those under way: by its own count or the engine's, whichever is more. */
async function pagesOf(db: Db, deploymentId: string, now: Date): Promise<number> {
  const [own] = await db.$queryRaw<{ queued: bigint; running: bigint }[]>`
    SELECT count(*) FILTER (WHERE p.state = 'queued') AS queued, count(*) FILTER (WHERE p.state = 'running') AS running
    FROM run_page p JOIN run r ON r.id = p.run_id WHERE r.deployment_id = ${deploymentId}::uuid AND p.state IN ('queued', 'running')`;
  const engine = await db.engineUse.findUnique({ where: { deploymentId } });
  const inEngine = engine && now.getTime() - engine.at.getTime() < FRESH_MS ? engine.running + engine.waiting : 0;
  return Number(own?.queued ?? 0) + Math.max(Number(own?.running ?? 0), Math.round(inEngine));
}

type Change = { from: DeploymentSpec; replicas: number; sentence: string };

/** Applied and not scaled: a `scale` call would make a second owner of the field. Pods that go finish their pages by their own grace period. */
async function setCount(db: Db, row: Row, { from, replicas, sentence }: Change): Promise<void> {
  const revision = await db.revision.findFirst({ where: { deploymentId: row.id }, orderBy: { number: "desc" } });
  const engine = storedObjects(revision?.manifests ?? []).find((object) => object.kind === "Deployment");
  if (!engine) return;
  const { kube } = await kubeOfEnvironment(db, row.environmentId);
  const { object } = await kube.apply<LiveObject>({ ...engine, spec: { ...engine.spec, replicas } });
  await db.$transaction(async (tx) => {
    await tx.deployment.update({ where: { id: row.id }, data: { spec: { ...from, replicas } } });
    await recordAwaiting(tx, { id: row.id, environmentId: row.environmentId, generation: object.metadata.generation ?? null, failure: null });
  });
  const caller: Caller = { actor: { ...SYSTEM, name: "scaler" }, origin: "scheduler", requestId: randomUUID(), ip: "", userAgent: "", sessionId: null, tokenId: null };
  await recordAuditAlone(db, caller, { action: "scaling.change", environmentId: row.environmentId, target: { type: "deployment", id: row.id }, outcome: "success", reason: sentence, detail: { from: from.replicas, to: replicas } });
}
