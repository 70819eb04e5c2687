import "server-only";
import { modelById } from "@/lib/domain/catalog";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import { environmentsWith, type Actor } from "@/lib/domain/policy";
import { cpuRoom, gpuRoom, type EngineRoom } from "@/lib/domain/rate-limit";
import type { Db } from "@/lib/platform/db";
import { keepAnswers } from "@/lib/platform/gateway-share";
import { EMBEDDED_ENGINE_SETTING, EMBEDDED_MODEL, type Engine } from "./engines";

/** A deployment, or the embedded engine, as one environment offers it to the gateway's clients. */
export type Offer = {
  key: string;
  deploymentId: string | null;
  environment: { id: string; slug: string };
  name: string;
  modelId: string;
  /** Other names that several deployments may share: the model's, and the one under which the weights are known. */
  shared: string[];
  state: string;
  room: EngineRoom;
  createdAt: Date;
};

/** What the actor may have read by: deployments that are ready, stopped or starting, and the embedded engine in each environment. */
export async function offersFor(db: Db, actor: Actor): Promise<Offer[]> {
  const ids = environmentsWith(actor, "document.upload");
  const [environments, embedded] = await Promise.all([
    db.environment.findMany({
      where: ids === "all" ? {} : { id: { in: ids } },
      select: { id: true, slug: true, createdAt: true, cluster: { select: { kind: true } }, deployments: { where: { deletedAt: null, state: { in: ["ready", "stopped", "working"] } } } },
      orderBy: { createdAt: "asc" },
    }),
    db.setting.findUnique({ where: { key: EMBEDDED_ENGINE_SETTING } }),
  ]);
  return environments.flatMap(({ deployments, cluster, createdAt, ...environment }) => [
    ...deployments.map((row): Offer => {
      const model = modelById(DeploymentSpec.parse(row.spec).modelId);
      const room = cluster?.kind === "linked" ? gpuRoom : cpuRoom;
      return { key: row.id, deploymentId: row.id, environment, name: row.name, modelId: model.id, shared: [model.id, model.hfId], state: row.state, room, createdAt: row.createdAt };
    }),
    ...(embedded ? [{ key: "embedded", deploymentId: null, environment, name: EMBEDDED_MODEL, modelId: EMBEDDED_MODEL, shared: [], state: "ready", room: cpuRoom, createdAt }] : []),
  ]);
}

/**
 * The offers that a client means by `model`: `environment/name` or a name that only one environment has; a model's id means every
 * deployment that serves it there. Throws `not_found`, or `conflict` naming the choices.
 */
export function offersNamed(offers: readonly Offer[], model: string): Offer[] {
  const isNamed = (offer: Offer, name: string) => offer.name === name || offer.shared.includes(name);
  const byPlace = offers.filter((offer) => model.startsWith(`${offer.environment.slug}/`) && isNamed(offer, model.slice(offer.environment.slug.length + 1)));
  const found = byPlace.length > 0 ? byPlace : offers.filter((offer) => isNamed(offer, model));
  const exact = found.filter((offer) => model.endsWith(offer.name));
  const chosen = exact.length > 0 ? exact : found;
  if (chosen.length === 0) throw new DomainError("not_found", `There is no model ${JSON.stringify(model.slice(0, 80))} for this token. GET /v1/models lists those that it may use.`);
  const places = [...new Set(chosen.map((offer) => `${offer.environment.slug}/${model}`))];
  if (new Set(chosen.map((offer) => offer.environment.id)).size > 1) throw new DomainError("conflict", `Several environments have a model of that name. Say which: ${places.slice(0, 6).join(", ")}.`);
  return chosen;
}

const ENGINES = { freshMs: 2_000, keptMs: 60_000 };

export type EngineShelf = { get(db: Db, deploymentId: string | null): Promise<Engine>; drop(deploymentId: string | null): void };

/** How the engine of a deployment is found; null is the embedded one. */
export type FindEngine = (db: Db, deploymentId: string | null) => Promise<Engine>;

/** Keeps the way to an engine, so that its connections are used again and no page waits for a look-up; an engine that fails is dropped. */
export function createEngineShelf(engineOf: FindEngine): EngineShelf {
  const kept = keepAnswers<Engine>(ENGINES);
  return {
    get: (db, deploymentId) => kept.get(deploymentId ?? "", () => engineOf(db, deploymentId)),
    drop: (deploymentId) => kept.drop(deploymentId ?? ""),
  };
}
