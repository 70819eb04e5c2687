import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conditionOf } from "./agent/pod-status";
import { FAULT_ANNOTATION, type FaultName } from "./faults";
import { at, isObject, listAt, objectAt, put, textAt, type Json, type JsonObject } from "./json";
import type { TestClient } from "./testing/client";
import { generic, recordedNodes, scenario, type Scenario } from "./testing/recorded-scheduling";
import { startTestSandbox, type TestSandbox } from "./testing/sandbox";

let sandbox: TestSandbox;
let client: TestClient;

beforeAll(async () => {
  sandbox = await startTestSandbox({ speed: 100 });
  client = sandbox.client;
  await client.send({ method: "DELETE", path: "/api/v1/nodes" });
  for (const { name, labels, taints, extra } of recordedNodes) {
    const allocatable = { cpu: "4", memory: "16Gi", "ephemeral-storage": "200Gi", pods: "110", ...extra };
    const conditions = [{ type: "Ready", status: "True" }];
    await client.send({
      method: "POST",
      path: "/api/v1/nodes",
      body: {
        apiVersion: "v1",
        kind: "Node",
        metadata: { name, labels },
        spec: { taints },
        status: { capacity: allocatable, allocatable, conditions },
      },
    });
  }
});

afterAll(() => sandbox.remove());

async function deploy(item: Scenario, change: (deployment: JsonObject) => void = () => undefined): Promise<string> {
  const deployment = structuredClone(item.applied);
  delete objectAt(deployment, "spec", "template", "metadata").annotations;
  change(deployment);
  const namespace = textAt(deployment, "metadata", "namespace") ?? "";
  await client.send({
    method: "POST",
    path: "/api/v1/namespaces",
    body: { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
  });
  const answer = await client.apply(`/apis/apps/v1/namespaces/${namespace}/deployments/lightonocr`, deployment);
  expect(answer.status, answer.text).toBe(201);
  return namespace;
}

/** The pod of the namespace once it satisfies the test. */
async function podThat(namespace: string, isReached: (pod: Json) => boolean): Promise<Json> {
  const stream = await client.watch(`/api/v1/namespaces/${namespace}/pods?watch=1`);
  try {
    for await (const event of stream.lines) {
      const pod = isObject(event) ? (event.object ?? null) : null;
      if (textAt(event, "type") !== "DELETED" && isReached(pod)) return pod;
    }
  } finally {
    stream.close();
  }
  throw new Error("The watch of the pods ended early.");
}

function condition(object: Json, type: string): Json | undefined {
  return conditionOf(isObject(object) ? object : {}, type);
}

const isUnschedulable = (pod: Json): boolean => textAt(condition(pod, "PodScheduled"), "reason") === "Unschedulable";

async function cleanUp(namespace: string): Promise<void> {
  const stream = await client.watch(`/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3D${namespace}`);
  await client.send({ method: "DELETE", path: `/api/v1/namespaces/${namespace}` });
  for await (const event of stream.lines) if (textAt(event, "type") === "DELETED") break;
  stream.close();
}

describe.sequential("a pod that finds no node says so in the scheduler's words", () => {
  const waiting = [
    "missing toleration",
    "no node has the label",
    "CPU and memory request does not fit the node",
    "no GPU resource anywhere (no device plugin)",
    "claim does not exist",
  ];

  test.each(waiting)("%s", async (name) => {
    const item = scenario(name);
    const namespace = await deploy(item);
    const pod = await podThat(namespace, isUnschedulable);
    expect(textAt(condition(pod, "PodScheduled"), "message")).toBe(textAt(condition(item.pods[0] ?? null, "PodScheduled"), "message"));
    await cleanUp(namespace);
  });

  test("not enough GPUs for two replicas", async () => {
    const item = scenario("not enough GPUs for two replicas");
    const namespace = await deploy(item);
    const pod = await podThat(namespace, isUnschedulable);
    const expected = item.pods.find(isUnschedulable);
    expect(textAt(condition(pod, "PodScheduled"), "message")).toBe(textAt(condition(expected ?? null, "PodScheduled"), "message"));
    await cleanUp(namespace);
  });

  test("claim stays unbound", async () => {
    const item = scenario("claim stays unbound");
    const namespace = textAt(item.applied, "metadata", "namespace") ?? "";
    await client.send({
      method: "POST",
      path: "/api/v1/namespaces",
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    });
    const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "absent", resources: { requests: { storage: "40Gi" } } };
    await client.apply(`/api/v1/namespaces/${namespace}/persistentvolumeclaims/models`, {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "models", namespace },
      spec,
    });
    await deploy(item);
    const pod = await podThat(namespace, isUnschedulable);
    expect(textAt(condition(pod, "PodScheduled"), "message")).toBe(textAt(condition(item.pods[0] ?? null, "PodScheduled"), "message"));
    await cleanUp(namespace);
  });
});

