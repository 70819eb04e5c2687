import type { Finding, FindingInput } from "./finding";
import { claimMissing, claimUnbound } from "./finding-claim";
import { matchesSelector } from "./finding-node";
import { gpuMissing, noSuchNode, tainted, tooLarge, type Explanation, type Refusal } from "./finding-refusal";
import { condition, type LivePod } from "./rollout-objects";

type Rule = { matches: RegExp; explain: (refusal: Refusal) => Explanation | undefined };

/**
 * Texts of the scheduler (several versions) in the order in which they matter. Counts per reason tell only the first filter that a node
 * failed, so a reason which every GPU node can cause comes before one that other nodes cause by the way.
 */
const rules: readonly Rule[] = [
  { matches: /persistentvolumeclaim "[^"]*" not found/, explain: claimMissing },
  { matches: /unbound immediate PersistentVolumeClaims/, explain: claimUnbound },
  {
    matches: /volume node affinity|PersistentVolume's node affinity/,
    explain: () => ({
      id: "volume-zone",
      cause: "The volume is in another zone or on another node than the free GPU.",
      remedy: "Use nodes in the volume's zone, or a new volume: the weights are only a cache.",
    }),
  },
  { matches: /Insufficient [\w.-]+\/[\w.-]*gpu/, explain: gpuMissing },
  { matches: /Insufficient (cpu|memory|ephemeral-storage)/, explain: tooLarge },
  { matches: /untolerated taint|taints that the pod didn't tolerate/, explain: tainted },
  {
    matches: /were unschedulable/,
    explain: () => ({
      id: "node-cordoned",
      cause: "The GPU nodes are cordoned: somebody is maintaining them.",
      remedy: "Wait for the maintenance to end, or uncordon a node.",
    }),
  },
  {
    matches: /Too many pods/,
    explain: () => ({ id: "node-full", cause: "The node runs as many pods as it may.", remedy: "Add a node, or move other pods away." }),
  },
  { matches: /didn't match Pod's node affinity\/selector/, explain: noSuchNode },
  {
    matches: /available persistent volumes to bind|enough free storage|available volume zone|max volume count/,
    explain: () => ({
      id: "volume-unavailable",
      cause: "No volume can be made where the GPU is.",
      remedy: "Check the storage class, its zones and the disk quota.",
    }),
  },
];

/** Why a pod is Pending, or undefined when it has a node, when a node is on its way, or when the scheduler has not judged it yet. */
export function schedulingFinding(pod: LivePod, input: FindingInput): Finding | undefined {
  const scheduled = condition(pod.status?.conditions, "PodScheduled");
  if (scheduled?.status !== "False" || hasScaleUp(pod, input)) return undefined;
  const raw = scheduled.message ?? scheduled.reason ?? "Unschedulable";
  const text = raw.split(/\s*(?:no new claims to deallocate, )?preemption:/)[0] ?? raw;
  if (holdsOldGpu(pod, input) && /Insufficient [\w.-]+\/[\w.-]*gpu/.test(text)) return deadlock(raw);
  const refusal = { text, raw, pod, input };
  const known = explainRefusal(refusal);
  if (!known)
    return {
      id: "unschedulable",
      cause: "The scheduler found no node for the pod.",
      evidence: [raw],
      remedy: "Read the scheduler's text below.",
      severity: "blocker",
    };
  const { facts = [], ...finding } = known;
  return {
    ...finding,
    evidence: [
      ...facts,
      ...(input.nodes === null ? ["Lectern may not list nodes here, so this comes from the scheduler's text alone."] : []),
      raw,
    ],
    severity: "blocker",
  };
}

function explainRefusal(refusal: Refusal): Explanation | undefined {
  // A selector that no node matches is the cause, whatever else the text counts.
  if (hasNoMatchingNode(refusal.pod, refusal.input)) return noSuchNode(refusal);
  for (const rule of rules) {
    const explanation = rule.matches.test(refusal.text) ? rule.explain(refusal) : undefined;
    if (explanation) return explanation;
  }
  return undefined;
}

/** An autoscaler has promised a node and not taken the promise back. */
function hasScaleUp(pod: LivePod, { events }: FindingInput): boolean {
  const own = events.filter((event) => event.involvedObject.name === pod.metadata.name);
  const isPromised = own.some((event) => event.reason === "TriggeredScaleUp" || event.reason === "Nominated");
  return isPromised && !own.some((event) => event.reason === "NotTriggerScaleUp" || event.reason === "FailedScaleUp");
}

function hasNoMatchingNode(pod: LivePod, { nodes }: FindingInput): boolean {
  return nodes !== null && !nodes.some((node) => matchesSelector(node, pod));
}

/** A rolling update that waits for the GPU which the old pod of the same deployment still holds. */
function holdsOldGpu(pod: LivePod, { deployment, pods }: FindingInput): boolean {
  if (deployment?.spec?.strategy?.type === "Recreate") return false;
  const owner = pod.metadata.ownerReferences?.[0]?.name;
  const prefix = `${deployment?.metadata.name ?? ""}-`;
  return pods.some((other) => {
    const otherOwner = other.metadata.ownerReferences?.[0]?.name;
    return otherOwner !== undefined && otherOwner !== owner && otherOwner.startsWith(prefix) && other.spec?.nodeName !== undefined;
  });
}

function deadlock(raw: string): Finding {
  const cause =
    "The new pod waits for the GPU that the old pod holds, and the old pod waits for the new one: a rolling update on one GPU never ends.";
  return {
    id: "rolling-deadlock",
    cause,
    evidence: [raw],
    remedy: "Use the strategy Recreate: the old pod ends first.",
    severity: "blocker",
  };
}
