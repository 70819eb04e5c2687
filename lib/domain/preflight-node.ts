import { daemonSetReserve } from "./fit-node";
import { blocker, fine, nodeLabel, unread, warning, type PreflightFacts, type PreflightLine, type PreflightNode } from "./preflight-facts";
import { askedOn, gpusOf, isUsable } from "./preflight-gpu";
import { cpuMillis, memoryMib } from "./quantity";
import type { LivePod } from "./rollout-objects";

/** The CUDA of vLLM's images (docker/Dockerfile of vLLM: CUDA_VERSION 13.0) and the driver branch that it came with (NVIDIA: R580). */
const IMAGE_CUDA = { major: 13, driver: 580 };

export type Room = { cpuMillis: number; memoryMib: number };

function isDaemon(pod: LivePod): boolean {
  return pod.metadata.ownerReferences?.some((owner) => owner.kind === "DaemonSet") ?? false;
}

/** What a node leaves to a pod when its daemons have taken their part; other pods may still hold some of it. */
export function roomOn(node: PreflightNode, pods: readonly LivePod[] | null): Room {
  const { cpu = "0", memory = "0" } = node.status?.allocatable ?? {};
  const daemons = pods?.filter(isDaemon);
  const taken = daemons ? { cpuMillis: Math.round(askedOn(node, daemons, "cpu") * 1000), memoryMib: Math.ceil(askedOn(node, daemons, "memory") / 2 ** 20) } : daemonSetReserve;
  return { cpuMillis: cpuMillis(cpu) - taken.cpuMillis, memoryMib: memoryMib(memory) - taken.memoryMib };
}

const least = { cpuMillis: 2000, memoryMib: 8192 };

/** Allocatable minus DaemonSets on the GPU nodes, against the least that the engine needs. */
export function roomLine({ nodes, pods }: PreflightFacts): PreflightLine {
  if (nodes === null) return unread("node-room", "nodes");
  const gpuNodes = nodes.filter((node) => gpusOf(node) > 0 && isUsable(node));
  if (gpuNodes.length === 0) return warning("node-room", "There is no GPU node whose room could be read.", { remedy: "The published figures of the chosen size are used until there is one." });
  const rooms = gpuNodes.map((node) => ({ name: node.metadata.name, ...roomOn(node, pods) }));
  const tight = rooms.filter((room) => room.cpuMillis < least.cpuMillis || room.memoryMib < least.memoryMib);
  const evidence = rooms.slice(0, 6).map((room) => `Node ${room.name} leaves ${room.cpuMillis}m CPU and ${room.memoryMib} MiB when its daemons have theirs.`);
  if (tight.length === 0) return fine("node-room", "Every GPU node has room for the engine beside its daemons.", evidence);
  const rest = { evidence, remedy: "Choose nodes with more CPU and memory, or make the daemons ask for less." };
  const text = `${tight.length} of ${rooms.length} GPU nodes leave less than the engine's 2 CPU and 8 GiB.`;
  return tight.length === rooms.length ? blocker("node-room", text, rest) : warning("node-room", text, rest);
}

/** The driver of the GPU nodes against the CUDA of the image, before 11 GB of it are pulled. */
export function driverLine(nodes: PreflightNode[] | null): PreflightLine {
  if (nodes === null) return unread("driver", "nodes");
  const gpuNodes = nodes.filter((node) => gpusOf(node) > 0);
  const seen = gpuNodes.map((node) => ({ node, driver: driverOf(node) }));
  const old = seen.filter(({ driver }) => driver !== undefined && Number(driver.split(".")[0]) < IMAGE_CUDA.driver);
  const evidence = (some: typeof seen) => [...new Set(some.map(({ node, driver }) => `${nodeLabel(node, "nvidia.com/gpu.product") ?? "GPU"} on ${node.metadata.name}: driver ${driver ?? "not told"}`))].slice(0, 6);
  const rest = { evidence: evidence(old), remedy: `Update the driver to ${IMAGE_CUDA.driver} or newer, or take an image built for an older CUDA.` };
  // Consumer cards have no forward compatibility: the image's own libcuda does not help them.
  if (old.some(({ node }) => (nodeLabel(node, "nvidia.com/gpu.product") ?? "").includes("GeForce"))) return blocker("driver", `The driver is older than the image's CUDA ${IMAGE_CUDA.major}, and a GeForce card has no forward compatibility.`, rest);
  if (old.length > 0) return warning("driver", `The driver is older than the image's CUDA ${IMAGE_CUDA.major}; data-centre cards then need the image's forward compatibility.`, rest);
  if (seen.length === 0 || seen.every(({ driver }) => driver === undefined)) return warning("driver", "The nodes do not tell their driver's version.", { remedy: "Install GPU-feature-discovery (part of the GPU Operator) to have it checked beforehand." });
  return fine("driver", `The driver suits the image's CUDA ${IMAGE_CUDA.major}.`, evidence(seen));
}

function driverOf(node: PreflightNode): string | undefined {
  return nodeLabel(node, "nvidia.com/cuda.driver-version.full") ?? nodeLabel(node, "nvidia.com/cuda.driver.major");
}

const cloudPrefixes = /^(aws|gce|azure|scaleway):\/\//;

/** Managed clusters set the NVIDIA runtime up themselves; own ones often need the class named. */
export function runtimeLine({ runtimeClasses, nodes }: PreflightFacts, wanted: string | undefined): PreflightLine {
  if (runtimeClasses === null) return unread("runtime-class", "runtime classes");
  const names = runtimeClasses.map((each) => each.metadata.name);
  if (wanted !== undefined && !names.includes(wanted)) return blocker("runtime-class", `The deployment asks for the runtime class ${wanted}, which the cluster does not have.`, { evidence: [`Runtime classes: ${names.join(", ") || "none"}`], remedy: "Leave the runtime class out, or create it." });
  const isOwn = (nodes ?? []).some((node) => gpusOf(node) > 0 && !cloudPrefixes.test(node.spec?.providerID ?? ""));
  if (isOwn && names.includes("nvidia") && wanted === undefined) return warning("runtime-class", "This own cluster has the runtime class nvidia, and the deployment does not name it.", { evidence: ["k3s, RKE and microk8s usually need it; others make it the default."], remedy: "If the pod does not see the GPU, set runtimeClassName: nvidia." });
  return fine("runtime-class", names.length > 0 ? `Runtime classes: ${names.join(", ")}.` : "No runtime class is needed or there.");
}
