import { DomainError, type FieldError } from "../errors";
import { asRecord, type Loose } from "./allowed-loose";
import { exposureBreaches, policyBreaches } from "./allowed-exposure";
import { podBreaches } from "./allowed-pod";

const kinds = new Set([
  "v1/ServiceAccount",
  "v1/ConfigMap",
  "v1/PersistentVolumeClaim",
  "networking.k8s.io/v1/NetworkPolicy",
  "batch/v1/Job",
  "apps/v1/Deployment",
  "v1/Service",
  "policy/v1/PodDisruptionBudget",
  "autoscaling/v2/HorizontalPodAutoscaler",
  "keda.sh/v1alpha1/ScaledObject",
  "monitoring.coreos.com/v1/PodMonitor",
  "networking.k8s.io/v1/Ingress",
]);

/** What may be applied: the namespace that the server chose and the repositories of the catalogue. */
export type AllowList = { namespace: string; repositories: readonly string[] };

/**
 * The last check before anything reaches a cluster: kinds, namespace, Pod Security "restricted", image repositories, limits.
 * Throws DomainError `unprocessable` with every breach.
 */
export function assertAllowed(objects: readonly object[], allow: AllowList): void {
  const breaches = objects.flatMap((object, index) =>
    objectBreaches(asRecord(object), allow).map((message) => ({ path: String(index), message })),
  );
  if (breaches.length > 0) {
    throw new DomainError("unprocessable", `The manifests break the rules for what Lectern may apply: ${breaches[0]?.message}`, {
      fields: breaches satisfies FieldError[],
    });
  }
}

function objectBreaches(object: Loose, allow: AllowList): string[] {
  const kind = `${String(object.apiVersion)}/${String(object.kind)}`;
  if (!kinds.has(kind)) return [`${kind} is not a kind that Lectern applies.`];
  const breaches: string[] = [];
  if (asRecord(object.metadata).namespace !== allow.namespace) breaches.push(`${kind} is not in the namespace "${allow.namespace}".`);
  if (object.kind === "ServiceAccount" && object.automountServiceAccountToken !== false) breaches.push("The ServiceAccount must not mount its token.");
  if (object.kind === "Service" || object.kind === "Ingress") breaches.push(...exposureBreaches(object));
  if (object.kind === "NetworkPolicy") breaches.push(...policyBreaches(object));
  if (object.kind === "Deployment" || object.kind === "Job") breaches.push(...podBreaches(asRecord(asRecord(asRecord(object.spec).template).spec), allow));
  return breaches;
}
