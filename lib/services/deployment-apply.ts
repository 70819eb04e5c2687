import "server-only";
import { DomainError } from "@/lib/domain/errors";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import type { Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { resourceOf } from "@/lib/platform/kube/path";
import { KubeStatusError } from "@/lib/platform/kube/status";
import { kubeOfEnvironment } from "./clusters";
import { deploymentRow } from "./deployment-rows";
import { publish } from "./live";

type ObjectResult = { kind: string; name: string; outcome: "created" | "configured" | "failed" | "not tried"; message: string };
export type Application = { deploymentId: string; rolloutId: string | null; objects: KubeObject[] };

/** Namespaces are made when the credential may; a linked cluster's usually exists already. */
async function ensureNamespace(kube: Kube, name: string): Promise<void> {
  const ref = { apiVersion: "v1", resource: "namespaces", name };
  const isThere = await kube.get(ref).then(() => true, (error: unknown) => {
    if (error instanceof KubeStatusError && (error.status === 404 || error.status === 403)) return error.status === 403;
    throw error;
  });
  if (isThere) return;
  const labels = { "app.kubernetes.io/managed-by": "lectern", "pod-security.kubernetes.io/enforce": "restricted" };
  await kube.send({
    method: "PATCH",
    path: `/api/v1/namespaces/${encodeURIComponent(name)}?fieldManager=lectern`,
    headers: { "content-type": "application/apply-patch+yaml" },
    body: JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } }),
  }).then((response) => response.cancel());
}

async function applyAll(kube: Kube, objects: KubeObject[]): Promise<{ results: ObjectResult[]; failure: DomainError | null }> {
  const results: ObjectResult[] = [];
  let failure: DomainError | null = null;
  for (const object of objects) {
    const at = { kind: object.kind, name: object.metadata.name };
    if (failure) {
      results.push({ ...at, outcome: "not tried", message: "" });
      continue;
    }
    try {
      const { created } = await kube.apply(object);
      results.push({ ...at, outcome: created ? "created" : "configured", message: "" });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      failure = error;
      results.push({ ...at, outcome: "failed", message: error.message });
    }
  }
  return { results, failure };
}

/** Applies objects in their order and records what became of each. Throws the cluster's own refusal, after it was recorded. */
export async function applyRevision(db: Db, application: Application): Promise<void> {
  const row = await deploymentRow(db, application.deploymentId);
  const { results, failure, unexpected } = await attempt(db, row.environmentId, application.objects);
  const state = failure ? "failed" : "watching";
  await db.$transaction(async (tx) => {
    if (application.rolloutId) {
      await tx.rollout.update({ where: { id: application.rolloutId }, data: { state, message: failure?.message ?? "", objects: results, ...(failure ? { endedAt: new Date() } : {}) } });
    }
    const message = failure?.message ?? "Applied; waiting for the cluster";
    await tx.deployment.update({ where: { id: row.id }, data: { state: failure ? "failed" : "working", message, stateSince: new Date() } });
    await publish(tx, `deployment:${row.id}`, { data: { state: failure ? "failed" : "working" } });
    await publish(tx, `environment:${row.environmentId}`, { data: { deploymentId: row.id } });
  });
  if (failure) throw unexpected ?? failure;
}

type Attempt = { results: ObjectResult[]; failure: DomainError | null; unexpected?: unknown };

async function attempt(db: Db, environmentId: string, objects: KubeObject[]): Promise<Attempt> {
  try {
    const { kube, namespace } = await kubeOfEnvironment(db, environmentId);
    await ensureNamespace(kube, namespace);
    return await applyAll(kube, objects);
  } catch (error) {
    const results: ObjectResult[] = objects.map((object) => ({ kind: object.kind, name: object.metadata.name, outcome: "not tried", message: "" }));
    if (error instanceof DomainError) return { results, failure: error };
    return { results, failure: new DomainError("upstream_failed", "Applying failed inside Lectern; the server log has the cause. Apply it again."), unexpected: error };
  }
}

/** Carries on what a process that died had begun to apply: server-side apply may be repeated. A refusal is recorded with the rollout. */
export async function resumeApplications(db: Db): Promise<void> {
  const begun = await db.rollout.findMany({ where: { state: "applying", revision: { deployment: { deletedAt: null } } }, include: { revision: true } });
  for (const rollout of begun) {
    const objects = rollout.revision.manifests as unknown as KubeObject[]; // written by render()
    await applyRevision(db, { deploymentId: rollout.revision.deploymentId, rolloutId: rollout.id, objects }).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
  }
}

/** Deletes everything that the newest revision created, last first; what is gone already counts as deleted. */
export async function removeDeployment(db: Db, deploymentId: string, now: Date): Promise<void> {
  const row = await deploymentRow(db, deploymentId);
  const revision = await db.revision.findFirstOrThrow({ where: { deploymentId }, orderBy: { number: "desc" } });
  const objects = revision.manifests as unknown as KubeObject[]; // written by render()
  const { kube } = await kubeOfEnvironment(db, row.environmentId);
  for (const object of [...objects].reverse()) {
    const ref = { apiVersion: object.apiVersion, resource: resourceOf(object.apiVersion, object.kind), namespace: object.metadata.namespace, name: object.metadata.name };
    await kube.remove(ref).catch((error: unknown) => {
      if (!(error instanceof KubeStatusError) || error.status !== 404) throw error;
    });
  }
  await db.$transaction(async (tx) => {
    await tx.deployment.update({ where: { id: deploymentId }, data: { deletedAt: now, state: "deleting" } });
    await publish(tx, `environment:${row.environmentId}`, { data: { deploymentId } });
  });
}
