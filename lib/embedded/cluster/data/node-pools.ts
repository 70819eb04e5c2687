import "server-only";

/**
 * GPU node pools: one for each GPU size of the price book. Sizes, GPU memory (MiB as GPU-feature-discovery reports it) and allocatable
 * amounts: cloud documentation and Karpenter's instance data, as collected in 2026; where no source gives the allocatable amount it
 * follows the provider's reservation rule. vCPU and RAM of the eight-GPU sizes and GPU memory marked `~` below are from vendor pages.
 */
export type NodePool = {
  provider: "aws" | "gcp" | "azure" | "scaleway";
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

const generations: Record<string, [string, [number, number]]> = {
  L4: ["ada-lovelace", [8, 9]],
  L40S: ["ada-lovelace", [8, 9]],
  A10: ["ampere", [8, 6]],
  A10G: ["ampere", [8, 6]],
  A100: ["ampere", [8, 0]],
  H100: ["hopper", [9, 0]],
};

const aws = { provider: "aws", region: "us-east-1", zone: "us-east-1a" } as const;
const gcp = { provider: "gcp", region: "us-central1", zone: "us-central1-a" } as const;
const azure = { provider: "azure", region: "eastus", zone: "eastus-1" } as const;
const scaleway = { provider: "scaleway", region: "fr-par", zone: "fr-par-2" } as const;

const rows: Row[] = [
  { ...aws, size: "g6.xlarge", product: "NVIDIA-L4", gpus: 1, gpuMemoryMib: 23034, cpu: 4, memoryGib: 16, allocatableMilliCpu: 3920, allocatableMemoryMib: 14162 },
  { ...aws, size: "g5.xlarge", product: "NVIDIA-A10G", gpus: 1, gpuMemoryMib: 23028, cpu: 4, memoryGib: 16, allocatableMilliCpu: 3920, allocatableMemoryMib: 14162 },
  { ...aws, size: "g6e.xlarge", product: "NVIDIA-L40S", gpus: 1, gpuMemoryMib: 46068, cpu: 4, memoryGib: 32, allocatableMilliCpu: 3920, allocatableMemoryMib: 29317 },
  { ...aws, size: "p4d.24xlarge", product: "NVIDIA-A100-SXM4-40GB", gpus: 8, gpuMemoryMib: 40960, cpu: 96, memoryGib: 1152, allocatableMilliCpu: 95690, allocatableMemoryMib: 1082000 },
  { ...aws, size: "p4de.24xlarge", product: "NVIDIA-A100-SXM4-80GB", gpus: 8, gpuMemoryMib: 81920, cpu: 96, memoryGib: 1152, allocatableMilliCpu: 95690, allocatableMemoryMib: 1082000 },
  { ...aws, size: "p5.4xlarge", product: "NVIDIA-H100-80GB-HBM3", gpus: 1, gpuMemoryMib: 81559, cpu: 16, memoryGib: 256, allocatableMilliCpu: 15890, allocatableMemoryMib: 239000 },
  { ...aws, size: "p5.48xlarge", product: "NVIDIA-H100-80GB-HBM3", gpus: 8, gpuMemoryMib: 81559, cpu: 192, memoryGib: 2048, allocatableMilliCpu: 191450, allocatableMemoryMib: 1936000 },
  { ...gcp, size: "g2-standard-4", product: "NVIDIA-L4", gpus: 1, gpuMemoryMib: 23034, cpu: 4, memoryGib: 16, allocatableMilliCpu: 3920, allocatableMemoryMib: 13182 },
  { ...gcp, size: "a2-highgpu-1g", product: "NVIDIA-A100-SXM4-40GB", gpus: 1, gpuMemoryMib: 40960, cpu: 12, memoryGib: 85, allocatableMilliCpu: 11900, allocatableMemoryMib: 80021 },
  { ...gcp, size: "a3-highgpu-1g", product: "NVIDIA-H100-80GB-HBM3", gpus: 1, gpuMemoryMib: 81559, cpu: 26, memoryGib: 234, allocatableMilliCpu: 25865, allocatableMemoryMib: 226868 },
  { ...azure, size: "Standard_NV36ads_A10_v5", product: "NVIDIA-A10", gpus: 1, gpuMemoryMib: 24512, cpu: 36, memoryGib: 440, allocatableMilliCpu: 35560, allocatableMemoryMib: 448110 },
  { ...azure, size: "Standard_NC24ads_A100_v4", product: "NVIDIA-A100-80GB-PCIe", gpus: 1, gpuMemoryMib: 81920, cpu: 24, memoryGib: 220, allocatableMilliCpu: 23660, allocatableMemoryMib: 222830 },
  { ...azure, size: "Standard_NC40ads_H100_v5", product: "NVIDIA-H100-NVL", gpus: 1, gpuMemoryMib: 95830, cpu: 40, memoryGib: 320, allocatableMilliCpu: 39500, allocatableMemoryMib: 325230 },
  { ...scaleway, zone: "fr-par-1", size: "L4-1-24G", product: "NVIDIA-L4", gpus: 1, gpuMemoryMib: 23034, cpu: 8, memoryGib: 48, allocatableMilliCpu: 7900, allocatableMemoryMib: 45000 },
  { ...scaleway, size: "L40S-1-48G", product: "NVIDIA-L40S", gpus: 1, gpuMemoryMib: 46068, cpu: 8, memoryGib: 96, allocatableMilliCpu: 7900, allocatableMemoryMib: 93000 },
  { ...scaleway, size: "H100-1-80G", product: "NVIDIA-H100-PCIe", gpus: 1, gpuMemoryMib: 81559, cpu: 24, memoryGib: 240, allocatableMilliCpu: 23900, allocatableMemoryMib: 238000 },
];

const gkeAccelerators: Record<string, string> = { "g2-standard-4": "nvidia-l4", "a2-highgpu-1g": "nvidia-tesla-a100", "a3-highgpu-1g": "nvidia-h100-80gb" };

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
      return { "cloud.google.com/gke-accelerator": gkeAccelerators[row.size] ?? "", "cloud.google.com/gke-accelerator-count": count, "cloud.google.com/gke-nodepool": `gpu-${row.size}` };
    case "azure":
      return { "kubernetes.azure.com/accelerator": "nvidia", "kubernetes.azure.com/agentpool": row.size.replace("Standard_", "").replaceAll("_", "").toLowerCase().slice(0, 12) };
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
