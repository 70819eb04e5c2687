import "server-only";
import { modelById, skuById } from "@/lib/domain/catalog";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { notFound } from "@/lib/domain/errors";
import { can, type Actor } from "@/lib/domain/policy";
import type { Db } from "@/lib/platform/db";
import { engineOf } from "./engines";
import { isAsleep, requestWake } from "./wakes";

/** What a new run notes of its engine. */
export type RunEngine = { deploymentId: string | null; modelId: string; skuId: string | null };

/**
 * The engine of a new run: one that is ready, or a sleeping deployment, which is woken by this call and reads the pages when it is ready.
 * Throws `not_found` also where the actor may not have documents read, and what `engineOf` and `requestWake` throw.
 */
export async function engineOrWake(db: Db, deploymentId: string | null, { actor, now }: { actor: Actor; now: Date }): Promise<RunEngine> {
  const row = deploymentId === null ? null : await db.deployment.findFirst({ where: { id: deploymentId, deletedAt: null }, include: { wakes: { where: { state: "waking" } } } });
  if (!row) return engineOf(db, deploymentId);
  if (!can(actor, "document.upload", row.environmentId)) throw notFound("deployment");
  if (!isAsleep(row) && row.wakes.length === 0) return engineOf(db, deploymentId);
  await requestWake(db, { deploymentId: row.id, userId: actor.userId, now });
  const spec = DeploymentSpec.parse(row.spec);
  return { deploymentId: row.id, modelId: modelById(spec.modelId).id, skuId: skuById(spec.skuId).id };
}
