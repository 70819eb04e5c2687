import "server-only";
import { DomainError } from "@/lib/domain/errors";

/** One resource of the Kubernetes API: `resource` is the plural name of the path; without `name` it means the collection. */
export type ResourceRef = { apiVersion: string; resource: string; namespace?: string; name?: string; subresource?: string };

const resources: Record<string, string> = {
  "v1/ConfigMap": "configmaps",
  "v1/Event": "events",
  "v1/Namespace": "namespaces",
  "v1/Node": "nodes",
  "v1/PersistentVolumeClaim": "persistentvolumeclaims",
  "v1/Pod": "pods",
  "v1/Secret": "secrets",
  "v1/Service": "services",
  "v1/ServiceAccount": "serviceaccounts",
  "apps/v1/Deployment": "deployments",
  "apps/v1/ReplicaSet": "replicasets",
  "autoscaling/v2/HorizontalPodAutoscaler": "horizontalpodautoscalers",
  "batch/v1/Job": "jobs",
  "keda.sh/v1alpha1/ScaledObject": "scaledobjects",
  "monitoring.coreos.com/v1/PodMonitor": "podmonitors",
  "networking.k8s.io/v1/Ingress": "ingresses",
  "networking.k8s.io/v1/NetworkPolicy": "networkpolicies",
  "policy/v1/PodDisruptionBudget": "poddisruptionbudgets",
  "storage.k8s.io/v1/StorageClass": "storageclasses",
};

export type Query = Record<string, string | number | boolean | undefined>;

/** The plural of a kind as the API's paths use it. Throws for a kind that Lectern does not know. */
export function resourceOf(apiVersion: string, kind: string): string {
  const resource = resources[`${apiVersion}/${kind}`];
  if (resource === undefined) throw new DomainError("invalid_input", `Lectern does not know the kind ${kind} of ${apiVersion}.`);
  return resource;
}

/** Path and query of a resource; every part is encoded, so a name can not reach another path. */
export function resourcePath(ref: ResourceRef, query: Query = {}): string {
  const root = ref.apiVersion.includes("/") ? "apis" : "api";
  const parts = [root, ...ref.apiVersion.split("/")];
  if (ref.namespace !== undefined) parts.push("namespaces", ref.namespace);
  parts.push(ref.resource);
  if (ref.name !== undefined) parts.push(ref.name);
  if (ref.subresource !== undefined) parts.push(...ref.subresource.split("/"));
  if (parts.some((part) => part === "" || part === "." || part === ".."))
    throw new DomainError("invalid_input", "A name in the cluster must not be empty, a dot or two dots.");
  return `/${parts.map(encodePart).join("/")}${queryText(query)}`;
}

function queryText(query: Query): string {
  const set = Object.entries(query).filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined);
  return set.length === 0 ? "" : `?${new URLSearchParams(set.map(([key, value]) => [key, String(value)])).toString()}`;
}

/** A colon stays as it is: `service:port` is written so in every Kubernetes client. */
function encodePart(part: string): string {
  return encodeURIComponent(part).replaceAll("%3A", ":");
}
