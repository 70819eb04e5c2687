import "server-only";
import type { PreflightFacts } from "@/lib/domain/preflight-facts";
import type { Kube } from "@/lib/platform/kube";
import type { ResourceRef } from "@/lib/platform/kube/path";
import { callJson } from "@/lib/platform/kube/request";
import { KubeStatusError } from "@/lib/platform/kube/status";
import type { Watchable } from "@/lib/platform/kube/watch";

const DEADLINE_MS = 15_000;

/** The collection; null when the credential may not read it, empty when the cluster does not serve it. */
async function seen<T>(kube: Kube, ref: ResourceRef, signal: AbortSignal): Promise<T[] | null> {
  try {
    const { items } = await kube.list<Watchable>(ref, { signal });
    return items as unknown as T[]; // the reader's fields are all optional: lib/domain/preflight-facts.ts
  } catch (error) {
    if (error instanceof KubeStatusError && error.status === 404) return [];
    if (error instanceof KubeStatusError && error.status === 403) return null;
    throw error;
  }
}

async function labelsOf(kube: Kube, namespace: string, signal: AbortSignal): Promise<PreflightFacts["namespaceLabels"]> {
  try {
    const { metadata } = await kube.get<{ metadata: { labels?: Record<string, string> } }>({ apiVersion: "v1", resource: "namespaces", name: namespace }, signal);
    return metadata.labels ?? {};
  } catch (error) {
    if (error instanceof KubeStatusError && error.status === 404) return "absent";
    if (error instanceof KubeStatusError && error.status === 403) return null;
    throw error;
  }
}

/** Reads what preflight judges, in parallel and within 15 s. Rejects when the cluster does not answer or no longer accepts the credential. */
export async function preflightFacts(kube: Kube, namespace: string): Promise<PreflightFacts> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const list = <T>(apiVersion: string, resource: string, own = false) => seen<T>(kube, { apiVersion, resource, ...(own ? { namespace } : {}) }, signal);
  const groups = callJson<{ groups?: { name: string }[] }>(kube.send, { method: "GET", path: "/apis", signal });
  const [served, nodes, pods, daemons, runtimeClasses, storageClasses, ingressClasses, nodePools, quotas, limits, namespaceLabels] = await Promise.all([
    groups,
    list<NonNullable<PreflightFacts["nodes"]>[number]>("v1", "nodes"),
    list<NonNullable<PreflightFacts["pods"]>[number]>("v1", "pods"),
    list<NonNullable<PreflightFacts["daemons"]>[number]>("apps/v1", "daemonsets"),
    list<NonNullable<PreflightFacts["runtimeClasses"]>[number]>("node.k8s.io/v1", "runtimeclasses"),
    list<NonNullable<PreflightFacts["storageClasses"]>[number]>("storage.k8s.io/v1", "storageclasses"),
    list<NonNullable<PreflightFacts["ingressClasses"]>[number]>("networking.k8s.io/v1", "ingressclasses"),
    list<NonNullable<PreflightFacts["nodePools"]>[number]>("karpenter.sh/v1", "nodepools"),
    list<NonNullable<PreflightFacts["quotas"]>[number]>("v1", "resourcequotas", true),
    list<NonNullable<PreflightFacts["limits"]>[number]>("v1", "limitranges", true),
    labelsOf(kube, namespace, signal),
  ]);
  return { namespace, nodes, pods, daemons, runtimeClasses, storageClasses, ingressClasses, nodePools, quotas, limits, namespaceLabels, groups: (served.body.groups ?? []).map((group) => group.name) };
}
