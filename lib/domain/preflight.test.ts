import { describe, expect, it } from "vitest";
import { skus } from "./catalog";
import { DeploymentSpec, type DeploymentSpecInput } from "./deployment";
import { manifests } from "./manifest";
import type { KubeObject } from "./manifest/kube-object";
import { preflight } from "./preflight";
import type { PreflightFacts, PreflightNode } from "./preflight-facts";
import type { LivePod } from "./rollout-objects";

const context = { namespace: "ocr", environmentId: "e", deploymentId: "d", revision: 1, portalNamespace: null };
const objectsOf = (more: Partial<DeploymentSpecInput> = {}) => manifests(DeploymentSpec.parse({ name: "contracts", modelId: "lightonocr-3-1b", skuId: "own-l4", storageClass: "fast", ...more }), context);
const meta = (name: string, more: object = {}) => ({ metadata: { name, ...more } });

function node(name: string, { labels = {}, allocatable = {}, taints, ...spec }: { labels?: Record<string, string>; allocatable?: Record<string, string>; taints?: { key: string; value?: string; effect: string }[]; unschedulable?: boolean; providerID?: string } = {}): PreflightNode {
  const gfd = { "nvidia.com/gpu.present": "true", "nvidia.com/gpu.product": "NVIDIA-L4", "nvidia.com/gpu.memory": "23034", "nvidia.com/gpu.replicas": "1", "nvidia.com/cuda.driver-version.full": "580.95.05" };
  return { ...meta(name, { labels: { ...gfd, ...labels } }), spec: { ...(taints ? { taints } : {}), providerID: "aws:///a/i", ...spec }, status: { allocatable: { cpu: "7900m", memory: "30000Mi", "nvidia.com/gpu": "1", ...allocatable } } };
}

const pod = (name: string, nodeName: string, more: { asks?: Record<string, string>; owner?: string; labels?: Record<string, string>; namespace?: string } = {}): LivePod => ({
  metadata: { name, namespace: more.namespace ?? "other", labels: more.labels ?? {}, ...(more.owner ? { ownerReferences: [{ kind: more.owner, name: "x" }] } : {}) },
  spec: { nodeName, containers: [{ name: "c", resources: { requests: more.asks ?? {} } }] },
});

const facts = (more: Partial<PreflightFacts> = {}): PreflightFacts => ({
  namespace: "ocr",
  nodes: [node("gpu-1"), node("gpu-2")],
  pods: [],
  daemons: [meta("nvidia-device-plugin-daemonset", { namespace: "kube-system" }), meta("cilium", { namespace: "kube-system" })],
  runtimeClasses: [],
  storageClasses: [{ ...meta("fast", { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } }), provisioner: "ebs.csi.aws.com", volumeBindingMode: "WaitForFirstConsumer" }],
  ingressClasses: [],
  nodePools: [],
  quotas: [],
  limits: [],
  namespaceLabels: { "pod-security.kubernetes.io/enforce": "restricted" },
  groups: [],
  ...more,
});

const levels = (more: Partial<PreflightFacts>, objects?: KubeObject[]) => Object.fromEntries(preflight(facts(more), objects).map((line) => [line.id, line.level]));
type Case = [what: string, facts: Partial<PreflightFacts>, id: string, level: string];
const gpu = { "nvidia.com/gpu": "1" };

describe("a healthy cluster", () => {
  it("has nothing but fine lines, with and without a deployment", () => {
    expect(preflight(facts()).filter((line) => line.level !== "fine")).toEqual([]);
    expect(preflight(facts(), objectsOf()).filter((line) => line.level !== "fine")).toEqual([]);
  });

  it("shows evidence and remedy with everything that is not fine", () => {
    const nothing: PreflightFacts = { namespace: "ocr", nodes: null, pods: null, daemons: null, runtimeClasses: null, storageClasses: null, ingressClasses: null, nodePools: null, quotas: null, limits: null, namespaceLabels: null, groups: [] };
    const lines = preflight(nothing, objectsOf());
    expect(lines.filter((line) => line.level === "blocker")).toEqual([]);
    for (const line of lines.filter((one) => one.level !== "fine")) expect(line.remedy).not.toBe("");
    expect(lines.find((line) => line.id === "gpu-nodes")?.text).toContain("may not read");
  });
});

