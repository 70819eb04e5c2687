import "server-only";
import type { JsonObject } from "../json";
import { NODES_PER_POOL, nodePools, type NodePool } from "./node-pools";

function providerId(pool: NodePool, name: string): string {
  switch (pool.provider) {
    case "aws":
      return `aws:///${pool.zone}/i-sandbox-${name}`;
    case "gcp":
      return `gce://lectern-sandbox/${pool.zone}/${name}`;
    case "azure":
      return `azure:///subscriptions/sandbox/resourceGroups/lectern/providers/Microsoft.Compute/virtualMachines/${name}`;
    case "scaleway":
      return `scaleway://instance/${pool.zone}/${name}`;
  }
}

function discoveryLabels(pool: NodePool): Record<string, string> {
  const [major, minor] = pool.computeCapability;
  return {
    "nvidia.com/gpu.present": "true",
    "nvidia.com/gpu.count": String(pool.gpus),
    "nvidia.com/gpu.replicas": "1",
    "nvidia.com/gpu.product": pool.product,
    "nvidia.com/gpu.family": pool.family,
    "nvidia.com/gpu.memory": String(pool.gpuMemoryMib),
    "nvidia.com/gpu.compute.major": String(major),
    "nvidia.com/gpu.compute.minor": String(minor),
    "nvidia.com/mig.strategy": "none",
    "nvidia.com/cuda.driver-version.full": "580.95.05",
    "nvidia.com/cuda.runtime-version.major": "13",
  };
}

function commonLabels(name: string): Record<string, string> {
  return {
    "beta.kubernetes.io/arch": "amd64",
    "beta.kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": name,
    "kubernetes.io/os": "linux",
  };
}

const nodeInfo = {
  machineID: "",
  systemUUID: "",
  bootID: "",
  kernelVersion: "6.12.0",
  osImage: "Debian GNU/Linux 13 (trixie)",
  containerRuntimeVersion: "containerd://2.2.0",
  kubeletVersion: "v1.36.2",
  kubeProxyVersion: "",
  operatingSystem: "linux",
  architecture: "amd64",
};

function nodeStatus(capacity: JsonObject, allocatable: JsonObject, { name, time }: { name: string; time: string }): JsonObject {
  const ready = {
    type: "Ready",
    status: "True",
    lastHeartbeatTime: time,
    lastTransitionTime: time,
    reason: "KubeletReady",
    message: "kubelet is posting ready status",
  };
  const addresses = [
    { type: "InternalIP", address: "127.0.0.1" },
    { type: "Hostname", address: name },
  ];
  return { capacity, allocatable, conditions: [ready], addresses, daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo };
}

function gpuNode(pool: NodePool, index: number, time: string): JsonObject {
  const name = `${pool.provider}-${pool.size.toLowerCase().replaceAll(/[._]/g, "-")}-${index}`;
  const zoneLabels = {
    "topology.kubernetes.io/region": pool.region,
    "topology.kubernetes.io/zone": pool.zone,
    "node.kubernetes.io/instance-type": pool.size,
  };
  const shared = { "ephemeral-storage": "200Gi", "nvidia.com/gpu": String(pool.gpus), pods: "110" };
  const capacity = { cpu: String(pool.cpu), memory: `${pool.memoryGib}Gi`, ...shared };
  const allocatable = { cpu: `${pool.allocatableMilliCpu}m`, memory: `${pool.allocatableMemoryMib}Mi`, ...shared };
  const spec: JsonObject = { providerID: providerId(pool, name) };
  if (pool.taints.length > 0) spec.taints = pool.taints;
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { ...commonLabels(name), ...zoneLabels, ...pool.labels, ...discoveryLabels(pool) } },
    spec,
    status: nodeStatus(capacity, allocatable, { name, time }),
  };
}

function cpuNode(time: string): JsonObject {
  const name = "cpu-1";
  const capacity = { cpu: "4", "ephemeral-storage": "200Gi", memory: "16Gi", pods: "110" };
  const labels = {
    ...commonLabels(name),
    "node.kubernetes.io/instance-type": "sandbox-cpu-4",
    "topology.kubernetes.io/region": "local",
    "topology.kubernetes.io/zone": "local-a",
  };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels },
    spec: { providerID: `sandbox://local/${name}` },
    status: nodeStatus(capacity, capacity, { name, time }),
  };
}

/** The nodes that a new sandbox has. */
export function sandboxNodes(time: string): JsonObject[] {
  const numbers = Array.from({ length: NODES_PER_POOL }, (_, index) => index + 1);
  return [cpuNode(time), ...nodePools.flatMap((pool) => numbers.map((index) => gpuNode(pool, index, time)))];
}
