import "server-only";
import { z } from "zod";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import type { Db } from "@/lib/platform/db";
import { KubeStatusError } from "@/lib/platform/kube/status";
import { kubeOfEnvironment } from "./clusters";
import { conflictsOf } from "./deployment-dry-run";
import { refOf, type LiveObject } from "./deployment-live";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { publish } from "./live";
import { write } from "./operation";
import { recordAwaiting } from "./rollout-progress";
import { keyOf, storedObjects } from "./rendering";

const One = z.strictObject({ id: z.uuid() });

/** Applies the newest revision's Deployment with that many replicas, as its one owner: a `scale` call would make a second one. */
async function setReplicas(db: Db, deploymentId: string, replicas: "none" | "as before"): Promise<void> {
  const row = await deploymentRow(db, deploymentId);
  const revision = await db.revision.findFirst({ where: { deploymentId }, orderBy: { number: "desc" } });
  const engine = storedObjects(revision?.manifests ?? []).find((object) => object.kind === "Deployment");
  if (!revision || !engine) throw new DomainError("unprocessable", `${row.name} has no revision yet. Deploy it first.`);
  const wanted = DeploymentSpec.parse(revision.spec);
  const spec = replicas === "none" ? { ...wanted, replicas: 0 } : wanted;
  const { kube } = await kubeOfEnvironment(db, row.environmentId);
  const { object } = await kube.apply<LiveObject>({ ...engine, spec: { ...engine.spec, replicas: spec.replicas } }).catch((error: unknown) => {
    throw asConflict(error);
  });
  await db.$transaction(async (tx) => {
    await tx.deployment.update({ where: { id: row.id }, data: { spec } });
    await recordAwaiting(tx, { id: row.id, environmentId: row.environmentId, generation: object.metadata.generation ?? null, failure: null });
  });
}

function asConflict(error: unknown): unknown {
  const [conflict] = error instanceof KubeStatusError ? conflictsOf(error) : [];
  if (!conflict) return error;
  return new DomainError("conflict", `${conflict.manager} has set ${conflict.field} of the Deployment. Preview a change of the deployment and take the field over there.`);
}

const running = { permission: "deployment.stop", environment: environmentOfDeployment, input: One, output: One, target: (input: { id: string }) => ({ type: "deployment", id: input.id }) } as const;

export const deploymentsStop = write({
  ...running,
  effect: "outside",
  name: "deployments.stop",
  summary: "Stop a deployment: its pods end, its volume stays",
  run: async ({ db, input }) => {
    await setReplicas(db, input.id, "none");
    return input;
  },
});

export const deploymentsStart = write({
  ...running,
  effect: "outside",
  name: "deployments.start",
  summary: "Start a stopped deployment again",
  run: async ({ db, input }) => {
    await setReplicas(db, input.id, "as before");
    return input;
  },
});

export const deploymentsDelete = write({
  name: "deployments.delete",
  summary: "Delete a deployment with its volume; its usage and costs stay",
  permission: "deployment.delete",
  environment: environmentOfDeployment,
  effect: "outside",
  input: One,
  output: One,
  target: (input) => ({ type: "deployment", id: input.id }),
  run: async ({ db, input, now }) => {
    await removeDeployment(db, input.id, now);
    return input;
  },
});

/** Deletes everything that any revision created, last first; what is gone already counts as deleted. */
async function removeDeployment(db: Db, deploymentId: string, now: Date): Promise<void> {
  const row = await deploymentRow(db, deploymentId);
  const revisions = await db.revision.findMany({ where: { deploymentId }, orderBy: { number: "asc" }, select: { manifests: true } });
  const objects = new Map<string, KubeObject>(revisions.flatMap((revision) => storedObjects(revision.manifests)).map((object) => [keyOf(object), object]));
  if (objects.size > 0) {
    const { kube } = await kubeOfEnvironment(db, row.environmentId);
    for (const object of [...objects.values()].reverse()) {
      await kube.remove(refOf(object)).catch((error: unknown) => {
        if (!(error instanceof KubeStatusError) || error.status !== 404) throw error;
      });
    }
  }
  await db.$transaction(async (tx) => {
    await tx.deployment.update({ where: { id: deploymentId }, data: { deletedAt: now, state: "deleting" } });
    await tx.rollout.updateMany({ where: { revision: { deploymentId }, endedAt: null }, data: { state: "superseded", endedAt: now } });
    await publish(tx, `environment:${row.environmentId}`, { data: { deploymentId } });
  });
}