describe("what the cluster has", () => {
  it.each<Case>([
    ["no nodes with a GPU", { nodes: [{ ...meta("cpu"), status: { allocatable: { cpu: "4", memory: "16Gi" } } }] }, "gpu-nodes", "blocker"],
    ["no GPU now, but Karpenter", { nodes: [], groups: ["karpenter.sh"] }, "gpu-nodes", "warning"],
    ["all GPUs taken", { pods: [pod("a", "gpu-1", { asks: gpu }), pod("b", "gpu-2", { asks: gpu })] }, "gpu-nodes", "warning"],
    ["GPU nodes that offer none: no device plugin", { nodes: [node("gpu-1", { allocatable: { "nvidia.com/gpu": "0" } })], daemons: [] }, "device-plugin", "blocker"],
    ["one of two without the plugin", { nodes: [node("gpu-1"), node("gpu-2", { allocatable: { "nvidia.com/gpu": "0" } })] }, "device-plugin", "warning"],
    ["time slicing", { nodes: [node("gpu-1", { labels: { "nvidia.com/gpu.replicas": "4" } })] }, "gpu-sharing", "warning"],
    ["MIG", { nodes: [node("gpu-1", { allocatable: { "nvidia.com/mig-1g.5gb": "7" } })] }, "gpu-mig", "warning"],
    ["a taint of the house", { nodes: [node("gpu-1", { taints: [{ key: "team", value: "a", effect: "NoSchedule" }] })] }, "taints", "warning"],
    ["the usual taint", { nodes: [node("gpu-1", { taints: [{ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" }] })] }, "taints", "fine"],
    ["daemons that leave too little", { pods: [pod("log", "gpu-1", { asks: { memory: "25Gi" }, owner: "DaemonSet" }), pod("log", "gpu-2", { asks: { memory: "25Gi" }, owner: "DaemonSet" })] }, "node-room", "blocker"],
    ["an old driver on a data-centre card", { nodes: [node("gpu-1", { labels: { "nvidia.com/cuda.driver-version.full": "535.1" } })] }, "driver", "warning"],
    ["an old driver on a consumer card", { nodes: [node("gpu-1", { labels: { "nvidia.com/cuda.driver-version.full": "535.1", "nvidia.com/gpu.product": "NVIDIA-GeForce-RTX-4090" } })] }, "driver", "blocker"],
    ["an own cluster with a runtime class", { nodes: [node("gpu-1", { providerID: "k3s://a" })], runtimeClasses: [meta("nvidia")] }, "runtime-class", "warning"],
    ["no storage class", { storageClasses: [] }, "storage-class", "blocker"],
    ["no default storage class", { storageClasses: [{ ...meta("gp3"), provisioner: "ebs.csi.aws.com" }] }, "storage-class", "warning"],
    ["a public default ingress class", { ingressClasses: [{ ...meta("webapprouting.kubernetes.azure.com", { annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } }) }] }, "ingress", "warning"],
    ["a network that ignores policies", { daemons: [meta("kube-flannel-ds")] }, "network-policy", "warning"],
    ["the VPC CNI without policies", { daemons: [{ ...meta("aws-node"), spec: { template: { spec: { containers: [{ name: "aws-eks-nodeagent", args: ["--enable-network-policy=false"] }] } } } }] }, "network-policy", "warning"],
    ["the VPC CNI with policies", { daemons: [{ ...meta("aws-node"), spec: { template: { spec: { containers: [{ name: "aws-eks-nodeagent", args: ["--enable-network-policy=true"] }] } } } }] }, "network-policy", "fine"],
    ["Karpenter without GPUs", { groups: ["karpenter.sh"], nodePools: [{ ...meta("cpu"), spec: { limits: { "nvidia.com/gpu": "0" } } }] }, "growth", "warning"],
    ["a quota that is used up", { quotas: [{ ...meta("q"), status: { hard: { pods: "2" }, used: { pods: "2" } } }] }, "quota", "warning"],
    ["a namespace without a Pod Security level", { namespaceLabels: {} }, "pod-security", "warning"],
    ["no namespace yet", { namespaceLabels: "absent" }, "pod-security", "fine"],
    ["KEDA", { groups: ["keda.sh"] }, "keda", "fine"],
  ])("%s", (_what, more, id, level) => {
    expect(levels(more)[id]).toBe(level);
  });

  it("asks the binding mode of the default class", () => {
    const zoned = ["a", "b"].map((zone) => node(`gpu-${zone}`, { labels: { "topology.kubernetes.io/zone": zone } }));
    const immediate = facts().storageClasses?.map((each) => ({ ...each, volumeBindingMode: "Immediate" })) ?? [];
    expect(levels({ nodes: zoned, storageClasses: immediate })["volume-binding"]).toBe("warning");
    expect(levels({ nodes: zoned.slice(0, 1), storageClasses: immediate })["volume-binding"]).toBe("fine");
  });
});

describe("a deployment on it", () => {
  it.each<[...Case, Partial<DeploymentSpecInput>?]>([
    ["no node of the size", { nodes: [node("gpu-1", { labels: { "nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB" } })] }, "placement", "blocker"],
    ["no node of the size, but Karpenter", { nodes: [], groups: ["karpenter.sh"] }, "placement", "warning"],
    ["a missing toleration", { nodes: [node("gpu-1", { taints: [{ key: "team", value: "a", effect: "NoSchedule" }] })] }, "toleration", "blocker"],
    ["shared cards only", { nodes: [node("gpu-1", { labels: { "nvidia.com/gpu.replicas": "4" }, allocatable: { "nvidia.com/gpu": "4" } })] }, "free-gpu", "blocker"],
    ["no device plugin", { nodes: [node("gpu-1", { allocatable: { "nvidia.com/gpu": "0" } })] }, "free-gpu", "blocker"],
    ["no free GPU", { nodes: [node("gpu-1")], pods: [pod("a", "gpu-1", { asks: gpu })] }, "free-gpu", "blocker"],
    ["the GPU that it holds itself", { nodes: [node("gpu-1")], pods: [pod("a", "gpu-1", { asks: gpu, namespace: "ocr", labels: { "app.kubernetes.io/name": "lightonocr", "app.kubernetes.io/instance": "contracts", "lectern/deployment": "d" } })] }, "free-gpu", "fine"],
    ["a finished pod on the GPU", { nodes: [node("gpu-1")], pods: [{ ...pod("a", "gpu-1", { asks: gpu }), status: { phase: "Succeeded" } }] }, "free-gpu", "fine"],
    ["a node that is too small", { nodes: [node("gpu-1", { allocatable: { cpu: "2", memory: "9000Mi" } })] }, "request", "blocker"],
    ["a storage class that is not there", {}, "claim", "blocker", { storageClass: "gp9" }],
    ["no class named and no default", { storageClasses: [{ ...meta("gp3"), provisioner: "x" }] }, "claim", "blocker", { storageClass: undefined }],
    ["ReadWriteMany on disks", {}, "claim", "blocker", { accessMode: "ReadWriteMany" }],
    ["a quota without room", { quotas: [{ ...meta("q"), status: { hard: { "requests.nvidia.com/gpu": "0" }, used: { "requests.nvidia.com/gpu": "0" } } }] }, "quota", "blocker"],
    ["a quota with room", { quotas: [{ ...meta("q"), status: { hard: { "requests.nvidia.com/gpu": "1", "requests.storage": "100Gi" }, used: {} } }] }, "quota", "fine"],
    ["a quota on storage without room", { quotas: [{ ...meta("q"), status: { hard: { "requests.storage": "30Gi" }, used: {} } }] }, "quota", "blocker"],
    ["a limit on memory", { limits: [{ ...meta("l"), spec: { limits: [{ type: "Container", max: { memory: "4Gi" } }] } }] }, "limits", "blocker"],
    ["a limit on volumes", { limits: [{ ...meta("l"), spec: { limits: [{ type: "PersistentVolumeClaim", max: { storage: "10Gi" } }] } }] }, "limits", "blocker"],
  ])("%s", (_what, more, id, level, spec = {}) => {
    expect(levels(more, objectsOf(spec))[id]).toBe(level);
  });
});

/** The manifests with the Deployment's spec changed: what an override by hand does. */
function overridden(change: (spec: Record<string, unknown>) => Record<string, unknown>): KubeObject[] {
  return objectsOf().map((object) => (object.kind === "Deployment" ? { ...object, spec: change({ ...object.spec }) as KubeObject["spec"] } : object) as KubeObject); // the test writes what a person may write
}

describe("the three classic failures", () => {
  it.each(skus.filter((sku) => sku.cloud !== "own").map((sku) => [sku.id, sku] as const))("cannot happen from the defaults on %s", (skuId, sku) => {
    const taints = [...sku.placement.tolerations, ...sku.placement.spotTolerations].map(({ key, value = "present", effect }) => ({ key, value, effect }));
    const labels = { ...sku.placement.nodeSelector, ...Object.fromEntries(sku.placement.requirements.map((one) => [one.key, one.values[0] ?? ""])) };
    const nodes = [node("gpu-1", { labels, taints: taints.filter((taint) => !taint.key.includes("spot") && !taint.key.includes("scalesetpriority")), allocatable: { cpu: `${sku.allocatable?.cpuMillis}m`, memory: `${sku.allocatable?.memoryMib}Mi` } })];
    const answer = levels({ nodes }, objectsOf({ skuId }));
    expect([answer.toleration, answer.strategy, answer["free-gpu"], answer.request]).toEqual(["fine", "fine", "fine", "fine"]);
  });

  it("a toleration taken away is caught", () => {
    const bare = overridden((spec) => JSON.parse(JSON.stringify(spec, (key, value: unknown) => (key === "tolerations" ? [] : value))));
    const nodes = [node("gpu-1", { taints: [{ key: "nvidia.com/gpu", effect: "NoSchedule" }] })];
    expect(levels({ nodes }, bare).toleration).toBe("blocker");
  });

  it.each([
    ["the default of Kubernetes", {}],
    ["a surge", { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }],
    ["no surge, on a disk of one node", { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }],
  ])("a rolling update on a ReadWriteOnce volume is caught: %s", (_what, strategy) => {
    expect(levels({}, overridden((spec) => ({ ...spec, strategy }))).strategy).toBe("blocker");
  });

  it("a security context taken away is caught where the namespace is restricted", () => {
    const bare = overridden((spec) => JSON.parse(JSON.stringify(spec, (key, value: unknown) => (key === "securityContext" ? undefined : value))));
    expect(levels({}, bare)["pod-security"]).toBe("blocker");
    expect(levels({ namespaceLabels: {} }, bare)["pod-security"]).toBe("warning");
  });
});
