import type { Finding, FindingInput } from "./finding";
import { isTolerated, matchesSelector, nodeFacts } from "./finding-node";
import { condition, type LivePod } from "./rollout-objects";

type Rule = {
  matches: RegExp;
  explain: (text: string, pod: LivePod, input: FindingInput) => Omit<Finding, "severity" | "evidence"> & { facts?: string[] };
};

/**
 * Texts of the scheduler (several versions) in the order in which they matter. Counts per reason tell only the first filter that a node
 * failed, so a reason which every GPU node can cause comes before one that other nodes cause by the way.
 */
const rules: readonly Rule[] = [
  { matches: /persistentvolumeclaim "[^"]*" not found/, explain: (text) => claimMissing(text) },
  { matches: /unbound immediate PersistentVolumeClaims/, explain: (_, pod, input) => claimUnbound(pod, input) },
  {
    matches: /volume node affinity|PersistentVolume's node affinity/,
    explain: () => ({
      id: "volume-zone",
      cause: "The volume is in another zone or on another node than the free GPU.",
      remedy: "Use nodes in the volume's zone, or a new volume: the weights are only a cache.",
    }),
  },
  { matches: /Insufficient [\w.-]+\/[\w.-]*gpu/, explain: (text, pod, input) => gpuMissing(text, pod, input) },
  { matches: /Insufficient (cpu|memory|ephemeral-storage)/, explain: (text, pod, input) => tooLarge(text, pod, input) },
  { matches: /untolerated taint|taints that the pod didn't tolerate/, explain: (text, pod, input) => tainted(text, pod, input) },
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
  { matches: /didn't match Pod's node affinity\/selector/, explain: (_, pod, input) => noSuchNode(pod, input) },
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
  // A selector that no node matches is the cause, whatever else the text counts.
  const rule = hasNoMatchingNode(pod, input) ? undefined : rules.find((each) => each.matches.test(text));
  const known = hasNoMatchingNode(pod, input) ? noSuchNode(pod, input) : rule?.explain(text, pod, input);
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

function claimMissing(text: string) {
  const name = /persistentvolumeclaim "([^"]*)"/.exec(text)?.[1] ?? "";
  return {
    id: "claim-missing",
    cause: `The volume claim "${name}" does not exist.`,
    remedy: "Apply the deployment again: Lectern creates the claim before the pod.",
  };
}

