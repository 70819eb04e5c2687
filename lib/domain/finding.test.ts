import { describe, expect, it } from "vitest";
import { findingsOf, type FindingInput } from "./finding";
import scheduling from "./fixtures/cluster/scheduling.json";
import type { LiveEvent, LiveNode, LivePod } from "./rollout-objects";

/** The nodes on which the stories were recorded: one tainted L4 node, one without a GPU. */
const gpuNode: LiveNode = {
  metadata: { name: "l4-1", labels: { "cloud.google.com/gke-accelerator": "nvidia-l4" } },
  spec: { taints: [{ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" }] },
  status: { allocatable: { cpu: "3920m", memory: "13498Mi", "nvidia.com/gpu": "1" } },
};
const cpuNode: LiveNode = { metadata: { name: "cpu-1", labels: {} }, status: { allocatable: { cpu: "3920m", memory: "13498Mi" } } };

function story(name: string, nodes: LiveNode[] | null): FindingInput {
  const found = scheduling.scenarios.find((each) => each.scenario === name);
  if (!found) throw new Error(`no story ${name}`);
  // The recorded objects are wider than the fields that the mappers read.
  return { ...(found as unknown as FindingInput), nodes };
}

describe("recorded stories, with and without the right to list nodes", () => {
  it.each<[string, string | null, string]>([
    ["ready", null, ""],
    ["recreate update", null, ""],
    ["service without a ready pod", null, ""],
    ["missing toleration", "missing-toleration", "taint"],
    ["no node has the label", "no-such-node", "labels"],
    ["not enough GPUs for two replicas", "gpus-taken", "taken"],
    ["CPU and memory request does not fit the node", "request-too-large", "cpu and memory"],
    ["no GPU resource anywhere (no device plugin)", "no-device-plugin", "amd.com/gpu"],
    ["claim does not exist", "claim-missing", '"absent"'],
    ["claim stays unbound", "storage-class-missing", '"absent"'],
    ["quota forbids GPUs", "quota", 'quota "q"'],
    ["pod security is restricted", "pod-security", "Pod Security"],
    ["image does not exist", "image-not-found", "does not exist"],
    ["crash loop", "crash-loop", "starts and ends"],
    ["out of memory", "host-memory", "RAM"],
    ["never ready past the progress deadline", "never-ready", "in time"],
    ["rolling update deadlock on one GPU", "rolling-deadlock", "waits"],
  ])("%s: %s", (name, id, words) => {
    for (const nodes of [null, [gpuNode, cpuNode]]) {
      const findings = findingsOf(story(name, nodes));
      expect(findings.map((finding) => finding.id)).toEqual(id === null ? [] : [id]);
      if (id !== null) expect(findings[0]?.cause).toContain(words);
      for (const finding of findings) {
        expect(finding.remedy).toMatch(/\.$/);
        expect(finding.evidence.every((line) => line.length > 0)).toBe(true);
      }
    }
  });

  it("covers every recorded story", () => {
    expect(scheduling.scenarios).toHaveLength(17);
  });

  it("names the taint and the labels from the nodes", () => {
    expect(findingsOf(story("missing toleration", [gpuNode, cpuNode]))[0]).toMatchObject({
      cause: "The GPU node has the taint nvidia.com/gpu, which the pod does not tolerate.",
      evidence: ["Node l4-1 has the taint nvidia.com/gpu=present:NoSchedule.", expect.stringContaining("untolerated taint")],
    });
    expect(findingsOf(story("no node has the label", [gpuNode, cpuNode]))[0]?.evidence[0]).toMatch(
      /the nodes have nvidia-l4|no node has that label/,
    );
  });

  it("says so when it could not see nodes", () => {
    expect(findingsOf(story("missing toleration", null))[0]?.evidence[0]).toContain("may not list nodes");
  });
});

describe("other texts", () => {
  const base = story("crash loop", [gpuNode]);
  const withPod = (change: (pod: LivePod) => LivePod, events: LiveEvent[] = []): FindingInput => ({
    ...base,
    pods: base.pods.map(change),
    events,
  });
  const pending = (message: string) =>
    withPod((pod) => ({
      ...pod,
      spec: { ...pod.spec, nodeName: undefined },
      status: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }] },
    }));
  const waiting = (reason: string, message: string) =>
    withPod((pod) => ({
      ...pod,
      status: { phase: "Pending", containerStatuses: [{ name: "vllm", state: { waiting: { reason, message } } }] },
    }));
  const event = (reason: string, message: string): LiveEvent => ({
    type: "Warning",
    reason,
    message,
    involvedObject: { kind: "Pod", name: base.pods[0]?.metadata.name ?? "" },
  });

  it.each([
    ["0/3 nodes are available: 1 node(s) had untolerated taint {nvidia.com/gpu: present}, 2 Insufficient memory.", "request-too-large"],
    ["0/3 nodes are available: 3 node(s) had taints that the pod didn't tolerate.", "missing-toleration"],
    ["0/3 nodes are available: 3 node(s) had volume node affinity conflict.", "volume-zone"],
    ["0/3 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity.", "volume-zone"],
    ["0/3 nodes are available: 3 node(s) were unschedulable.", "node-cordoned"],
    ["0/3 nodes are available: 3 Too many pods.", "node-full"],
    ["0/3 nodes are available: 3 node(s) exceed max volume count.", "volume-unavailable"],
    ["0/3 nodes are available: 3 frobnicated.", "unschedulable"],
  ])("of the scheduler: %s", (message, id) => {
    const [finding] = findingsOf(pending(message));
    expect(finding?.id).toBe(id);
    expect(finding?.evidence.at(-1)).toBe(message);
  });

  it.each([
    ["ErrImagePull", "429 Too Many Requests - toomanyrequests", "image-rate-limit"],
    ["ImagePullBackOff", "pull access denied, unauthorized", "image-unauthorized"],
    ["ErrImagePull", "write /var/lib: no space left on device", "image-no-space"],
    ["ErrImagePull", "dial tcp: i/o timeout", "image-unreachable"],
    ["ErrImagePull", "something new", "image-pull"],
    ["CreateContainerConfigError", 'secret "x" not found', "container-config"],
    ["RunContainerError", "nvidia-container-cli: initialization error", "container-runtime"],
    ["InvalidImageName", "x", "image-name"],
  ])("of the kubelet: %s, %s", (reason, message, id) => {
    const [finding] = findingsOf(waiting(reason, message));
    expect(finding?.id).toBe(id);
    expect(finding?.evidence.join()).toContain(message);
  });

  it.each([
    ["torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB", "gpu-memory"],
    ["RuntimeError: Error 803: system has unsupported display driver", "driver-too-old"],
    ["ValueError: No available memory for the cache blocks.", "kv-too-small"],
    ["ValueError: Free memory on device (1.2/22.0 GiB) is less than desired GPU memory utilization", "gpu-shared"],
    ["ImportError: cannot import name 'PixtralRotaryEmbedding'", "wrong-versions"],
    ["nothing that we know", "crash-loop"],
  ])("of the model server: %s", (line, id) => {
    const name = base.pods[0]?.metadata.name ?? "";
    const [finding] = findingsOf({ ...base, logs: { [name]: `page text of a document\n${line}\nTraceback` } });
    expect(finding?.id).toBe(id);
    expect(JSON.stringify(finding)).not.toContain("page text");
  });

  it("of the volume: Multi-Attach is the old pod's hold, not the image", () => {
    const input = withPod(
      (pod) => ({
        ...pod,
        status: { phase: "Pending", containerStatuses: [{ name: "vllm", state: { waiting: { reason: "ContainerCreating" } } }] },
      }),
      [event("FailedAttachVolume", "Multi-Attach error for volume")],
    );
    expect(findingsOf(input).map((finding) => finding.id)).toEqual(["volume-held"]);
  });

  it("stay silent while a start is merely slow, and while a node is on its way", () => {
    const slow = withPod(
      (pod) => ({
        ...pod,
        status: { phase: "Running", containerStatuses: [{ name: "vllm", ready: false, started: false, state: { running: {} } }] },
      }),
      [event("Unhealthy", "Startup probe failed: connection refused")],
    );
    expect(findingsOf(slow)).toEqual([]);
    expect(
      findingsOf({
        ...pending("0/3 nodes are available: 3 Insufficient nvidia.com/gpu."),
        events: [event("TriggeredScaleUp", "pod triggered scale-up")],
      }),
    ).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ["tries again after it needed too much memory", { ready: false, lastState: { terminated: { exitCode: 137, reason: "OOMKilled" } } }, ["host-memory"]],
    ["tries again after it ended", { ready: false, lastState: { terminated: { exitCode: 1, reason: "Error" } } }, ["crash-loop"]],
    ["tries again after it was lost with its node", { ready: false, lastState: { terminated: { exitCode: 255, reason: "Unknown" } } }, []],
    ["tries again after its probe had it killed", { ready: false, lastState: { terminated: { exitCode: 137, reason: "Error" } } }, []],
    ["answers again", { ready: true, lastState: { terminated: { exitCode: 1, reason: "Error" } } }, []],
  ])("keep their cause while the container %s", (_, status, ids) => {
    const again = withPod((pod) => ({ ...pod, status: { phase: "Running", containerStatuses: [{ name: "vllm", restartCount: 2, state: { running: {} }, ...status }] } }));
    expect(findingsOf(again).map((finding) => finding.id)).toEqual(ids);
  });

  it("read the node affinity of the pod: a smaller card is no match", () => {
    const wants = { key: "nvidia.com/gpu.memory", operator: "Gt", values: ["22000"] };
    const affinity = {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [wants] }] } },
    };
    const input = pending("0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.");
    const pods = input.pods.map((pod) => ({ ...pod, spec: { ...pod.spec, nodeSelector: {}, affinity } }));
    const card = (memory: string): LiveNode => ({
      metadata: { name: "n", labels: { "nvidia.com/gpu.memory": memory } },
      status: { allocatable: { "nvidia.com/gpu": "1" } },
    });
    expect(findingsOf({ ...input, pods, nodes: [card("15360")] })[0]).toMatchObject({
      id: "no-such-node",
      evidence: [expect.stringContaining("nvidia.com/gpu.memory Gt 22000"), expect.anything()],
    });
    const taken = { ...pending("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."), nodes: [card("23034")] };
    expect(
      findingsOf({ ...taken, pods: taken.pods.map((pod) => ({ ...pod, spec: { ...pod.spec, nodeSelector: {}, affinity } })) })[0]?.id,
    ).toBe("gpus-taken");
  });

  it("do not blame the taints of nodes that the pod does not want", () => {
    const other: LiveNode = {
      metadata: { name: "aks", labels: {} },
      spec: { taints: [{ key: "sku", value: "gpu", effect: "NoSchedule" }] },
    };
    const input = {
      ...pending("0/2 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable."),
      nodes: [gpuNode, other],
    };
    expect(findingsOf(input)[0]?.id).toBe("node-cordoned");
  });

  it("take an init container that is done for done", () => {
    const done = { name: "packages", state: { terminated: { exitCode: 0, reason: "Completed" } } };
    const input = withPod((pod) => ({
      ...pod,
      status: { phase: "Running", initContainerStatuses: [done], containerStatuses: [{ name: "vllm", state: { running: {} } }] },
    }));
    expect(findingsOf(input)).toEqual([]);
    const broken = withPod((pod) => ({
      ...pod,
      status: { phase: "Pending", initContainerStatuses: [{ ...done, state: { terminated: { exitCode: 1 } } }] },
    }));
    expect(findingsOf(broken).map((finding) => finding.id)).toEqual(["crash-loop"]);
  });

  it("see an ill node as ill, not as tainted", () => {
    const ill: LiveNode = { ...gpuNode, spec: { taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }] } };
    expect(findingsOf({ ...pending("0/1 nodes are available: 1 node(s) had untolerated taint(s)."), nodes: [ill] })[0]?.id).toBe(
      "node-ill",
    );
  });
});
