import type { Sku } from "./catalog";

/** CPU and memory to ask for. `fits` is false when not even the least that vLLM needs is left on the node. */
export type RequestProposal = {
  cpuMillis: number;
  memoryMib: number;
  fits: boolean;
  availableCpuMillis: number | null;
  availableMemoryMib: number | null;
  basis: "live node" | "documented" | "estimate" | "default";
  source: string;
};

/** Upper end of what DaemonSets (network, storage, logging, device plugin, metrics) take on a GPU node. */
export const daemonSetReserve = { cpuMillis: 600, memoryMib: 1024 };
const least = { cpuMillis: 2000, memoryMib: 8192 };
const most = { cpuMillis: 4000, memoryMib: 16384 };
/** On 4 vCPU / 16 GiB nodes the proven proposal is 2 to 3 CPU and 8 to 10 GiB. */
const mostOnSmallNode = { cpuMillis: 3000, memoryMib: 10240 };

/**
 * The largest useful request that fits the node: allocatable minus DaemonSets, in steps of 500m and 1 GiB.
 * A live node's figures win over the table of reservations that the providers publish.
 */
export function proposeRequests(sku: Sku, live?: { cpuMillis: number; memoryMib: number }): RequestProposal {
  const node = live ?? sku.allocatable;
  if (node === null) {
    return {
      ...mostOnSmallNode,
      fits: true,
      availableCpuMillis: null,
      availableMemoryMib: null,
      basis: "default",
      source: "proposal for a node with 4 CPU and 16 GiB",
    };
  }
  const availableCpuMillis = node.cpuMillis - daemonSetReserve.cpuMillis;
  const availableMemoryMib = node.memoryMib - daemonSetReserve.memoryMib;
  const cap = node.memoryMib < 16384 ? mostOnSmallNode : most;
  return {
    cpuMillis: Math.max(Math.min(cap.cpuMillis, Math.floor(availableCpuMillis / 500) * 500), least.cpuMillis),
    memoryMib: Math.max(Math.min(cap.memoryMib, Math.floor(availableMemoryMib / 1024) * 1024), least.memoryMib),
    fits: availableCpuMillis >= least.cpuMillis && availableMemoryMib >= least.memoryMib,
    availableCpuMillis,
    availableMemoryMib,
    basis: live ? "live node" : (sku.allocatable?.basis ?? "estimate"),
    source: live ? "status.allocatable of a node" : (sku.allocatable?.source ?? ""),
  };
}
