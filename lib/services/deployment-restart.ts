import "server-only";
import { z } from "zod";
import { DomainError } from "@/lib/domain/errors";
import type { Db, Tx } from "@/lib/platform/db";
import { kubeOfEnvironment } from "./clusters";
import { liveOf, type LiveObject } from "./deployment-live";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { write } from "./operation";
import { storedObjects } from "./rendering";
import { recordAwaiting, takeTurn, type ObjectResult } from "./rollout-progress";

/** The annotation that `kubectl rollout restart` writes; a manager of its own keeps it out of what Lectern applies. */
const RESTARTED_AT = "kubectl.kubernetes.io/restartedAt";
const MANAGER = "lectern-restart";

const One = z.strictObject({ id: z.uuid() });

export const deploymentsRestart = write({
  name: "deployments.restart",
  summary: "Start the pods of a deployment anew, as its update strategy says; a rollout of its own in the history",
  permission: "deployment.stop",
  environment: environmentOfDeployment,
  effect: "outside",
  input: One,
  output: z.strictObject({ id: z.uuid(), rolloutId: z.uuid() }),
  target: (input, result) => ({ type: "deployment", id: input.id, detail: { rolloutId: result?.rolloutId ?? null } }),
  run: async ({ caller, db, input, now }) => {
    const row = await deploymentRow(db, input.id);
    if (row.state === "stopped") throw new DomainError("unprocessable", `${row.name} is stopped: start it instead.`);
    const { revisionId, generation } = await restartPods(db, input.id, now);
    const rolloutId = await db.$transaction((tx) => recordRestart(tx, { row, revisionId, generation, by: caller.actor.name, now }));
    return { id: input.id, rolloutId };
  },
});

async function restartPods(db: Db, deploymentId: string, now: Date): Promise<{ revisionId: string; generation: number | null }> {
  const { name, environmentId } = await deploymentRow(db, deploymentId);
  const revision = await db.revision.findFirst({ where: { deploymentId }, orderBy: { number: "desc" } });
  const engine = storedObjects(revision?.manifests ?? []).find((object) => object.kind === "Deployment");
  const { kube } = await kubeOfEnvironment(db, environmentId);
  if (!revision || !engine || !(await liveOf(kube, engine))) throw new DomainError("unprocessable", `${name} does not stand in the cluster. Deploy it first.`);
  const { apiVersion, kind, metadata } = engine;
  const at = { name: metadata.name, namespace: metadata.namespace, labels: {} };
  const mark = { apiVersion, kind, metadata: at, spec: { template: { metadata: { annotations: { [RESTARTED_AT]: now.toISOString() } } } } };
  const { object } = await kube.apply<LiveObject>(mark, { fieldManager: MANAGER });
  return { revisionId: revision.id, generation: object.metadata.generation ?? null };
}

type Restart = { row: { id: string; name: string; environmentId: string }; revisionId: string; generation: number | null; by: string; now: Date };

async function recordRestart(tx: Tx, { row, revisionId, generation, by, now }: Restart): Promise<string> {
  await takeTurn(tx, row.id);
  await tx.rollout.updateMany({ where: { revision: { deploymentId: row.id }, endedAt: null }, data: { state: "superseded", endedAt: now } });
  const objects: ObjectResult[] = [{ kind: "Deployment", name: row.name, outcome: "restarted", message: `by ${by}` }];
  const rollout = await tx.rollout.create({ data: { revisionId, state: "watching", objects } });
  await recordAwaiting(tx, { id: row.id, environmentId: row.environmentId, generation, failure: null });
  return rollout.id;
}
