import { allSkus } from "./catalog";
import type { FindingAbout, FindingInput } from "./finding";
import { isTolerated, matchesSelector, nodeFacts } from "./finding-node";
import type { LiveNode, LivePod } from "./rollout-objects";

/** What the scheduler said of a pod: `raw` in full, `text` without the repetition about preemption. */
export type Refusal = { text: string; raw: string; pod: LivePod; input: FindingInput };

/** A cause with what was read from nodes and events to back it. */
export type Explanation = { id: string; cause: string; remedy: string; facts?: string[]; about?: FindingAbout };

/**
 * No free GPU: either none exists for the scheduler, or all are taken. Where node objects do not tell, the tail of the text does: it names
 * preemption victims only where pods hold what is missing.
 */
export function gpuMissing({ text, raw, pod, input: { nodes } }: Refusal): Explanation {
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
  const isHopeless = /Preemption is not helpful/.test(raw) && !/No preemption victims/.test(raw);
  if (isHopeless || (nodes === null && everyNode !== undefined && everyNode === lacking)) {
    return {
      id: "no-device-plugin",
      cause: `No node has a ${resource} to give, and none is taken either: most likely no device plugin runs.`,
      remedy: "Check that the NVIDIA device plugin or GPU Operator runs on the GPU nodes.",
      facts: nodeFacts(matching, resource),
    };
  }
  return {
    id: "gpus-taken",
    cause: "Every GPU of this kind is taken.",
    remedy: "Stop another deployment, add a GPU node, or ask for fewer replicas.",
    facts: nodeFacts(matching, resource),
  };
}

/** CPU, memory or disk of the request is over what a node has left. */
export function tooLarge({ text, pod, input: { nodes } }: Refusal): Explanation {
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

/** A taint keeps the pod away; undefined when only nodes that the pod does not want anyway are tainted. */
export function tainted({ text, pod, input: { nodes } }: Refusal): Explanation | undefined {
  const counted = [...text.matchAll(/(\d+) node\(s\) had (?:untolerated taint|taints)/g)].reduce((sum, match) => sum + Number(match[1]), 0);
  const elsewhere = (nodes ?? []).filter(
    (node) => !matchesSelector(node, pod) && (node.spec?.taints ?? []).some((taint) => !isTolerated(taint, pod)),
  );
  if (nodes !== null && counted <= elsewhere.length) return undefined;
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
    about: { taints: distinct(taints.map(({ node: _, ...taint }) => taint)) },
  };
}

/** No node carries the labels that the pod asks for. */
export function noSuchNode({ pod, input: { nodes } }: Refusal): Explanation {
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
    about: { skuIds: skusOn(nodes ?? []) },
  };
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/** The catalogue's sizes that the nodes say to be. */
function skusOn(nodes: readonly LiveNode[]): string[] {
  const types = new Set(nodes.flatMap((node) => node.metadata.labels?.["node.kubernetes.io/instance-type"] ?? []));
  return allSkus().filter((sku) => types.has(sku.name)).map((sku) => sku.id);
}
