import "server-only";
import { z } from "zod";
import { DomainError } from "@/lib/domain/errors";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import type { Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { refOf } from "./deployment-live";
import { publish } from "./live";
import { takeTurnOfRollout, type ObjectResult } from "./rollout-progress";

const LiveJob = z.object({
  status: z.object({ conditions: z.array(z.object({ type: z.string(), status: z.string(), message: z.string().default("") })).default([]) }).default({ conditions: [] }),
});

/** "done", or one sentence on what applying waits for. */
export type Progress = { state: "done" } | { state: "running"; message: string };

/**
 * How far the Job is that puts the weights on the volume. The engine comes after it: both would want the same disk, and the engine may
 * not leave the cluster. Throws DomainError `upstream_failed` when it has given up.
 */
export async function jobProgress(kube: Kube, job: KubeObject): Promise<Progress> {
  const { conditions } = LiveJob.parse(await kube.get<unknown>(refOf(job))).status;
  const holds = (type: string) => conditions.find((condition) => condition.type === type && condition.status === "True");
  if (holds("Complete")) return { state: "done" };
  const failed = holds("Failed");
  const { name } = job.metadata;
  if (failed) throw new DomainError("upstream_failed", `The Job ${name} could not download the weights: ${failed.message || "it gave no reason"}. Its pods' logs have the cause. Delete the Job, then carry on.`);
  return { state: "running", message: `The Job ${name} is downloading the weights; the engine is applied after it.` };
}

type Waiting = { rolloutId: string; results: ObjectResult[]; message: string };

/** Writes down that a rollout waits. Whoever follows the cluster carries it on. */
export async function recordWaiting(db: Db, { rolloutId, results, message }: Waiting): Promise<void> {
  await db.$transaction(async (tx) => {
    const deployment = await takeTurnOfRollout(tx, rolloutId);
    await tx.rollout.update({ where: { id: rolloutId }, data: { state: "waiting", message, objects: results } });
    if (deployment.message === message) return;
    await tx.deployment.update({ where: { id: deployment.id }, data: { message } });
    await publish(tx, `deployment:${deployment.id}`, { data: { state: "working" } });
  });
}