function claimUnbound(pod: LivePod, { claims, events }: FindingInput) {
  const names = (pod.spec?.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
  const claim = claims.find((each) => each.status?.phase !== "Bound" && (names.length === 0 || names.includes(each.metadata.name)));
  const failures = events.filter((event) => event.involvedObject.kind === "PersistentVolumeClaim" && event.type === "Warning");
  const facts = failures.map((event) => event.message ?? event.reason ?? "");
  const storageClass = claim?.spec?.storageClassName;
  if (facts.some((fact) => /storageclass.*not found/.test(fact))) {
    return {
      id: "storage-class-missing",
      cause: `The storage class "${storageClass ?? ""}" does not exist in this cluster.`,
      remedy: "Choose a storage class of the cluster; a claim's class cannot be changed, so a new claim is made.",
      facts,
    };
  }
  const cause =
    storageClass === undefined
      ? "The volume claim names no storage class, and the cluster has no default one."
      : "The volume claim is not bound: its storage class makes no volume.";
  return { id: "claim-unbound", cause, remedy: "Choose a storage class that works in this cluster.", facts };
}

function gpuMissing(text: string, pod: LivePod, { nodes }: FindingInput) {
  const resource = /Insufficient ([\w.-]+\/[\w.-]*gpu)/.exec(text)?.[1] ?? "nvidia.com/gpu";
  const matching = nodes?.filter((node) => matchesSelector(node, pod)) ?? [];
  const offered = matching.map((node) => Number(node.status?.allocatable?.[resource] ?? 0)).reduce((sum, count) => sum + count, 0);
  if (nodes !== null && offered === 0) {
    return {
      id: "no-device-plugin",
      cause: `No node offers ${resource}: the device plugin is missing or not ready.`,
      remedy: "Install the NVIDIA device plugin or GPU Operator on the GPU nodes, or wait until it is ready.",
      facts: nodeFacts(matching, resource),
    };
  }
  const everyNode = /^0\/(\d+) nodes/.exec(text)?.[1];
  const lacking = new RegExp(`(\\d+) Insufficient ${resource.replaceAll(".", "\\.")}`).exec(text)?.[1];
  if (nodes === null && everyNode !== undefined && everyNode === lacking) {
    return {
      id: "no-device-plugin",
      cause: `No node has a free ${resource}, not even one that it is not taken on: most likely no device plugin runs.`,
      remedy: "Check that the NVIDIA device plugin or GPU Operator runs on the GPU nodes.",
    };
  }
  return {
    id: "gpus-taken",
    cause: "Every GPU of this kind is taken.",
    remedy: "Stop another deployment, add a GPU node, or ask for fewer replicas.",
    facts: nodeFacts(matching, resource),
  };
}

function tooLarge(text: string, pod: LivePod, { nodes }: FindingInput) {
  const lacking = [...text.matchAll(/Insufficient (cpu|memory|ephemeral-storage)/g)].map((match) => match[1]);
  const requests = pod.spec?.containers?.[0]?.resources?.requests ?? {};
  const asked = Object.entries(requests)
    .map(([key, value]) => `${key} ${value}`)
    .join(", ");
  const facts = [
    ...(asked === "" ? [] : [`The pod asks for ${asked}.`]),
    ...nodeFacts(nodes?.filter((node) => matchesSelector(node, pod)) ?? [], "cpu", "memory"),
  ];
  return {
    id: "request-too-large",
    cause: `The pod asks for more ${lacking.join(" and ")} than a GPU node has left.`,
    remedy: "Ask for less: on a node with 4 CPU and 16 GiB, at most 3 CPU and 10 GiB.",
    facts,
  };
}

function tainted(text: string, pod: LivePod, { nodes }: FindingInput) {
  const named = /untolerated taint \{([^}]*)\}/.exec(text)?.[1];
  const taints = (nodes ?? [])
    .filter((node) => matchesSelector(node, pod))
    .flatMap((node) =>
      (node.spec?.taints ?? []).filter((taint) => !isTolerated(taint, pod)).map((taint) => ({ node: node.metadata.name, ...taint })),
    );
  const illness = taints.find((taint) => taint.key.startsWith("node.kubernetes.io/"));
  const facts = taints.map(
    (taint) => `Node ${taint.node} has the taint ${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}.`,
  );
  if (illness)
    return {
      id: "node-ill",
      cause: `The GPU node is not healthy: ${illness.key}.`,
      remedy: "Repair or replace the node: a toleration would not help.",
      facts,
    };
  const key = taints[0]?.key ?? named;
  return {
    id: "missing-toleration",
    cause:
      key === undefined
        ? "The GPU node has a taint that the pod does not tolerate."
        : `The GPU node has the taint ${key}, which the pod does not tolerate.`,
    remedy: "Add the toleration for that taint, or remove the taint from the pool.",
    facts,
  };
}

function noSuchNode(pod: LivePod, { nodes }: FindingInput) {
  const selector = Object.entries(pod.spec?.nodeSelector ?? {});
  const wanted = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const expressions = wanted
    .flatMap((term) => term.matchExpressions ?? [])
    .map((each) => `The pod wants ${each.key} ${each.operator} ${each.values?.join(", ") ?? ""}.`);
  const labelFacts = selector.flatMap(([key, value]) => {
    const values = [...new Set((nodes ?? []).flatMap((node) => node.metadata.labels?.[key] ?? []))];
    if (nodes === null) return [`The pod wants ${key}=${value}.`];
    return [
      `The pod wants ${key}=${value}; ${values.length === 0 ? "no node has that label" : `the nodes have ${values.sort().join(", ")}`}.`,
    ];
  });
  return {
    id: "no-such-node",
    cause: "No node of the cluster carries the labels of the chosen GPU size.",
    remedy: "Choose a size that the cluster has, or add a node pool of this one; a pool at zero shows no labels until it grows.",
    facts: [...labelFacts, ...expressions],
  };
}
