import { modelById, skuById } from "./catalog";
import type { DeploymentSpec } from "./deployment";
import type { Finding } from "./finding";
import { proposeRequests } from "./fit-node";
import type { Override } from "./manifest/overlay-schema";
import { formatCpu, formatMemory } from "./quantity";

/** What changes in the spec; null takes a field out. An `overlay` here is the whole new one. */
export type SpecChange = { [Key in keyof DeploymentSpec]?: DeploymentSpec[Key] | null | undefined };

/** A change of the spec that answers a finding; shown as a button, previewed like any other change. */
export type SuggestedChange = { label: string; change: SpecChange };

type Asked = { finding: Pick<Finding, "id" | "about">; spec: DeploymentSpec };
type Answer = (asked: Asked) => SuggestedChange | null;

const leastModelLen = 4096;
/** GiB of memory that are tried on top of what was not enough. */
const moreMemoryMib = 4096;
const container = "/spec/template/spec/containers/0";
const longerStart = { seconds: 2400, failures: 240 };

/** What can be changed in the spec itself to answer a finding, or null when the remedy lies elsewhere: in the cluster, or with its administrator. */
export function suggestedChange(finding: Pick<Finding, "id" | "about">, spec: DeploymentSpec): SuggestedChange | null {
  return answers[finding.id]?.({ finding, spec }) ?? null;
}

const answers: Record<string, Answer> = {
  "gpu-memory": shorter,
  "kv-too-small": shorter,
  "gpu-shared": (asked) => patched(asked, "Take 80 % of the GPU's memory", [{ op: "add", path: `${container}/args/-`, value: "--gpu-memory-utilization=0.8" }]),
  "volume-full": ({ spec }) => grown(spec),
  "host-memory": moreMemory,
  "request-too-large": leastRequest,
  "missing-toleration": tolerant,
  "no-such-node": otherSize,
  "gpus-taken": fewer,
  quota: fewer,
  "volume-held": ({ spec }) => (spec.replicas > 1 && spec.accessMode === "ReadWriteOnce" ? { label: "Run one replica: its volume serves one node", change: { replicas: 1 } } : null),
  killed: patient,
  "never-ready": patient,
  "rolling-deadlock": plain,
  "pod-security": plain,
  permission: plain,
  "vllm-port": plain,
  "wrong-versions": catalogueImage,
  "driver-too-old": catalogueImage,
  "image-not-found": catalogueImage,
  "image-name": catalogueImage,
  "hub-refused": ({ spec }) => (spec.hubToken ? { label: "Download without the hub token", change: { hubToken: null } } : null),
  "container-config": ({ spec }) => (spec.hubToken ? { label: "Do without the Secret with the hub token", change: { hubToken: null } } : null),
  "container-runtime": withoutRuntime,
  "pod-refused": ({ finding, spec }) => withoutRuntime({ finding, spec }) ?? (spec.priorityClassName ? { label: `Do without the priority class ${spec.priorityClassName}`, change: { priorityClassName: null } } : null),
};

function shorter({ spec }: Asked): SuggestedChange | null {
  const present = spec.maxModelLen ?? modelById(spec.modelId).maxModelLen;
  const maxModelLen = Math.max(leastModelLen, Math.floor(present / 2));
  return maxModelLen < present ? { label: `Try a length of ${maxModelLen.toLocaleString("en")} tokens`, change: { maxModelLen } } : null;
}

function grown({ storageGi }: DeploymentSpec): SuggestedChange | null {
  const larger = Math.min(1000, storageGi * 2);
  return larger > storageGi ? { label: `Grow the volume to ${larger} GiB`, change: { storageGi: larger } } : null;
}

