import { z } from "zod";

/** One resource that Lectern uses, with the verbs it needs there and what for. */
export type Need = {
  id: string;
  title: string;
  group: string;
  resource: string;
  subresource?: string;
  verbs: readonly string[];
  /** "namespace": in the environment's namespace. "cluster": across the cluster, read only. */
  scope: "namespace" | "cluster";
  /** What does not work without it; optional ones leave a gap that Lectern names. */
  without: string;
  isOptional: boolean;
};

const all = ["get", "list", "watch", "create", "patch", "delete"] as const;
const seeing = ["get", "list", "watch"] as const;

type Row = [id: string, title: string, path: string, verbs: readonly string[], without: string];

const inNamespace: Row[] = [
  ["deployments", "Deployments", "apps/deployments", all, "Nothing can be deployed."],
  ["scale", "Scale of deployments", "apps/deployments/scale", ["get", "patch"], "Deployments cannot be stopped and started."],
  ["replicasets", "Replica sets", "apps/replicasets", seeing, "A rollout cannot be followed."],
  ["services", "Services", "/services", all, "The model has no address."],
  ["proxy", "Requests through the API server", "/services/proxy", ["get", "create"], "Documents cannot be read unless Lectern reaches the model's Service directly."],
  ["claims", "Volume claims", "/persistentvolumeclaims", all, "There is no place for the weights."],
  ["service-accounts", "Service accounts", "/serviceaccounts", all, "The pods have no identity of their own."],
  ["config", "Config maps", "/configmaps", all, "Settings of a deployment cannot be stored."],
  ["secrets", "Secrets, by name", "/secrets", ["get", "create", "patch", "delete"], "A token for a private model cannot be stored."],
  ["network-policies", "Network policies", "networking.k8s.io/networkpolicies", all, "The model cannot be closed off from other pods."],
  ["pods", "Pods", "/pods", seeing, "Nobody sees what a deployment does."],
  ["logs", "Container logs", "/pods/log", ["get"], "Failures cannot be explained from logs."],
  ["events", "Events", "/events", seeing, "Failures cannot be explained."],
];

const optionalInNamespace: Row[] = [
  ["jobs", "Jobs", "batch/jobs", all, "Weights are loaded by the first pod instead of beforehand."],
  ["ingresses", "Ingresses", "networking.k8s.io/ingresses", all, "Only callers inside the cluster reach the model."],
  ["budgets", "Disruption budgets", "policy/poddisruptionbudgets", all, "A drain may take all replicas at once."],
  ["autoscalers", "Autoscalers", "autoscaling/horizontalpodautoscalers", all, "The number of replicas stays fixed."],
  ["keda", "KEDA scaled objects", "keda.sh/scaledobjects", all, "Scaling on the queue's length is not offered."],
  ["monitors", "Pod monitors", "monitoring.coreos.com/podmonitors", all, "Prometheus does not scrape the model."],
  ["quotas", "Quotas", "/resourcequotas", seeing, "Preflight cannot tell whether a quota refuses the pods."],
  ["limits", "Limit ranges", "/limitranges", seeing, "Preflight cannot tell whether a limit refuses the pods."],
];

const inCluster: Row[] = [
  ["nodes", "Nodes", "/nodes", seeing, "Free GPUs, taints and pending pods are explained from messages alone."],
  ["all-pods", "Pods of all namespaces", "/pods", ["list"], "Who holds a GPU, and what daemons take of a node, stays unknown."],
  ["namespaces", "Namespaces", "/namespaces", ["get"], "The Pod Security level stays unknown."],
  ["daemonsets", "Daemon sets", "apps/daemonsets", ["list"], "The device plugin and the network's enforcement stay unknown."],
  ["storage-classes", "Storage classes", "storage.k8s.io/storageclasses", ["list"], "Storage cannot be checked beforehand."],
  ["ingress-classes", "Ingress classes", "networking.k8s.io/ingressclasses", ["list"], "Public ingress classes cannot be told apart."],
  ["runtime-classes", "Runtime classes", "node.k8s.io/runtimeclasses", ["list"], "A missing runtime class shows only when a pod fails."],
  ["node-pools", "Karpenter node pools", "karpenter.sh/nodepools", ["list"], "Whether a pool can grow from zero stays unknown."],
];

/** Every right that Lectern uses: the ready Role, the check at linking and the documentation are made from this list. */
export const NEEDS: readonly Need[] = [
  ...inNamespace.map((row) => needOf(row, "namespace", false)),
  ...optionalInNamespace.map((row) => needOf(row, "namespace", true)),
  ...inCluster.map((row) => needOf(row, "cluster", true)),
];

function needOf([id, title, path, verbs, without]: Row, scope: Need["scope"], isOptional: boolean): Need {
  const [group = "", resource = "", subresource] = path.split("/");
  return { id, title, group, resource, ...(subresource ? { subresource } : {}), verbs, scope, without, isOptional };
}

/** What the API server said: per need, the verbs that it does not allow. */
export const RightsAnswer = z.strictObject({
  namespace: z.string(),
  denied: z.array(z.strictObject({ id: z.string(), verbs: z.array(z.string()) })),
});
export type RightsAnswer = z.infer<typeof RightsAnswer>;

export type RightLine = Need & { missing: string[]; level: "fine" | "warning" | "blocker" };

/** Needed against allowed, one line per resource; undefined while the cluster has not been asked. */
export function rightLines(answer: RightsAnswer | undefined): RightLine[] | undefined {
  if (!answer) return undefined;
  return NEEDS.map((need) => {
    const missing = answer.denied.find((one) => one.id === need.id)?.verbs ?? [];
    return { ...need, missing, level: missing.length === 0 ? "fine" : need.isOptional ? "warning" : "blocker" };
  });
}
