import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { models, skus } from "@/lib/domain/catalog";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { findingsOf, type FindingInput } from "@/lib/domain/finding";
import { parseKubeconfig } from "@/lib/domain/kubeconfig";
import { manifests } from "@/lib/domain/manifest";
import { assertAllowed } from "@/lib/domain/manifest/allowed";
import { rolloutOf } from "@/lib/domain/rollout";
import type { LiveClaim, LiveDeployment, LiveEvent, LiveNode, LivePod, LiveReplicaSet } from "@/lib/domain/rollout-objects";
// eslint-disable-next-line import/no-restricted-paths -- the set-up of this test starts the server that the client is tried on
import { createClock } from "@/lib/embedded/cluster/clock";
// eslint-disable-next-line import/no-restricted-paths -- see above
import { startSandboxCluster, type SandboxCluster } from "@/lib/embedded/cluster/start";
import { createKube, type Kube } from "../kube";
import { createSend } from "../send";
import { readText } from "../send-body";
import { serviceProxySend } from "./service-proxy";
import type { Watchable } from "./watch";

let cluster: SandboxCluster;
let engine: Server;
let kube: Kube;
let dataDir: string;

beforeAll(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "kube-client-"));
  engine = createServer((request, response) => void response.end(`engine saw ${request.url}`));
  await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
  const address = engine.address();
  const engineUrl = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  cluster = await startSandboxCluster({ dataDir, engineUrl, clock: createClock(1000) });
  const { server, ...credentials } = parseKubeconfig(cluster.kubeconfig);
  kube = createKube(createSend({ origin: server, ...credentials, allowLoopback: true }));
});
afterAll(async () => {
  await cluster.stop();
  engine.closeAllConnections();
  engine.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const context = (namespace: string) => ({ namespace, environmentId: "env", deploymentId: "dep", revision: 1, portalNamespace: null });

async function makeNamespace(name: string): Promise<void> {
  await kube
    .send({
      method: "POST",
      path: "/api/v1/namespaces",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
    })
    .then(readText);
}

async function deploy(namespace: string, input: { modelId: string; skuId: string }) {
  const objects = manifests(DeploymentSpec.parse({ name: "contracts", ...input }), context(namespace));
  assertAllowed(objects, { namespace, repositories: ["vllm/vllm-openai"] });
  for (const object of objects) await kube.apply(object);
}

/** Everything that the mappers read, after each change of any kind, until `until` holds. */
async function follow(namespace: string, until: (input: FindingInput) => boolean): Promise<FindingInput> {
  const kinds = {
    deployments: "apps/v1",
    replicasets: "apps/v1",
    pods: "v1",
    events: "v1",
    persistentvolumeclaims: "v1",
    nodes: "v1",
  } as const;
  type Kind = keyof typeof kinds;
  const held = new Map<Kind, Map<string, Watchable>>();
  const of = <T>(kind: Kind) => [...(held.get(kind)?.values() ?? [])] as unknown as T[];
  const listed = new Set<Kind>();
  const controller = new AbortController();
  const read = (): FindingInput => ({
    deployment: of<LiveDeployment>("deployments")[0] ?? null,
    replicaSets: of<LiveReplicaSet>("replicasets"),
    pods: of<LivePod>("pods"),
    events: of<LiveEvent>("events"),
    claims: of<LiveClaim>("persistentvolumeclaims"),
    nodes: of<LiveNode>("nodes"),
  });
  const watches = (Object.keys(kinds) as Kind[]).map((kind) => {
    const mine = new Map<string, Watchable>();
    held.set(kind, mine);
    const ref = { apiVersion: kinds[kind], resource: kind, ...(kind === "nodes" ? {} : { namespace }) };
    return kube.watchList<Watchable>(ref, {
      signal: controller.signal,
      on: (event) => {
        if (event.type === "list") listed.add(kind);
        if (event.type === "list") for (const item of event.items) mine.set(item.metadata.name, item);
        if (event.type === "change" && event.change === "DELETED") mine.delete(event.object.metadata.name);
        if (event.type === "change" && event.change !== "DELETED") mine.set(event.object.metadata.name, event.object);
        if (listed.size === 6 && until(read())) controller.abort();
      },
    });
  });
  await Promise.all(watches);
  return read();
}

describe("the sandbox cluster, spoken to like any other", () => {
  it("has the version that the recordings have", async () => {
    expect((await kube.version()).gitVersion).toMatch(/^v1\.36/);
    expect(await kube.mayI({ verb: "create", group: "apps", resource: "deployments", namespace: "default" })).toMatchObject({
      allowed: true,
    });
  });

  it("runs every model, answers through the service proxy, stops and deletes", async () => {
    await makeNamespace("proxy");
    await deploy("proxy", { modelId: "lightonocr-3-1b", skuId: "gcp-g2-standard-4" });
    await follow("proxy", (input) => rolloutOf(input).state === "ready");
    const send = serviceProxySend(kube, { namespace: "proxy", service: "contracts", port: 8000 });
    expect((await send({ method: "GET", path: "/health" })).status).toBe(200);
    expect(await readText(await send({ method: "POST", path: "/v1/chat/completions", body: "{}" }))).toBe(
      "engine saw /v1/chat/completions",
    );
    const ref = { apiVersion: "apps/v1", resource: "deployments", namespace: "proxy", name: "contracts" };
    await kube.scale(ref, 0);
    await follow("proxy", (input) => rolloutOf(input).state === "stopped");
    expect((await send({ method: "GET", path: "/health" })).status).toBe(503);
    const { metadata } = await kube.get<Watchable>(ref);
    await expect(kube.remove(ref, { uid: "another" })).rejects.toMatchObject({ code: "conflict" });
    await kube.remove(ref, { propagation: "Foreground", uid: metadata.uid });
    await follow("proxy", (input) => input.deployment === null && input.pods.length === 0);
  });

  it("dry-runs without a trace, and applies twice without a change", async () => {
    await makeNamespace("twice");
    const [object] = manifests(DeploymentSpec.parse({ name: "a", modelId: "lightonocr-3-4b", skuId: "aws-g6-xlarge" }), context("twice"));
    if (!object) throw new Error("no object");
    const ref = { apiVersion: "v1", resource: "serviceaccounts", namespace: "twice", name: "a" };
    expect((await kube.apply(object, { dryRun: true })).created).toBe(true);
    await expect(kube.get(ref)).rejects.toMatchObject({ code: "not_found" });
    const first = await kube.apply<Watchable>(object);
    const second = await kube.apply<Watchable>(object);
    expect([first.created, second.created]).toEqual([true, false]);
    expect(second.object.metadata.resourceVersion).toBe(first.object.metadata.resourceVersion);
  });

  const served = [
    "aws-g6-xlarge",
    "aws-p4d-24xlarge",
    "gcp-a2-highgpu-1g",
    "azure-nv36ads-a10-v5",
    "azure-nc40ads-h100-v5",
    "scaleway-l4-1-24g",
    "scaleway-h100-1-80g",
    "own-l40s",
  ];
  it.each(skus.filter((sku) => served.includes(sku.id)).map((sku, index) => [sku.id, models[index % models.length]?.id ?? ""]))(
    "finds a node for %s and serves %s",
    async (skuId, modelId) => {
      await makeNamespace(`on-${skuId}`);
      await deploy(`on-${skuId}`, { modelId, skuId });
      const input = await follow(`on-${skuId}`, (each) => rolloutOf(each).state === "ready");
      expect(findingsOf(input)).toEqual([]);
    },
  );

  it.each([
    ["gpu-out-of-memory", "gpu-memory"],
    ["driver-too-old", "driver-too-old"],
  ] as const)("explains the fault %s from the log of the container before", async (fault, id) => {
    const namespace = `log-${fault}`;
    await makeNamespace(namespace);
    cluster.faults.set(fault, namespace);
    await deploy(namespace, { modelId: "lightonocr-3-0.8b", skuId: "aws-g6e-xlarge" });
    const input = await follow(
      namespace,
      (each) => findingsOf(each)[0]?.id === "crash-loop" && (each.pods[0]?.status?.containerStatuses?.[0]?.restartCount ?? 0) > 0,
    );
    const name = input.pods[0]?.metadata.name ?? "";
    const log = await kube.log({ namespace, name }, { previous: true, tailLines: 200 });
    expect(findingsOf({ ...input, logs: { [name]: log } })[0]?.id).toBe(id);
    await kube.remove({ apiVersion: "apps/v1", resource: "deployments", namespace, name: "contracts" });
  });

  it.each([
    ["untolerated-taint", ["missing-toleration"]],
    ["no-matching-node", ["no-such-node"]],
    ["insufficient-gpu", ["gpus-taken"]],
    ["insufficient-resources", ["request-too-large"]],
    ["no-device-plugin", ["no-device-plugin"]],
    ["claim-unbound", ["claim-unbound", "storage-class-missing"]],
    ["quota-exceeded", ["quota"]],
    ["pod-security", ["pod-security"]],
    ["image-pull-error", ["image-not-found"]],
    ["crash-loop", ["crash-loop"]],
    ["out-of-memory", ["host-memory"]],
    ["claim-not-found", ["claim-missing"]],
    ["volume-held", ["volume-held"]],
    ["never-ready", ["never-ready"]],
  ] as const)("explains the fault %s", async (fault, ids) => {
    const namespace = `fault-${fault}`;
    await makeNamespace(namespace);
    cluster.faults.set(fault, namespace);
    await deploy(namespace, { modelId: "lightonocr-3-0.8b", skuId: "aws-g5-xlarge" });
    const expected: readonly (string | undefined)[] = ids;
    const input = await follow(namespace, (each) => expected.includes(findingsOf(each)[0]?.id));
    expect(findingsOf(input).length).toBeGreaterThan(0);
    await kube.remove({ apiVersion: "apps/v1", resource: "deployments", namespace, name: "contracts" });
  });
});
