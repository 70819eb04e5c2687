import { stringify } from "yaml";
import type { DeploymentSpec } from "./deployment";
import { rendering, type ManifestContext } from "./manifest/context";
import { engineDeployment } from "./manifest/engine";
import type { KubeObject } from "./manifest/kube-object";
import { networkPolicy } from "./manifest/network-policy";
import { service, serviceAccount, weightsClaim } from "./manifest/supporting";

/**
 * The Kubernetes objects of a deployment, in the order in which they are applied. Pure: the same spec and context give the same
 * objects. Throws DomainError `not_found` when the catalogue lacks the model or size.
 */
export function manifests(spec: DeploymentSpec, context: ManifestContext): KubeObject[] {
  const input = rendering(spec, context);
  return [serviceAccount(input), weightsClaim(input), networkPolicy(input), engineDeployment(input), service(input)];
}

/** The objects as one YAML stream, each serialised by the library and never by a template. */
export function toYaml(objects: readonly KubeObject[]): string {
  // Kubernetes reads YAML 1.1, where a bare `no` is a boolean; `compat` quotes such strings.
  return objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" })).join("---\n");
}

/** JSON with sorted keys and no spaces: equal values give equal text, so its hash identifies what was previewed. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  entries.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`).join(",")}}`;
}
