import { isTolerated } from "./finding-node";
import { fine, GPU, nodeLabel, unread, warning, blocker, type PreflightFacts, type PreflightLine, type PreflightNode } from "./preflight-facts";
import { parseQuantity } from "./quantity";
import { condition, type LivePod } from "./rollout-objects";

/** GPUs of one kind of node: counts are GPUs as the scheduler counts them, memory is MiB of one. */
export type GpuPool = { product: string; memoryMib: number | null; instanceType: string; nodes: number; total: number; free: number | null; isShared: boolean; taints: string[] };

const number = (text: string | undefined): number => (text === undefined ? 0 : parseQuantity(text));
export const gpusOf = (node: PreflightNode): number => number(node.status?.allocatable?.[GPU]);

const isOver = (pod: LivePod): boolean => pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";

/** How much of a resource the pods on the node have asked for. */
export function askedOn(node: PreflightNode, pods: readonly LivePod[], resource: string): number {
  const here = pods.filter((pod) => pod.spec?.nodeName === node.metadata.name && !isOver(pod));
  return here.reduce((sum, pod) => sum + askedBy(pod, resource), 0);
}

export function askedBy(pod: LivePod, resource: string): number {
  return (pod.spec?.containers ?? []).reduce((sum, { resources }) => sum + number(resources?.requests?.[resource] ?? resources?.limits?.[resource]), 0);
}

/** Ready, not cordoned. */
export function isUsable(node: PreflightNode): boolean {
  return !node.spec?.unschedulable && condition(node.status?.conditions, "Ready")?.status !== "False";
}

/** Time-slicing and MPS sell one card several times, without keeping its memory apart. */
export function isShared(node: PreflightNode): boolean {
  const [replicas, strategy] = [Number(nodeLabel(node, "nvidia.com/gpu.replicas") ?? 1), nodeLabel(node, "nvidia.com/gpu.sharing-strategy") ?? "none"];
  return replicas > 1 || strategy !== "none" || (nodeLabel(node, "nvidia.com/gpu.product") ?? "").endsWith("-SHARED");
}

export function freeGpus(node: PreflightNode, pods: readonly LivePod[] | null): number | null {
  return pods === null ? null : Math.max(0, gpusOf(node) - askedOn(node, pods, GPU));
}

/** The GPUs of the cluster by product and kind of node, for the cluster's page. */
export function gpuPools({ nodes, pods }: Pick<PreflightFacts, "nodes" | "pods">): GpuPool[] {
  const pools = new Map<string, GpuPool>();
  for (const node of (nodes ?? []).filter((one) => isUsable(one) && gpusOf(one) > 0)) {
    const product = nodeLabel(node, "nvidia.com/gpu.product") ?? nodeLabel(node, "cloud.google.com/gke-accelerator") ?? nodeLabel(node, "karpenter.k8s.aws/instance-gpu-name") ?? "unnamed GPU";
    const instanceType = nodeLabel(node, "node.kubernetes.io/instance-type") ?? "";
    const memory = nodeLabel(node, "nvidia.com/gpu.memory");
    const key = [product, instanceType, memory, isShared(node)].join(" ");
    const pool = pools.get(key) ?? { product, memoryMib: memory ? Number(memory) : null, instanceType, nodes: 0, total: 0, free: pods === null ? null : 0, isShared: isShared(node), taints: [] };
    const free = freeGpus(node, pods);
    const taints = (node.spec?.taints ?? []).map((taint) => `${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}`);
    pools.set(key, { ...pool, nodes: pool.nodes + 1, total: pool.total + gpusOf(node), free: pool.free === null || free === null ? null : pool.free + free, taints: [...new Set([...pool.taints, ...taints])] });
  }
  return [...pools.values()];
}

const words = (pool: GpuPool): string =>
  `${pool.product}${pool.instanceType ? ` (${pool.instanceType})` : ""}: ${pool.nodes} ${pool.nodes === 1 ? "node" : "nodes"}, ${pool.free === null ? `${pool.total} GPUs` : `${pool.free} of ${pool.total} GPUs free`}${pool.memoryMib ? `, ${pool.memoryMib} MiB each` : ""}`;

/** A node that ought to have a GPU by its labels. A label is no proof: only allocatable is. */
function looksLikeGpu(node: PreflightNode): boolean {
  const labels = node.metadata.labels ?? {};
  return ["nvidia.com/gpu.present", "cloud.google.com/gke-accelerator", "karpenter.k8s.aws/instance-gpu-name", "eks.amazonaws.com/instance-gpu-name", "feature.node.kubernetes.io/pci-10de.present"].some((key) => labels[key] !== undefined && labels[key] !== "false") || labels["kubernetes.azure.com/accelerator"] === "nvidia";
}

function plugins({ daemons, groups }: PreflightFacts): string[] {
  const found = (daemons ?? []).filter((daemon) => /nvidia.*device-plugin|device-plugin.*nvidia|nvidia-gpu-device-plugin/.test(daemon.metadata.name)).map((daemon) => `DaemonSet ${daemon.metadata.namespace ?? ""}/${daemon.metadata.name}`);
  return groups.includes("nvidia.com") ? [...found, "GPU Operator (API group nvidia.com)"] : found;
}

