import { gpuMemoryMib, type Gpu } from "./catalog-gpu";

export type Cloud = "aws" | "gcp" | "azure" | "scaleway" | "own";

/** What the scheduler can give to pods on one node, and how sure that is. */
export type Allocatable = { cpuMillis: number; memoryMib: number; basis: "documented" | "estimate"; source: string };

export type Toleration = { key: string; operator: "Exists" | "Equal"; value?: string; effect: "NoSchedule" };
export type NodeRequirement = { key: string; operator: "In" | "Gt"; values: string[] };
/** How a pod finds the nodes of a SKU. */
export type Placement = {
  nodeSelector: Record<string, string>;
  requirements: NodeRequirement[];
  tolerations: Toleration[];
  spotTolerations: Toleration[];
  spotSelector: Record<string, string>;
};

type Size = { vcpu: number; ramGib: number };

/**
 * CPU and memory left for pods on a node, from what each provider documents that it reserves; null where only the live node knows.
 * Sources: GKE plan-node-sizes, AKS node-resource-reservations (1.29 and later, 110 pods), Karpenter's instance table for EKS (58 pods).
 */
export function allocatable(cloud: Cloud, size: Size): Allocatable | null {
  if (cloud === "aws") return aws(size);
  if (cloud === "gcp") return gcp(size);
  if (cloud === "azure") return azure(size);
  if (cloud === "scaleway") return scaleway(size);
  return null;
}

function reservedCpuMillis(vcpu: number): number {
  return 60 + (vcpu > 1 ? 10 : 0) + Math.max(0, Math.min(vcpu, 4) - 2) * 5 + Math.max(0, vcpu - 4) * 2.5;
}

function aws({ vcpu, ramGib }: Size): Allocatable {
  // 7.5 % of the advertised RAM never reaches the guest; then 11 MiB per pod, 255 MiB for the system, 100 MiB eviction threshold.
  const memoryMib = Math.floor(ramGib * 1024 * 0.925 - 11 * 58 - 255 - 100);
  return {
    cpuMillis: Math.floor(vcpu * 1000 - reservedCpuMillis(vcpu)),
    memoryMib,
    basis: "documented",
    source: "https://karpenter.sh/preview/reference/instance-types/",
  };
}

function gcp({ vcpu, ramGib }: Size): Allocatable {
  const source = "https://docs.cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes";
  const cpuMillis = Math.floor(vcpu * 1000 - reservedCpuMillis(vcpu));
  if (vcpu === 4 && ramGib === 16) return { cpuMillis, memoryMib: 13182, basis: "documented", source };
  const tiers = [
    [4, 0.25],
    [4, 0.2],
    [8, 0.1],
    [112, 0.06],
    [Infinity, 0.02],
  ] as const;
  // The kernel keeps about 2.5 % before the kubelet counts: fitted to the documented sample above.
  const capacityGib = ramGib * 0.975;
  let left = capacityGib;
  let reservedGib = 0;
  for (const [width, share] of tiers) {
    const part = Math.min(left, width);
    reservedGib += part * share;
    left -= part;
  }
  return { cpuMillis, memoryMib: Math.floor((capacityGib - reservedGib) * 1024 - 100), basis: "estimate", source };
}

function azure({ vcpu, ramGib }: Size): Allocatable {
  const steps = [
    [4, 140],
    [8, 180],
    [16, 260],
    [32, 420],
    [64, 740],
  ] as const;
  const reserved = steps.find(([cores]) => vcpu <= cores)?.[1] ?? 740 + (vcpu - 64) * 10;
  const reservedMib = Math.min(((20 * 110 + 50) * 1e6) / 2 ** 20, ramGib * 1024 * 0.25) + 100;
  const source = "https://learn.microsoft.com/azure/aks/node-resource-reservations";
  return { cpuMillis: vcpu * 1000 - reserved, memoryMib: Math.floor(ramGib * 1024 * 0.98 - reservedMib), basis: "estimate", source };
}

function scaleway({ vcpu, ramGib }: Size): Allocatable {
  return {
    cpuMillis: vcpu * 1000 - 500,
    memoryMib: Math.floor(ramGib * 1024 * 0.85),
    basis: "estimate",
    source: "no published reservation: read status.allocatable of a node",
  };
}

const gpuToleration: Toleration = { key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" };

/** Labels and taints by which each cloud marks its GPU nodes. Sources: Karpenter, GKE, AKS and GPU-feature-discovery documentation. */
export function placement(cloud: Cloud, instanceType: string | null, gpu: Gpu): Placement {
  const none: Placement = { nodeSelector: {}, requirements: [], tolerations: [gpuToleration], spotSelector: {}, spotTolerations: [] };
  const type: Record<string, string> = instanceType === null ? {} : { "node.kubernetes.io/instance-type": instanceType };
  if (cloud === "aws") return { ...none, nodeSelector: type };
  if (cloud === "gcp") return { ...none, ...gkePlacement(gpu) };
  if (cloud === "azure") return { ...none, ...aksPlacement(type) };
  if (cloud === "scaleway") return { ...none, requirements: [{ key: "nvidia.com/gpu.product", operator: "In", values: gpu.products }] };
  // Equality on memory would fail: the same card reports other values by driver and sharing.
  const atLeast = String(Math.floor(gpuMemoryMib(gpu) * 0.95));
  return {
    ...none,
    requirements: [
      { key: "nvidia.com/gpu.product", operator: "In", values: gpu.products },
      { key: "nvidia.com/gpu.memory", operator: "Gt", values: [atLeast] },
    ],
  };
}

function gkePlacement(gpu: Gpu): Partial<Placement> {
  const spot = "cloud.google.com/gke-spot";
  return {
    nodeSelector: gpu.gkeAccelerator === null ? {} : { "cloud.google.com/gke-accelerator": gpu.gkeAccelerator },
    spotSelector: { [spot]: "true" },
    spotTolerations: [{ key: spot, operator: "Equal", value: "true", effect: "NoSchedule" }],
  };
}

function aksPlacement(type: Record<string, string>): Partial<Placement> {
  const spot = "kubernetes.azure.com/scalesetpriority";
  return {
    nodeSelector: { ...type, "kubernetes.azure.com/accelerator": "nvidia" },
    tolerations: [gpuToleration, { key: "sku", operator: "Equal", value: "gpu", effect: "NoSchedule" }],
    spotSelector: { [spot]: "spot" },
    spotTolerations: [{ key: spot, operator: "Equal", value: "spot", effect: "NoSchedule" }],
  };
}