describe.sequential("pods that may not be created", () => {
  test("quota forbids GPUs", async () => {
    const item = scenario("quota forbids GPUs");
    const namespace = textAt(item.applied, "metadata", "namespace") ?? "";
    await client.send({
      method: "POST",
      path: "/api/v1/namespaces",
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    });
    await client.send({
      method: "POST",
      path: `/api/v1/namespaces/${namespace}/resourcequotas`,
      body: { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q" }, spec: { hard: { "requests.nvidia.com/gpu": "0" } } },
    });
    await expectFailure(item, await deploy(item));
  });

  test("pod security is restricted", async () => {
    const item = scenario("pod security is restricted");
    const name = textAt(item.applied, "metadata", "namespace") ?? "";
    await client.send({
      method: "POST",
      path: "/api/v1/namespaces",
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { "pod-security.kubernetes.io/enforce": "restricted" } } },
    });
    await expectFailure(item, await deploy(item));
  });

  async function expectFailure(item: Scenario, namespace: string): Promise<void> {
    const isFailed = (object: Json): boolean => condition(object, "ReplicaFailure") !== undefined;
    const live = await client.until(`/apis/apps/v1/namespaces/${namespace}/deployments`, "lightonocr", isFailed);
    const failure = condition(live, "ReplicaFailure");
    const expected = condition(item.deployment, "ReplicaFailure");
    expect([textAt(failure, "reason"), generic(textAt(failure, "message"))]).toEqual([
      textAt(expected, "reason"),
      generic(textAt(expected, "message")),
    ]);
    await cleanUp(namespace);
  }
});

describe.sequential("containers that fail, by the annotation of the pod template", () => {
  const waitingReason = (pod: Json): string | undefined =>
    textAt(listAt(pod, "status", "containerStatuses")[0], "state", "waiting", "reason");
  const lastReason = (pod: Json): string | undefined =>
    textAt(listAt(pod, "status", "containerStatuses")[0], "lastState", "terminated", "reason");
  const cases: [string, FaultName, (pod: Json) => boolean][] = [
    ["image does not exist", "image-pull-error", (pod) => waitingReason(pod) === "ImagePullBackOff"],
    ["crash loop", "crash-loop", (pod) => waitingReason(pod) === "CrashLoopBackOff" && lastReason(pod) === "Error"],
    ["out of memory", "out-of-memory", (pod) => waitingReason(pod) === "CrashLoopBackOff" && lastReason(pod) === "OOMKilled"],
  ];

  test.each(cases)("%s", async (name, fault, isReached) => {
    const item = scenario(name);
    const namespace = await deploy(item, (deployment) =>
      put(deployment, ["spec", "template", "metadata", "annotations"], { [FAULT_ANNOTATION]: fault }),
    );
    const pod = await podThat(namespace, isReached);
    const [expected] = item.pods;
    expect(isReached(expected ?? null)).toBe(true);
    expect(at(pod, "status", "phase")).toBe(at(expected, "status", "phase"));
    expect(Object.keys(objectAt(listAt(pod, "status", "containerStatuses")[0])).sort()).toEqual(
      Object.keys(objectAt(listAt(expected, "status", "containerStatuses")[0])).sort(),
    );
    await cleanUp(namespace);
  });

  test("never ready past the progress deadline", async () => {
    const item = scenario("never ready past the progress deadline");
    const namespace = await deploy(item, (deployment) =>
      put(deployment, ["spec", "template", "metadata", "annotations"], { [FAULT_ANNOTATION]: "never-ready" }),
    );
    const isTimedOut = (object: Json): boolean => textAt(condition(object, "Progressing"), "reason") === "ProgressDeadlineExceeded";
    const live = await client.until(`/apis/apps/v1/namespaces/${namespace}/deployments`, "lightonocr", isTimedOut);
    expect(textAt(condition(live, "Progressing"), "status")).toBe("False");
    expect(generic(textAt(condition(live, "Progressing"), "message"))).toBe(
      generic(textAt(condition(item.deployment, "Progressing"), "message")),
    );
    await cleanUp(namespace);
  });
});

test.sequential("a rolling update deadlocks on one GPU, and Recreate does not", async () => {
  const isReady = (object: Json): boolean =>
    at(object, "status", "readyReplicas") === 1 && at(object, "status", "observedGeneration") === at(object, "metadata", "generation");
  const withImage = (tag: string) => (deployment: JsonObject) =>
    put(objectAt(listAt(deployment, "spec", "template", "spec", "containers")[0]), ["image"], `vllm/vllm-openai:${tag}`);
  const rolling = scenario("rolling update deadlock on one GPU");
  const namespace = await deploy(rolling, withImage("v0.30.0"));
  const collection = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await client.until(collection, "lightonocr", isReady);
  const next = structuredClone(rolling.applied);
  withImage("v0.31.0")(next);
  await client.apply(`${collection}/lightonocr`, next);
  const pending = await podThat(namespace, isUnschedulable);
  expect(textAt(condition(pending, "PodScheduled"), "message")).toBe(
    textAt(condition(rolling.pods.find(isUnschedulable) ?? null, "PodScheduled"), "message"),
  );
  put(next, ["spec", "strategy"], { type: "Recreate", rollingUpdate: null });
  await client.send({
    method: "PATCH",
    path: `${collection}/lightonocr`,
    body: { spec: { strategy: { type: "Recreate", rollingUpdate: null } } },
    contentType: "application/merge-patch+json",
  });
  const done = await client.until(
    collection,
    "lightonocr",
    (object) => isReady(object) && at(object, "status", "updatedReplicas") === 1 && at(object, "status", "replicas") === 1,
  );
  expect(textAt(listAt(done, "spec", "template", "spec", "containers")[0], "image")).toBe("vllm/vllm-openai:v0.31.0");
  await cleanUp(namespace);
});
