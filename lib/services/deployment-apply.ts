import "server-only";
import { diffObject } from "@/lib/domain/diff";
import { DomainError } from "@/lib/domain/errors";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import type { Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { KubeStatusError } from "@/lib/platform/kube/status";
import { handOverFields } from "./adoption-dry-run";
import { kubeOfEnvironment } from "./clusters";
import { conflictsOf, isNamespaceNew, type TakeOver } from "./deployment-dry-run";
import { fingerprintOf, liveOf, refOf, type LiveMark, type LiveObject } from "./deployment-live";
import { jobProgress, recordWaiting } from "./deployment-prefetch";
import type { Prune } from "./deployment-prune";
import { recordEnd, recordProgress, type ObjectResult } from "./rollout-progress";
import { keyOf, storedObjects } from "./rendering";
import { handOverReplicas } from "./scaler-handover";

/** Between reading an object and writing it somebody may write it: then it is read again, so often. */
const TRIES = 8;

type Bound = { objects: KubeObject[]; live: LiveMark[]; prune: Prune[]; takeOver: TakeOver[] };

/**
 * Applies what a rollout has not applied yet, in order, then prunes; each result is recorded as it comes. Safe to call again after a
 * process died or the cluster refused: what stands there already is not written twice. Throws the cluster's own refusal, after it was recorded.
 */
export async function carryOut(db: Db, rolloutId: string): Promise<void> {
  const rollout = await db.rollout.findUniqueOrThrow({ where: { id: rolloutId }, include: { revision: { include: { deployment: true } } } });
  const { revision } = rollout;
  const preview = await db.preview.findUnique({ where: { digest: revision.digest } });
  const bound = { objects: storedObjects(revision.manifests), live: preview?.live ?? [], prune: preview?.prune ?? [], takeOver: preview?.takeOver ?? [] } as Bound; // written by deployment-preview.ts
  const results = new Map((rollout.objects as ObjectResult[]).filter((each) => each.outcome !== "failed" && each.outcome !== "not tried").map((each) => [`${each.kind}/${each.name}`, each])); // written below
  const attempt = await tryAll({ db, rolloutId, environmentId: revision.deployment.environmentId, bound, results });
  if (attempt.waitsFor !== undefined) return recordWaiting(db, { rolloutId, results: listOf(bound, results), message: attempt.waitsFor });
  await recordEnd(db, { rolloutId, results: listOf(bound, results), ...attempt });
  if (attempt.failure) throw attempt.unexpected ?? attempt.failure;
}

type Outcome = Pick<ObjectResult, "outcome"> & { message?: string };
type Work = { db: Db; rolloutId: string; environmentId: string; bound: Bound; results: Map<string, ObjectResult> };
type Applied = { generation: number | null; waitsFor?: string };
type Attempt = Applied & { failure: DomainError | null; unexpected?: unknown };

async function tryAll(work: Work): Promise<Attempt> {
  try {
    return { ...(await applyAll(work)), failure: null };
  } catch (error) {
    if (error instanceof DomainError) return { generation: null, failure: error };
    return { generation: null, failure: new DomainError("upstream_failed", "Applying failed inside Lectern; the server log has the cause. Carry it on."), unexpected: error };
  }
}

/** Answers the generation of the Deployment as it was applied: readiness counts only from there on. Stops where the order asks to wait. */
async function applyAll({ db, rolloutId, environmentId, bound, results }: Work): Promise<Applied> {
  const { kube, namespace } = await kubeOfEnvironment(db, environmentId);
  if (await isNamespaceNew(kube, namespace)) await createNamespace(kube, namespace);
  let generation: number | null = null;
  const step = async (at: { kind: string; name: string }, run: () => Promise<Outcome>) => {
    const key = `${at.kind}/${at.name}`;
    try {
      results.set(key, { ...at, message: "", ...(await run()) });
    } catch (error) {
      results.set(key, { ...at, outcome: "failed", message: error instanceof DomainError ? error.message : "The server log has the cause." });
      throw error;
    } finally {
      await recordProgress(db, rolloutId, listOf(bound, results));
    }
  };
  for (const object of bound.objects) {
    const isDone = results.has(keyOf(object)) && object.kind !== "Deployment";
    if (!isDone) await step({ kind: object.kind, name: object.metadata.name }, async () => {
      const done = await applyOne(kube, object, bound);
      if (object.kind === "Deployment") generation = done.object.metadata.generation ?? null;
      return { outcome: done.outcome };
    });
    if (object.kind !== "Job") continue;
    const progress = await jobProgress(kube, object);
    if (progress.state === "running") return { generation, waitsFor: progress.message };
  }
  for (const gone of bound.prune.filter((each) => !results.has(each.key))) await step({ kind: gone.kind, name: gone.name }, () => removeOne(kube, gone));
  return { generation };
}

/** Every object in order, with what became of it. */
function listOf(bound: Bound, results: Map<string, ObjectResult>): ObjectResult[] {
  const wanted = [...bound.objects.map((object) => ({ kind: object.kind, name: object.metadata.name })), ...bound.prune];
  return wanted.map(({ kind, name }) => results.get(`${kind}/${name}`) ?? { kind, name, outcome: "not tried", message: "" });
}

type Done = { outcome: "created" | "configured" | "unchanged"; object: LiveObject };

async function applyOne(kube: Kube, object: KubeObject, bound: Bound): Promise<Done> {
  const key = keyOf(object);
  const mark = bound.live.find((each) => each.key === key);
  const force = bound.takeOver.some((each) => each.key === key);
  const whole = bound.takeOver.filter((each) => each.key === key && each.isWhole).map(({ manager }) => manager);
  if (whole.length > 0 && mark && isAsPreviewed(mark, await liveOf(kube, object))) await handOverFields(kube, object, whole);
  await handOverReplicas(kube, object);
  for (let tries = 1; ; tries += 1) {
    const live = await liveOf(kube, object);
    if (mark && !isAsPreviewed(mark, live) && !(await isThereAlready(kube, object, live))) throw drifted(object);
    const resourceVersion = live?.metadata.resourceVersion;
    const body = resourceVersion === undefined ? object : { ...object, metadata: { ...object.metadata, resourceVersion } };
    try {
      const { object: stored, created } = await kube.apply<LiveObject>(body, { force });
      return { outcome: created ? "created" : stored.metadata.resourceVersion === resourceVersion ? "unchanged" : "configured", object: stored };
    } catch (error) {
      // The precondition failed: a controller's heartbeat, or an edit that the next look tells from it.
      const isMoved = error instanceof KubeStatusError && error.status === 409 && conflictsOf(error).length === 0;
      if (!isMoved || tries === TRIES) throw error;
    }
  }
}

function isAsPreviewed(mark: LiveMark, live: LiveObject | null): boolean {
  return live === null ? mark.uid === null : live.metadata.uid === mark.uid && fingerprintOf(live) === mark.fingerprint;
}

/** A process may have died between the write and its record: then what is there is what was wanted. */
async function isThereAlready(kube: Kube, object: KubeObject, live: LiveObject | null): Promise<boolean> {
  if (!live) return false;
  const { object: proposed } = await kube.apply<LiveObject>(object, { dryRun: true, force: true });
  return diffObject(live, proposed).length === 0;
}

function drifted(object: KubeObject): DomainError {
  return new DomainError("conflict", `The ${object.kind} ${object.metadata.name} in the cluster has changed since the preview. Preview again to see what applying would do now.`);
}

/** Throws `conflict` when any object in the cluster is no longer the one that the preview was compared with. */
export async function assertUndrifted(db: Db, environmentId: string, preview: { manifests: unknown; live: unknown }): Promise<void> {
  const { kube } = await kubeOfEnvironment(db, environmentId);
  const marks = preview.live as LiveMark[]; // written by deployment-preview.ts
  await Promise.all(
    storedObjects(preview.manifests).map(async (object) => {
      const mark = marks.find((each) => each.key === keyOf(object));
      if (mark && !isAsPreviewed(mark, await liveOf(kube, object))) throw drifted(object);
    }),
  );
}

async function removeOne(kube: Kube, gone: Prune): Promise<Outcome> {
  try {
    await kube.remove(refOf({ ...gone, metadata: gone }), { uid: gone.uid });
  } catch (error) {
    const status = error instanceof KubeStatusError ? error.status : null;
    if (status === 409) return { outcome: "unchanged", message: "Another object has taken its name since the preview: it was left." };
    if (status !== 404) throw error;
  }
  return { outcome: "deleted" };
}

/** Namespaces are made when the credential may; a linked cluster's usually exists already. */
async function createNamespace(kube: Kube, name: string): Promise<void> {
  const labels = { "app.kubernetes.io/managed-by": "lectern", "pod-security.kubernetes.io/enforce": "restricted" };
  const response = await kube.send({
    method: "PATCH",
    path: `/api/v1/namespaces/${encodeURIComponent(name)}?fieldManager=lectern`,
    headers: { "content-type": "application/apply-patch+yaml" },
    body: JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } }),
  });
  response.cancel();
}

/** Carries on rollouts of an environment that wait for a Job, each by one process at a time. Called when something has changed there. */
export async function carryOnWaiting(db: Db, environmentId: string): Promise<void> {
  const waiting = await db.rollout.findMany({ where: { state: "waiting", revision: { deployment: { environmentId, deletedAt: null } } }, select: { id: true } });
  for (const { id } of waiting) {
    const { count } = await db.rollout.updateMany({ where: { id, state: "waiting" }, data: { state: "applying" } });
    if (count > 0) await carryOut(db, id).catch(ignoreRefusal);
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}

/** Carries on what a process that died had begun to apply. A refusal is recorded with the rollout. */
export async function resumeApplications(db: Db): Promise<void> {
  const begun = await db.rollout.findMany({ where: { state: "applying", revision: { deployment: { deletedAt: null } } }, select: { id: true } });
  for (const { id } of begun) {
    await carryOut(db, id).catch(ignoreRefusal);
  }
}
