import "server-only";
import { z } from "zod";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import type { Db } from "@/lib/platform/db";
import { KubeStatusError } from "@/lib/platform/kube/status";
import { assertBudget } from "./budgets";
import { kubeOfEnvironment } from "./clusters";
import { assertDeliberate } from "./deployment-deliberate";
import { refOf } from "./deployment-live";
import { setReplicas } from "./deployment-replicas";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { publish } from "./live";
import { write } from "./operation";
import { keyOf, storedObjects } from "./rendering";

const One = z.strictObject({ id: z.uuid() });
/** In production the name as the person typed it: the server compares it. */
const Deliberate = One.extend({ confirmName: z.string().max(60).optional() });

const running = { permission: "deployment.stop", environment: environmentOfDeployment, output: One, target: (input: { id: string }) => ({ type: "deployment", id: input.id }) } as const;

export const deploymentsStop = write({
  ...running,
  effect: "outside",
  name: "deployments.stop",
  summary: "Stop a deployment: its pods end, its volume stays; in production with its name and a fresh sign-in",
  input: Deliberate,
  run: async ({ caller, db, input, now }) => {
    const { name, environment } = await deploymentRow(db, input.id);
    await assertDeliberate(db, { caller, now, environment, name, confirmName: input.confirmName });
    await setReplicas(db, input.id, "none");
    return { id: input.id };
  },
});

export const deploymentsStart = write({
  ...running,
  effect: "outside",
  name: "deployments.start",
  summary: "Start a stopped deployment again",
  input: One,
  run: async ({ db, input, now }) => {
    await assertBudget(db, { environmentId: (await deploymentRow(db, input.id)).environmentId, now });
    await setReplicas(db, input.id, "as before");
    return input;
  },
});

export const deploymentsDelete = write({
  name: "deployments.delete",
  summary: "Delete a deployment with its volume; its usage and costs stay. In production with its name and a fresh sign-in",
  permission: "deployment.delete",
  environment: environmentOfDeployment,
  effect: "outside",
  input: Deliberate,
  output: One,
  target: (input) => ({ type: "deployment", id: input.id }),
  run: async ({ caller, db, input, now }) => {
    const { name, environment } = await deploymentRow(db, input.id);
    await assertDeliberate(db, { caller, now, environment, name, confirmName: input.confirmName });
    await removeDeployment(db, input.id, now);
    return { id: input.id };
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