/** GPU nodes, the device plugin, sharing and MIG. `canGrow`: an autoscaler may make a node. */
export function gpuLines(facts: PreflightFacts, canGrow: boolean): PreflightLine[] {
  if (facts.nodes === null) return [unread("gpu-nodes", "nodes")];
  const pools = gpuPools(facts);
  const bare = facts.nodes.filter((node) => looksLikeGpu(node) && gpusOf(node) === 0);
  return [nodesLine(pools, canGrow && bare.length === 0), pluginLine(facts, bare), ...sharingLines(facts.nodes)];
}

function nodesLine(pools: GpuPool[], canGrow: boolean): PreflightLine {
  const total = pools.reduce((sum, pool) => sum + pool.total, 0);
  const free = pools.reduce<number | null>((sum, pool) => (sum === null || pool.free === null ? null : sum + pool.free), 0);
  if (total === 0 && canGrow) return warning("gpu-nodes", "No node has a GPU now; the autoscaler must make one.", { remedy: "Expect some minutes until the node is there, and look that its pool may grow from zero." });
  if (total === 0) return blocker("gpu-nodes", "No node can give a GPU.", { remedy: "Add a pool of GPU nodes, or install the device plugin on the nodes that have GPUs." });
  if (free === 0) return warning("gpu-nodes", `All ${total} GPUs are taken.`, { evidence: pools.map(words), remedy: "Stop another deployment, or let the pool grow." });
  return fine("gpu-nodes", free === null ? `${total} GPUs; how many are free is not known, as Lectern may not list pods here.` : `${free} of ${total} GPUs are free.`, pools.map(words));
}

function pluginLine(facts: PreflightFacts, bare: PreflightNode[]): PreflightLine {
  const found = plugins(facts);
  if (bare.length > 0) {
    const evidence = [...bare.slice(0, 5).map((node) => `Node ${node.metadata.name} is labelled as a GPU node and can give ${GPU} 0.`), ...(facts.daemons === null ? [] : [found.length > 0 ? found.join(", ") : "No device plugin is among the cluster's DaemonSets."])];
    const remedy = "Install NVIDIA's device plugin or GPU Operator; on a fresh node wait for its driver. A plugin that is there may not tolerate the pool's taint.";
    const isAll = facts.nodes !== null && facts.nodes.every((node) => gpusOf(node) === 0);
    const text = `${bare.length} ${bare.length === 1 ? "node has" : "nodes have"} a GPU that the cluster cannot give away: the device plugin is missing there.`;
    return isAll ? blocker("device-plugin", text, { evidence, remedy }) : warning("device-plugin", text, { evidence, remedy });
  }
  const isProven = facts.nodes?.some((node) => gpusOf(node) > 0);
  if (isProven) return fine("device-plugin", "The device plugin works: nodes offer their GPUs.", found);
  return warning("device-plugin", "No node offers a GPU yet, so the device plugin is not proven.", { evidence: found, remedy: "On EKS with AL2023, on AKS and on own clusters it must be installed; GKE and Kapsule bring it." });
}

function sharingLines(nodes: PreflightNode[]): PreflightLine[] {
  const shared = nodes.filter(isShared);
  const mig = nodes.filter((node) => Object.keys(node.status?.allocatable ?? {}).some((key) => key.startsWith("nvidia.com/mig-")) || /-MIG-/.test(nodeLabel(node, "nvidia.com/gpu.product") ?? ""));
  const names = (some: PreflightNode[]) => some.slice(0, 5).map((node) => `Node ${node.metadata.name}: ${nodeLabel(node, "nvidia.com/gpu.product") ?? "GPU"}, gpu.replicas ${nodeLabel(node, "nvidia.com/gpu.replicas") ?? "1"}`);
  if (shared.length === 0 && mig.length === 0) return [fine("gpu-sharing", "Every GPU is a whole card: neither shared nor sliced.")];
  return [
    ...(shared.length > 0 ? [warning("gpu-sharing", "Some GPUs are shared: one “GPU” is a share whose memory others use too.", { evidence: names(shared), remedy: "vLLM reserves nearly the whole card. Choose whole cards, or switch sharing off in that pool." })] : []),
    ...(mig.length > 0 ? [warning("gpu-mig", "Some GPUs are sliced (MIG): a slice has a part of the card's memory and may have another resource name.", { evidence: names(mig), remedy: "Choose whole cards; Lectern's sizes mean whole cards." })] : []),
  ];
}

/** Taints of GPU nodes against what Lectern's manifests tolerate by themselves. */
export function taintLine({ nodes }: PreflightFacts, defaults: LivePod): PreflightLine {
  const gpuNodes = (nodes ?? []).filter((node) => gpusOf(node) > 0);
  const foreign = gpuNodes.flatMap((node) => (node.spec?.taints ?? []).filter((taint) => !isTolerated(taint, defaults) && !taint.key.startsWith("node.kubernetes.io/")).map((taint) => `Node ${node.metadata.name}: ${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}`));
  if (foreign.length === 0) return fine("taints", "Lectern's manifests tolerate the taints of all GPU nodes.");
  return warning("taints", "Some GPU nodes have a taint that Lectern's manifests do not tolerate by themselves.", { evidence: foreign.slice(0, 8), remedy: "Add the toleration to the deployment, or take another pool." });
}
