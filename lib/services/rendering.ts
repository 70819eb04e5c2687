import "server-only";
import { allModels } from "@/lib/domain/catalog";
import { engines } from "@/lib/domain/catalog-engine";
import type { DeploymentSpec } from "@/lib/domain/deployment";
import { manifests } from "@/lib/domain/manifest";
import { assertAllowed } from "@/lib/domain/manifest/allowed";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import { revisionAnnotation } from "@/lib/domain/manifest/metadata";

const engineRepositories = engines.flatMap((engine) => (engine.deployable && engine.image ? [engine.image.repository] : []));
const repositories = () => [...new Set([...allModels().map((model) => model.image.repository), ...engineRepositories])];
type Place = { namespace: string; environmentId: string; deploymentId: string; revision: number };

/** What a revision creates, checked against what Lectern may apply at all. Throws `unprocessable` with every breach. */
export function render(spec: DeploymentSpec, at: Place): KubeObject[] {
  const objects = manifests(spec, { ...at, portalNamespace: null });
  assertAllowed(objects, { namespace: at.namespace, repositories: repositories() });
  return objects;
}

/** The stored manifests of an earlier revision as those of a new one, checked like new ones. */
export function renumber(objects: readonly KubeObject[], at: Pick<Place, "namespace" | "revision">): KubeObject[] {
  const renumbered = objects.map((object) => ({
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [revisionAnnotation]: String(at.revision) } },
  }));
  assertAllowed(renumbered, { namespace: at.namespace, repositories: repositories() });
  return renumbered;
}

/** The manifests of a revision as the database holds them. */
export function storedObjects(manifests: unknown): KubeObject[] {
  return manifests as KubeObject[]; // written by render() or renumber(), read from a column of JSON
}

/** "Kind/name": how previews, results and prunes name an object within its namespace. */
export function keyOf(object: { kind: string; metadata: { name: string } }): string {
  return `${object.kind}/${object.metadata.name}`;
}
