import "server-only";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError, notFound } from "@/lib/domain/errors";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import type { Db } from "@/lib/platform/db";
import { environmentById } from "./environment-rows";
import { keyOf, render, renumber, storedObjects } from "./rendering";

/** What somebody asks to preview: a new spec, or the way back to an earlier revision. */
export type Wanted = { environmentId: string; deploymentId: string; spec?: DeploymentSpec | undefined; rollbackTo?: string | undefined };

export type Plan = {
  environment: Awaited<ReturnType<typeof environmentById>>;
  deploymentId: string;
  number: number;
  spec: DeploymentSpec;
  objects: KubeObject[];
  rollbackOf: number | null;
  previous: { number: number; spec: DeploymentSpec; objects: KubeObject[] } | null;
  /** Objects of earlier revisions that this one no longer has. */
  dropped: KubeObject[];
  isTaken: boolean;
};

/** Past revisions whose objects are looked for when something is to be pruned. */
const REVISIONS_BACK = 10;

/** The next revision of a deployment, or the first of a new one. Throws `not_found` and `unprocessable`. */
export async function planOf(db: Db, wanted: Wanted): Promise<Plan> {
  const environment = await environmentById(db, wanted.environmentId);
  const row = await db.deployment.findUnique({ where: { id: wanted.deploymentId }, include: { revisions: { orderBy: { number: "desc" }, take: REVISIONS_BACK } } });
  if (row && (row.environmentId !== environment.id || row.deletedAt)) throw notFound("deployment");
  const revisions = row?.revisions ?? [];
  const [last] = revisions;
  const number = (last?.number ?? 0) + 1;
  const target = wanted.rollbackTo === undefined ? null : await db.revision.findFirst({ where: { id: wanted.rollbackTo, deploymentId: wanted.deploymentId } });
  if (wanted.rollbackTo !== undefined && !target) throw notFound("revision");
  const spec = withSelector(DeploymentSpec.parse(target?.spec ?? wanted.spec ?? last?.spec), last?.spec);
  if (row && row.name !== spec.name) throw new DomainError("unprocessable", `The name stays ${row.name}: the objects in the cluster carry it. Deploy beside it to have another name.`);
  const at = { namespace: environment.namespace, environmentId: environment.id, deploymentId: wanted.deploymentId, revision: number };
  const objects = target ? renumber(storedObjects(target.manifests), at) : render(spec, at);
  const taken = row ? null : await db.deployment.findFirst({ where: { environmentId: environment.id, name: spec.name, deletedAt: null }, select: { id: true } });
  return {
    environment,
    deploymentId: wanted.deploymentId,
    number,
    spec,
    objects,
    rollbackOf: target?.number ?? null,
    previous: last ? { number: last.number, spec: DeploymentSpec.parse(last.spec), objects: storedObjects(last.manifests) } : null,
    dropped: droppedObjects(revisions, objects),
    isTaken: taken !== null,
  };
}

function droppedObjects(revisions: readonly { manifests: unknown }[], objects: readonly KubeObject[]): KubeObject[] {
  const kept = new Set(objects.map(keyOf));
  const earlier = new Map(revisions.flatMap((revision) => storedObjects(revision.manifests)).map((object) => [keyOf(object), object]));
  return [...earlier].filter(([key]) => !kept.has(key)).map(([, object]) => object);
}

/** A cluster never lets a Deployment's selector change: it is that of the revision before, whatever a form sends. */
function withSelector(spec: DeploymentSpec, before: unknown): DeploymentSpec {
  if (before === undefined) return spec;
  const { selector } = DeploymentSpec.parse(before);
  const { selector: _, ...rest } = spec;
  return selector ? { ...rest, selector } : rest;
}