function moreMemory(asked: Asked): SuggestedChange | null {
  const proposal = proposeRequests(skuById(asked.spec.skuId));
  const memoryMib = proposal.memoryMib + moreMemoryMib;
  if (proposal.availableMemoryMib === null || memoryMib > proposal.availableMemoryMib) return null;
  return patched(asked, `Give it ${formatMemory(memoryMib)} of memory`, requests({ memory: formatMemory(memoryMib) }));
}

/** The least that the engine needs; null when it asks for that already. */
function leastRequest(asked: Asked): SuggestedChange | null {
  const { cpuMillis, memoryMib } = proposeRequests(skuById(asked.spec.skuId));
  if (cpuMillis <= 2000 && memoryMib <= 8192) return null;
  const [cpu, memory] = [formatCpu(2000), formatMemory(8192)];
  return patched(asked, `Ask for ${cpu} CPU and ${memory}`, [{ op: "replace", path: `${container}/resources/requests/cpu`, value: cpu }, ...requests({ memory })]);
}

/** Request and limit of memory are one number. */
function requests({ memory }: { memory: string }): Patch {
  return ["requests", "limits"].map((side) => ({ op: "replace", path: `${container}/resources/${side}/memory`, value: memory }));
}

function tolerant(asked: Asked): SuggestedChange | null {
  const taints = asked.finding.about?.taints ?? [];
  if (taints.length === 0) return null;
  const added: Patch = taints.map(({ key, value, effect }) => ({ op: "add", path: "/spec/template/spec/tolerations/-", value: { key, effect, ...(value ? { operator: "Equal", value } : { operator: "Exists" }) } }));
  return patched(asked, `Tolerate ${taints.map((taint) => taint.key).join(" and ")}`, added);
}

function otherSize({ finding, spec }: Asked): SuggestedChange | null {
  const skuId = finding.about?.skuIds?.find((id) => id !== spec.skuId);
  return skuId ? { label: `Use ${skuById(skuId).name}, which the cluster has`, change: { skuId } } : null;
}

function fewer({ spec }: Asked): SuggestedChange | null {
  return spec.replicas > 1 && !spec.autoscaling ? { label: `Run ${spec.replicas - 1} instead of ${spec.replicas} replicas`, change: { replicas: spec.replicas - 1 } } : null;
}

function patient(asked: Asked): SuggestedChange | null {
  return patched(asked, `Give it ${longerStart.seconds / 60} minutes to start`, [
    { op: "replace", path: `${container}/startupProbe/failureThreshold`, value: longerStart.failures },
    { op: "replace", path: "/spec/progressDeadlineSeconds", value: longerStart.seconds + 1200 },
  ]);
}

/** What Lectern renders by itself does not cause it: an override does. */
function plain({ spec }: Asked): SuggestedChange | null {
  return spec.overlay?.some((override) => override.kind === "Deployment") ? { label: "Take the overrides of the Deployment back", change: { overlay: spec.overlay.filter((override) => override.kind !== "Deployment") } } : null;
}

function catalogueImage({ spec }: Asked): SuggestedChange | null {
  return spec.imageTag ? { label: "Use the image that the catalogue pins", change: { imageTag: null } } : null;
}

function withoutRuntime({ spec }: Asked): SuggestedChange | null {
  return spec.runtimeClassName ? { label: `Do without the runtime class ${spec.runtimeClassName}`, change: { runtimeClassName: null } } : null;
}

type Patch = NonNullable<Override["patch"]>;

/** One more override of the Deployment; null where the same one is there already and did not help. */
function patched({ spec }: Asked, label: string, patch: Patch): SuggestedChange | null {
  const present = spec.overlay ?? [];
  const isTried = present.some((override) => JSON.stringify(override.patch) === JSON.stringify(patch));
  return isTried || present.length >= 20 ? null : { label, change: { overlay: [...present, { kind: "Deployment", patch }] } };
}

/** The spec with a suggestion in it, as a form or the API takes it. */
export function withChange(spec: Readonly<Record<string, unknown>>, change: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...spec, ...change }).filter(([, value]) => value !== null));
}
