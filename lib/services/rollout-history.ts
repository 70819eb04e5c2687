import "server-only";
import type { DeploymentSpec } from "@/lib/domain/deployment";
import { usualDurations, type UsualDurations } from "@/lib/domain/rollout-history";
import type { RolloutStep } from "@/lib/domain/rollout-steps";
import type { Db } from "@/lib/platform/db";
import type { ObjectResult } from "./rollout-progress";

const ROLLOUTS = 20;

/** How long this model on this size usually takes on this cluster, from its last rollouts that got ready. Steps in seconds. */
export async function usualOf(db: Db, { modelId, skuId }: Pick<DeploymentSpec, "modelId" | "skuId">, clusterId: string | null): Promise<UsualDurations> {
  const rollouts = await db.rollout.findMany({
    where: {
      state: "ready",
      revision: { deployment: { environment: { clusterId } }, AND: [{ spec: { path: ["modelId"], equals: modelId } }, { spec: { path: ["skuId"], equals: skuId } }] },
    },
    orderBy: { startedAt: "desc" },
    take: ROLLOUTS,
    select: { steps: true, objects: true },
  });
  // A restart finds the image and the weights where they are: it says nothing of how long a start takes.
  const started = rollouts.filter(({ objects }) => (objects as ObjectResult[]).every((each) => each.outcome !== "restarted")); // written by rollout-progress.ts
  const history = started.map(({ steps }) => steps as RolloutStep[]).filter((steps) => steps.length > 0); // written by rollout-record.ts
  return usualDurations(history);
}
