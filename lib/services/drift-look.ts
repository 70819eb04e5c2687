import "server-only";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { driftOf, type DriftChange } from "@/lib/domain/drift";
import { DomainError } from "@/lib/domain/errors";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import type { Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { kubeOfEnvironment } from "./clusters";
import { liveOf, type LiveObject } from "./deployment-live";
import { publish } from "./live";
import { keyOf, storedObjects } from "./rendering";

export type DriftedObject = { key: string; kind: string; name: string; isGone: boolean; changes: DriftChange[] };

/** What should be there now: the newest revision's objects, with the replicas that stop and start have set. */
export async function wantedObjects(db: Db, deploymentId: string): Promise<{ objects: KubeObject[]; spec: DeploymentSpec; environmentId: string } | null> {
  const row = await db.deployment.findFirst({ where: { id: deploymentId, deletedAt: null }, include: { revisions: { orderBy: { number: "desc" }, take: 1, include: { rollouts: { orderBy: { startedAt: "desc" }, take: 1 } } } } });
  const [revision] = row?.revisions ?? [];
  // What is being applied now, or was applied in part, is the rollout's news and not drift.
  if (!row || !revision || revision.rollouts.some(({ state }) => ["applying", "waiting", "failed"].includes(state))) return null;
  const spec = DeploymentSpec.parse(row.spec);
  const objects = storedObjects(revision.manifests).map((object) => (object.kind === "Deployment" && object.spec?.replicas !== undefined ? { ...object, spec: { ...object.spec, replicas: spec.replicas } } : object));
  return { objects, spec, environmentId: row.environmentId };
}

async function compare(kube: Kube, object: KubeObject): Promise<DriftedObject | null> {
  const at = { key: keyOf(object), kind: object.kind, name: object.metadata.name };
  const live = await liveOf(kube, object);
  if (!live) return { ...at, isGone: true, changes: [] };
  const { object: proposed } = await kube.apply<LiveObject>(object, { dryRun: true, force: true });
  const changes = driftOf(live, proposed);
  return changes.length > 0 ? { ...at, isGone: false, changes } : null;
}

/** Compares one deployment with its cluster and writes down where it differs. Returns the objects that do, null when it cannot be told now. */
export async function lookForDrift(db: Db, deploymentId: string, now: Date): Promise<DriftedObject[] | null> {
  const wanted = await wantedObjects(db, deploymentId);
  if (!wanted) return null;
  const { kube } = await kubeOfEnvironment(db, wanted.environmentId);
  const found = (await Promise.all(wanted.objects.map((object) => compare(kube, object)))).filter((each) => each !== null);
  // A stop or an apply that came while we looked would show as a difference.
  const still = await wantedObjects(db, deploymentId);
  if (!still || JSON.stringify(still.objects) !== JSON.stringify(wanted.objects)) return null;
  await record(db, { deploymentId, environmentId: wanted.environmentId, found, now });
  return found;
}

async function record(db: Db, { deploymentId, environmentId, found, now }: { deploymentId: string; environmentId: string; found: DriftedObject[]; now: Date }): Promise<void> {
  const before = await db.drift.findUnique({ where: { deploymentId } });
  const isSame = JSON.stringify(before?.objects ?? []) === JSON.stringify(found);
  await db.$transaction(async (tx) => {
    if (found.length === 0) await tx.drift.deleteMany({ where: { deploymentId } });
    else await tx.drift.upsert({ where: { deploymentId }, create: { deploymentId, objects: found, since: now, seenAt: now }, update: { objects: found, seenAt: now } });
    if (!isSame) {
      await publish(tx, `deployment:${deploymentId}`, { data: { drift: found.length } });
      await publish(tx, `environment:${environmentId}`, { data: { deploymentId } });
    }
  });
}

/** Looks at every deployment that stands in a cluster; one cluster that is away does not keep the others from being looked at. */
export async function lookForAllDrift(db: Db, now: Date): Promise<void> {
  const rows = await db.deployment.findMany({ where: { deletedAt: null, environment: { clusterId: { not: null } } }, select: { id: true } });
  for (const { id } of rows) {
    await lookForDrift(db, id, now).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
  }
}
