import "server-only";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import type { Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { KubeStatusError } from "@/lib/platform/kube/status";
import { kubeOfEnvironment } from "./clusters";
import { conflictsOf } from "./deployment-dry-run";
import { refOf, type LiveObject } from "./deployment-live";
import { deploymentRow } from "./deployment-rows";
import { recordAwaiting } from "./rollout-progress";
import { storedObjects } from "./rendering";

/** KEDA would raise what stands at zero again: it is told to pause there. Source: keda.sh/docs/2.21/concepts/scaling-deployments. */
const PAUSED = "autoscaling.keda.sh/paused-replicas";

/** Switches the newest revision off, or on as it was. Whoever owns the replicas keeps them: Lectern, an HPA, or KEDA. */
export async function setReplicas(db: Db, deploymentId: string, replicas: "none" | "as before"): Promise<void> {
  const row = await deploymentRow(db, deploymentId);
  const revision = await db.revision.findFirst({ where: { deploymentId }, orderBy: { number: "desc" } });
  const objects = storedObjects(revision?.manifests ?? []);
  const engine = objects.find((object) => object.kind === "Deployment");
  if (!revision || !engine) throw new DomainError("unprocessable", `${row.name} has no revision yet. Deploy it first.`);
  const wanted = DeploymentSpec.parse(revision.spec);
  const spec = replicas === "none" ? { ...wanted, replicas: 0 } : wanted;
  const { kube } = await kubeOfEnvironment(db, row.environmentId);
  const generation = await switchTo(kube, { objects, engine, replicas: spec.replicas }).catch((error: unknown) => {
    throw asConflict(error);
  });
  await db.$transaction(async (tx) => {
    await tx.deployment.update({ where: { id: row.id }, data: { spec } });
    await recordAwaiting(tx, { id: row.id, environmentId: row.environmentId, generation, failure: null });
  });
}

type Switch = { objects: readonly KubeObject[]; engine: KubeObject; replicas: number };

/** Answers the generation of the Deployment that was written; null where an autoscaler writes it. */
async function switchTo(kube: Kube, { objects, engine, replicas }: Switch): Promise<number | null> {
  const keda = objects.find((object) => object.kind === "ScaledObject");
  if (keda) {
    const annotations = { ...keda.metadata.annotations, ...(replicas === 0 ? { [PAUSED]: "0" } : {}) };
    await kube.apply({ ...keda, metadata: { ...keda.metadata, annotations } });
    return null;
  }
  const hpa = objects.find((object) => object.kind === "HorizontalPodAutoscaler");
  if (hpa) {
    // Zero switches an HPA off until somebody raises it again; from its least on it takes over.
    await kube.scale(refOf(engine), replicas === 0 ? 0 : leastOf(hpa));
    return null;
  }
  // Applied and not scaled: a `scale` call would make a second owner of the field.
  const { object } = await kube.apply<LiveObject>({ ...engine, spec: { ...engine.spec, replicas } });
  return object.metadata.generation ?? null;
}

function leastOf(hpa: KubeObject): number {
  const least = hpa.spec?.minReplicas;
  return typeof least === "number" && least > 0 ? least : 1;
}

function asConflict(error: unknown): unknown {
  const [conflict] = error instanceof KubeStatusError ? conflictsOf(error) : [];
  if (!conflict) return error;
  return new DomainError("conflict", `${conflict.manager} has set ${conflict.field} of the Deployment. Preview a change of the deployment and take the field over there.`);
}
