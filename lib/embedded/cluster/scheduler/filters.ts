import "server-only";
import type { FaultName } from "../faults";
import { at, textAt } from "../json";
import { namespaceOf, type KubeObject } from "../object";
import type { Store } from "../store/store";
import { claimsOf } from "../controllers/volumes";
import { matchesNode, matchesNodeSelector } from "./affinity";
import { shortages } from "./resources";
import { toleratesNode } from "./taints";

/** Why a node was refused, in the scheduler's words, and whether evicting other pods could help. */
export type Refusal = { reasons: string[]; mayHelpToPreempt: boolean };

export const UNTOLERATED = "node(s) had untolerated taint(s)";
export const MISMATCH = "node(s) didn't match Pod's node affinity/selector";

function never(...reasons: string[]): Refusal {
  return { reasons, mayHelpToPreempt: false };
}

function byResources(pod: KubeObject, node: KubeObject, pods: KubeObject[]): Refusal | undefined {
  const missing = shortages(pod, node, pods);
  if (missing.length === 0) return undefined;
  const reasons = missing.map(({ name }) => (name === "pods" ? "Too many pods" : `Insufficient ${name}`));
  return { reasons, mayHelpToPreempt: missing.every(({ isForEver }) => !isForEver) };
}

function byVolume(pod: KubeObject, node: KubeObject, store: Store): Refusal | undefined {
  for (const name of claimsOf(pod)) {
    const volumeName = textAt(store.get("/persistentvolumeclaims", namespaceOf(pod), name), "spec", "volumeName");
    const volume = volumeName === undefined ? undefined : store.get("/persistentvolumes", "", volumeName);
    const required = at(volume, "spec", "nodeAffinity", "required");
    if (required !== undefined && !matchesNodeSelector(required, node))
      return never("node(s) didn't match PersistentVolume's node affinity");
  }
  return undefined;
}

const faultReasons: Partial<Record<FaultName, Refusal>> = {
  "untolerated-taint": never(UNTOLERATED),
  "no-matching-node": never(MISMATCH),
  "insufficient-gpu": { reasons: ["Insufficient nvidia.com/gpu"], mayHelpToPreempt: true },
  "insufficient-resources": never("Insufficient cpu", "Insufficient memory"),
  "no-device-plugin": never("Insufficient nvidia.com/gpu"),
};

/** The first filter that refuses the node, in the scheduler's order; undefined when the pod may run there. */
export function refuse({
  pod,
  node,
  pods,
  store,
  fault,
}: {
  pod: KubeObject;
  node: KubeObject;
  pods: KubeObject[];
  store: Store;
  fault: FaultName | undefined;
}): Refusal | undefined {
  if (at(node, "spec", "unschedulable") === true) return never("node(s) were unschedulable");
  if (!toleratesNode(pod, node)) return never(UNTOLERATED);
  if (!matchesNode(pod, node)) return never(MISMATCH);
  const forced = fault === undefined ? undefined : faultReasons[fault];
  return forced ?? byResources(pod, node, pods) ?? byVolume(pod, node, store);
}

/** What stops the pod on every node: its claims. The odd ending is the server's own. */
export function refuseEverywhere(pod: KubeObject, store: Store, fault: FaultName | undefined): string | undefined {
  const unbound = "pod has unbound immediate PersistentVolumeClaims. not found";
  for (const name of claimsOf(pod)) {
    const claim = store.get("/persistentvolumeclaims", namespaceOf(pod), name);
    if (!claim || fault === "claim-not-found") return `persistentvolumeclaim "${name}" not found. not found`;
    if (fault === "claim-unbound" || !isUsable(claim, store)) return unbound;
  }
  if (fault === "claim-not-found") return 'persistentvolumeclaim "models" not found. not found';
  return fault === "claim-unbound" ? unbound : undefined;
}

/** Bound, or of a class that binds when a pod comes. */
function isUsable(claim: KubeObject, store: Store): boolean {
  if (textAt(claim, "status", "phase") === "Bound") return true;
  const storageClass = store.get("storage.k8s.io/storageclasses", "", textAt(claim, "spec", "storageClassName") ?? "");
  return textAt(storageClass, "volumeBindingMode") === "WaitForFirstConsumer";
}

function tally(reasons: string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(", ");
}

/** The scheduler's one-line account, with its account of preemption. */
export function explain(refusals: Refusal[]): string {
  const total = refusals.length;
  const preemption = refusals.map(({ mayHelpToPreempt }) =>
    mayHelpToPreempt ? "No preemption victims found for incoming pod" : "Preemption is not helpful for scheduling",
  );
  const reasons = tally(refusals.flatMap((refusal) => refusal.reasons));
  return `0/${total} nodes are available: ${reasons}. no new claims to deallocate, preemption: 0/${total} nodes are available: ${tally(preemption)}.`;
}
