import { stringify } from "yaml";
import type { DeploymentSpec } from "./deployment";
import { rendering, type ManifestContext } from "./manifest/context";
import { engineDeployment } from "./manifest/engine";
import { ingress, service } from "./manifest/exposure";
import type { KubeObject } from "./manifest/kube-object";
import { networkPolicy, prefetchPolicy } from "./manifest/network-policy";
import { withOverrides } from "./manifest/overlay";
import { prefetchJob } from "./manifest/prefetch";
import { disruptionBudget, podMonitor, scaler } from "./manifest/scaling";
import { engineConfig, serviceAccount, weightsClaim } from "./manifest/supporting";

/**
 * The Kubernetes objects of a deployment, in the order in which they are applied. Pure: the same spec and context give the same
 * objects. Throws DomainError `not_found` when the catalogue lacks the model or size, `unprocessable` when an override does not apply.
 */
export function manifests(spec: DeploymentSpec, context: ManifestContext): KubeObject[] {
  const input = rendering(spec, context);
  const objects = [
    serviceAccount(input),
    ...engineConfig(input),
    weightsClaim(input),
    networkPolicy(input),
    ...prefetchPolicy(input),
    ...prefetchJob(input),
    engineDeployment(input),
    service(input),
    ...disruptionBudget(input),
    ...scaler(input),
    ...podMonitor(input),
    ...ingress(input),
  ];
  return withOverrides(objects, spec.overlay);
}

/** The objects as one YAML stream, each serialised by the library and never by a template. */
export function toYaml(objects: readonly KubeObject[]): string {
  // Kubernetes reads YAML 1.1, where a bare `no` is a boolean; `compat` quotes such strings.
  return objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" })).join("---\n");
}
