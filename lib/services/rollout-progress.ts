import "server-only";
import type { DomainError } from "@/lib/domain/errors";
import type { Db, Tx } from "@/lib/platform/db";
import { publish } from "./live";

/** What became of one object of a rollout. */
export type ObjectResult = { kind: string; name: string; outcome: "created" | "configured" | "unchanged" | "deleted" | "restarted" | "failed" | "not tried"; message: string };

/** What the deployment's status holds between an apply and the cluster's answer to it: older states of the cluster no longer count. */
export type AwaitedStatus = { isApplying: true } | { awaitedGeneration: number };

/**
 * Takes a deployment's turn until the transaction ends. Whoever writes a deployment and its rollouts in one transaction takes it first:
 * two that lock the two rows in different orders would wait for each other.
 */
export async function takeTurn(tx: Tx, deploymentId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM deployment WHERE id = ${deploymentId}::uuid FOR NO KEY UPDATE`;
}

/** The turn of the deployment that a rollout belongs to; answers what it is. */
export async function takeTurnOfRollout(tx: Tx, rolloutId: string): Promise<{ id: string; environmentId: string; message: string }> {
  const { revision } = await tx.rollout.findUniqueOrThrow({ where: { id: rolloutId }, select: { revision: { select: { deploymentId: true } } } });
  await takeTurn(tx, revision.deploymentId);
  return tx.deployment.findUniqueOrThrow({ where: { id: revision.deploymentId }, select: { id: true, environmentId: true, message: true } });
}

/** Marks a deployment as being applied, in the transaction that begins a rollout. */
export async function markApplying(tx: Tx, { deploymentId, environmentId }: { deploymentId: string; environmentId: string }): Promise<void> {
  const status: AwaitedStatus = { isApplying: true };
  await tx.deployment.update({ where: { id: deploymentId }, data: { state: "working", message: "Applying the manifests", status, findings: [], stateSince: new Date() } });
  await publish(tx, `deployment:${deploymentId}`, { data: { state: "working" } });
  await publish(tx, `environment:${environmentId}`, { data: { deploymentId } });
}

/** Writes down what has been applied so far. */
export async function recordProgress(db: Db, rolloutId: string, objects: ObjectResult[]): Promise<void> {
  await db.rollout.update({ where: { id: rolloutId }, data: { objects } });
}

type End = { rolloutId: string; results: ObjectResult[]; generation: number | null; failure: DomainError | null };

/** The end of applying: from here on the cluster tells how it goes, or the refusal is the news. */
export async function recordEnd(db: Db, { rolloutId, results, generation, failure }: End): Promise<void> {
  await db.$transaction(async (tx) => {
    const { id, environmentId } = await takeTurnOfRollout(tx, rolloutId);
    const ended = failure ? { endedAt: new Date() } : {};
    await tx.rollout.update({ where: { id: rolloutId }, data: { state: failure ? "failed" : "watching", message: failure?.message ?? "", objects: results, ...ended } });
    await recordAwaiting(tx, { id, environmentId, generation, failure });
  });
}

type Awaiting = { id: string; environmentId: string; generation: number | null; failure: DomainError | null };

/** What the deployment shows until the cluster has answered to the generation that was applied. */
export async function recordAwaiting(tx: Tx, { id, environmentId, generation, failure }: Awaiting): Promise<void> {
  const state = failure ? "failed" : "working";
  const status: AwaitedStatus | Record<string, never> = failure || generation === null ? {} : { awaitedGeneration: generation };
  await tx.deployment.update({ where: { id }, data: { state, message: failure?.message ?? "Applied; waiting for the cluster", status, stateSince: new Date() } });
  await publish(tx, `deployment:${id}`, { data: { state } });
  await publish(tx, `environment:${environmentId}`, { data: { deploymentId: id } });
}
