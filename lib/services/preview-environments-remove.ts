import "server-only";
import { randomUUID } from "node:crypto";
import type { Caller } from "@/lib/domain/caller";
import { environmentLabel } from "@/lib/domain/manifest/metadata";
import { SYSTEM } from "@/lib/domain/policy";
import type { Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { KubeStatusError } from "@/lib/platform/kube/status";
import { recordAudit } from "./audit-trail";
import { kubeOfEnvironment } from "./clusters";
import { deploymentsDelete } from "./deployment-running";
import { purgeDocument } from "./document-access";
import { publish } from "./live";
import { execute } from "./pipeline";

/** Everything that Lectern makes for a deployment, or that grows out of it. */
const KINDS = [
  { apiVersion: "apps/v1", resource: "deployments" },
  { apiVersion: "apps/v1", resource: "replicasets" },
  { apiVersion: "v1", resource: "pods" },
  { apiVersion: "v1", resource: "services" },
  { apiVersion: "v1", resource: "persistentvolumeclaims" },
  { apiVersion: "v1", resource: "serviceaccounts" },
  { apiVersion: "networking.k8s.io/v1", resource: "networkpolicies" },
  { apiVersion: "networking.k8s.io/v1", resource: "ingresses" },
  { apiVersion: "autoscaling/v2", resource: "horizontalpodautoscalers" },
  { apiVersion: "policy/v1", resource: "poddisruptionbudgets" },
] as const;

export type Proof = { objects: number; documents: number; openIntervals: number };
type Place = { id: string; environmentId: string };

/** What acts in the background for preview environments. */
export function previewCaller(requestId: string): Caller {
  return { actor: { ...SYSTEM, name: "preview environments" }, origin: "scheduler", requestId, ip: "", userAgent: "", sessionId: null, tokenId: null };
}

/**
 * Takes away what an environment consists of and counts what is left. Safe to call again at any moment: it is done when all counts are
 * zero, and only then is the environment marked as removed. Throws what the cluster says.
 */
export async function removeEnvironment(db: Db, { id, environmentId }: Place, now: Date): Promise<Proof> {
  const deployments = await db.deployment.findMany({ where: { environmentId, deletedAt: null }, select: { id: true } });
  for (const deployment of deployments) await execute(deploymentsDelete, { db, caller: previewCaller(id), input: { id: deployment.id }, now });
  await purgeDocuments(db, environmentId);
  await db.batch.updateMany({ where: { environmentId, state: { in: ["working", "paused"] } }, data: { state: "cancelled", endedAt: now } });
  const { kube, namespace } = await kubeOfEnvironment(db, environmentId);
  await removeNamespace(kube, namespace);
  const objects = await objectsLeft(kube, { namespace, environmentId });
  if (objects === 0) await db.nodeInterval.updateMany({ where: { environmentId, endedAt: null, use: "kept" }, data: { endedAt: now, endSource: "inferred" } });
  const proof = { objects, documents: await db.document.count({ where: { environmentId } }), openIntervals: await db.nodeInterval.count({ where: { environmentId, endedAt: null } }) };
  if (proof.objects + proof.documents + proof.openIntervals === 0) await finish(db, { id, environmentId }, { proof, now });
  return proof;
}

export async function purgeDocuments(db: Db, environmentId: string): Promise<number> {
  const rows = await db.document.findMany({ where: { environmentId }, select: { id: true, storageKey: true, heldBy: true } });
  for (const row of rows) await purgeDocument(db, row);
  return rows.length;
}

/** Only a namespace that Lectern made: an administrator's stays, and only what is in it goes. */
export async function removeNamespace(kube: Kube, name: string): Promise<boolean> {
  const ref = { apiVersion: "v1", resource: "namespaces", name };
  try {
    const { metadata } = await kube.get<{ metadata: { uid: string; labels?: Record<string, string>; deletionTimestamp?: string } }>(ref);
    if (metadata.labels?.["app.kubernetes.io/managed-by"] !== "lectern" || metadata.deletionTimestamp) return false;
    await kube.remove(ref, { uid: metadata.uid });
    return true;
  } catch (error) {
    if (error instanceof KubeStatusError && [403, 404, 409].includes(error.status)) return false;
    throw error;
  }
}

/** Counts what carries the environment's label. A kind that the cluster does not serve, or that Lectern may not see, has none of ours. */
export async function objectsLeft(kube: Kube, { namespace, environmentId }: { namespace: string; environmentId: string }): Promise<number> {
  const counts = await Promise.all(
    KINDS.map(async (kind) => {
      try {
        return (await kube.list<{ metadata: { name: string } }>({ ...kind, namespace }, { labelSelector: `${environmentLabel}=${environmentId}` })).items.length;
      } catch (error) {
        if (error instanceof KubeStatusError && [403, 404].includes(error.status)) return 0;
        throw error;
      }
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The row stays for what it cost; nobody has a role there any more, and no cluster is behind it. */
async function finish(db: Db, { id, environmentId }: Place, { proof, now }: { proof: Proof; now: Date }): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.pullRequestEnvironment.updateMany({ where: { id, state: "removing" }, data: { state: "removed", removedAt: now, proof, message: "", leasedUntil: null } });
    if (count === 0) return;
    await tx.environment.update({ where: { id: environmentId }, data: { removedAt: now, clusterId: null } });
    await tx.grant.deleteMany({ where: { environmentId } });
    await tx.schedule.deleteMany({ where: { environmentId } });
    // In the order of every other write: the live event's turn, then the audit chain's.
    await publish(tx, `environment:${environmentId}`, { data: { preview: "removed" } });
    await recordAudit(tx, previewCaller(randomUUID()), { action: "previewEnvironments.removed", environmentId, target: { type: "environment", id: environmentId }, outcome: "success", detail: proof });
  });
}
