import "server-only";
import { z } from "zod";
import table from "./node-pools.json";

/**
 * GPU node pools, one for each GPU size of the price book (node-pools.json). vCPU, RAM and GPU memory are the vendors' figures,
 * GPU memory in MiB as GPU-feature-discovery reports it. The allocatable amounts of the 4 / 16 sizes are measured ones; the others
 * follow the provider's reservation rule and are estimates.
 */
export type NodePool = {
  provider: z.infer<typeof providerSchema>;
  size: string;
  product: string;
  family: string;
  computeCapability: [number, number];
  gpus: number;
  gpuMemoryMib: number;
  cpu: number;
  memoryGib: number;
  allocatableMilliCpu: number;
  allocatableMemoryMib: number;
  region: string;
  zone: string;
  labels: Record<string, string>;
  taints: { key: string; value: string; effect: string }[];
};

type Row = Omit<NodePool, "labels" | "taints" | "computeCapability" | "family">;

const providerSchema = z.enum(["aws", "gcp", "azure", "scaleway"]);

const generations: Record<string, [string, [number, number]]> = {
  L4: ["ada-lovelace", [8, 9]],
  L40S: ["ada-lovelace", [8, 9]],
  A10: ["ampere", [8, 6]],
  A10G: ["ampere", [8, 6]],
  A100: ["ampere", [8, 0]],
  H100: ["hopper", [9, 0]],
};

const rows: Row[] = table.map((row) => ({ ...row, provider: providerSchema.parse(row.provider) }));

const gkeAccelerators: Record<string, string> = {
  "g2-standard-4": "nvidia-l4",
  "a2-highgpu-1g": "nvidia-tesla-a100",
  "a3-highgpu-1g": "nvidia-h100-80gb",
};

function gpuName(product: string): string {
  return product.split("-")[1] ?? "";
}

function providerLabels(row: Row): Record<string, string> {
  const count = String(row.gpus);
  switch (row.provider) {
    case "aws":
      return {
        "karpenter.k8s.aws/instance-gpu-name": gpuName(row.product).toLowerCase(),
        "karpenter.k8s.aws/instance-gpu-count": count,
        "karpenter.k8s.aws/instance-gpu-manufacturer": "nvidia",
        "karpenter.k8s.aws/instance-gpu-memory": String(row.gpuMemoryMib),
        "karpenter.sh/capacity-type": "on-demand",
      };
    case "gcp":
      return {
        "cloud.google.com/gke-accelerator": gkeAccelerators[row.size] ?? "",
        "cloud.google.com/gke-accelerator-count": count,
        "cloud.google.com/gke-nodepool": `gpu-${row.size}`,
      };
    case "azure":
      return {
        "kubernetes.azure.com/accelerator": "nvidia",
        "kubernetes.azure.com/agentpool": row.size.replace("Standard_", "").replaceAll("_", "").toLowerCase().slice(0, 12),
      };
    case "scaleway":
      return { "k8s.scaleway.com/pool-name": `pool-${row.size.toLowerCase()}` };
  }
}

/** GKE taints GPU pools itself; the taint on AKS is the one that its documentation uses. */
function taintsOf({ provider }: Row): NodePool["taints"] {
  if (provider === "gcp") return [{ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" }];
  return provider === "azure" ? [{ key: "sku", value: "gpu", effect: "NoSchedule" }] : [];
}

export const nodePools: NodePool[] = rows.map((row) => {
  const [family, computeCapability] = generations[gpuName(row.product)] ?? ["", [8, 0]];
  return { ...row, family, computeCapability, labels: providerLabels(row), taints: taintsOf(row) };
});

/** Nodes made of each pool: two, so that a second replica or a rolling update has a place. */
export const NODES_PER_POOL = 2;
