import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { at, isObject, listAt, objectAt, put, textAt, type Json, type JsonObject } from "./json";
import { makeDataDir, startEngine, startTestSandbox, type TestSandbox } from "./testing/sandbox";
import type { TestClient } from "./testing/client";

const namespace = "staging";
const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;

function deployment(): JsonObject {
  const labels = { "app.kubernetes.io/name": "ocr" };
  const container = {
    name: "vllm",
    image: "vllm/vllm-openai:v0.30.0",
    args: ["--model", "lightonai/LightOnOCR-3-0.8B", "--served-model-name", "lightonocr"],
    ports: [{ name: "http", containerPort: 8000 }],
    resources: { limits: { "nvidia.com/gpu": 1 }, requests: { cpu: "2", memory: "8Gi" } },
  };
  const spec = {
    nodeSelector: { "node.kubernetes.io/instance-type": "g6.xlarge" },
    terminationGracePeriodSeconds: 1,
    containers: [container],
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "ocr", namespace },
    spec: { replicas: 1, strategy: { type: "Recreate" }, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

const service: JsonObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "ocr", namespace },
  spec: { selector: { "app.kubernetes.io/name": "ocr" }, ports: [{ name: "http", port: 8000, targetPort: "http" }] },
};

const isReady = (object: Json): boolean => at(object, "status", "readyReplicas") === 1;

async function createNamespace(client: TestClient): Promise<void> {
  await client.send({
    method: "POST",
    path: "/api/v1/namespaces",
    body: { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
  });
}

async function runDeployment(client: TestClient): Promise<void> {
  await createNamespace(client);
  await client.apply(`/api/v1/namespaces/${namespace}/services/ocr`, service);
  await client.apply(`${deployments}/ocr`, deployment());
  await client.until(deployments, "ocr", isReady);
}

describe("a running deployment", () => {
  let sandbox: TestSandbox;
  let engine: Awaited<ReturnType<typeof startEngine>>;
  const proxy = `/api/v1/namespaces/${namespace}/services/http:ocr:8000/proxy`;
  let closedEarly: Promise<void>;

  beforeAll(async () => {
    let onClosed: () => void = () => undefined;
    closedEarly = new Promise((resolve) => (onClosed = resolve));
    engine = await startEngine((request, response) => {
      if (request.url === "/endless") {
        response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
        response.on("close", onClosed);
        return;
      }
      if (request.url === "/breaks") return void request.socket.destroy();
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ url: request.url, auth: request.headers.authorization ?? null, body: Buffer.concat(chunks).toString() })),
      );
    });
    sandbox = await startTestSandbox({ engineUrl: engine.url });
    await runDeployment(sandbox.client);
  });

  afterAll(async () => {
    await sandbox.remove();
    engine.close();
  });

  test("has a pod on the node that was asked for, with its events and log", async () => {
    const pods = listAt(await sandbox.client.get(`/api/v1/namespaces/${namespace}/pods`), "items");
    expect(textAt(pods[0], "spec", "nodeName")).toMatch(/^aws-g6-xlarge-/);
    const name = textAt(pods[0], "metadata", "name") ?? "";
    const events = listAt(
      await sandbox.client.get(`/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.name%3D${name}`),
      "items",
    );
    expect(events.map((event) => textAt(event, "reason")).sort()).toEqual(["Pulled", "Pulling", "Scheduled", "Started"]);
    const log = await sandbox.client.send({ path: `/api/v1/namespaces/${namespace}/pods/${name}/log?tailLines=1` });
    expect(log.text).toContain("Application startup complete");
  });

  test("answers through the service proxy, and keeps the caller's credential to itself", async () => {
    expect((await sandbox.client.send({ path: `${proxy}/health` })).status).toBe(200);
    expect(textAt(listAt(await sandbox.client.get(`${proxy}/v1/models`), "data")[0], "id")).toBe("lightonocr");
    const answer = await sandbox.client.send({ method: "POST", path: `${proxy}/v1/chat/completions?x=1`, body: { model: "lightonocr" } });
    expect(answer.body).toEqual({ url: "/v1/chat/completions?x=1", auth: null, body: '{"model":"lightonocr"}' });
  });

  test("keeps its connections usable when the engine breaks off in the middle of a page", async () => {
    const page = { image: "x".repeat(300_000) };
    for (let round = 0; round < 10; round += 1) {
      expect((await sandbox.client.send({ method: "POST", path: `${proxy}/breaks`, body: page })).status).toBe(503);
      expect((await sandbox.client.send({ path: `${proxy}/health` })).status).toBe(200);
    }
  });

  test("stops the engine when the client goes away", async () => {
    const stream = await sandbox.client.watch(`${proxy}/endless`);
    await stream.lines.next();
    stream.close();
    await closedEarly;
  });

  test("is applied again without a trace", async () => {
    const before = await sandbox.client.get(`${deployments}/ocr`);
    const again = await sandbox.client.apply(`${deployments}/ocr`, deployment());
    expect([again.status, textAt(again.body, "metadata", "resourceVersion")]).toEqual([200, textAt(before, "metadata", "resourceVersion")]);
  });

  test("is gone with everything it owned after a foreground delete", async () => {
    const stream = await sandbox.client.watch(`${deployments}?watch=1`);
    await sandbox.client.send({ method: "DELETE", path: `${deployments}/ocr?propagationPolicy=Foreground` });
    for await (const event of stream.lines) if (textAt(event, "type") === "DELETED") break;
    const left = await sandbox.client.get(`/apis/apps/v1/namespaces/${namespace}/replicasets`);
    expect(listAt(left, "items")).toEqual([]);
    expect((await sandbox.client.send({ path: `${proxy}/health` })).status).toBe(503);
  });
});

describe("watches", () => {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox();
    await createNamespace(sandbox.client);
  });
  afterAll(() => sandbox.remove());

  async function write(name: string): Promise<string> {
    const answer = await sandbox.client.send({
      method: "POST",
      path: configMaps,
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name } },
    });
    return textAt(answer.body, "metadata", "resourceVersion") ?? "";
  }

  async function first(stream: { lines: AsyncGenerator<Json> }): Promise<Json> {
    return (await stream.lines.next()).value ?? null;
  }

  test("resume after the version that the client has seen, without loss or repeat", async () => {
    const seen = await write("one");
    await write("two");
    const stream = await sandbox.client.watch(`${configMaps}?watch=1&resourceVersion=${seen}`);
    expect(textAt(await first(stream), "object", "metadata", "name")).toBe("two");
    await write("three");
    expect(textAt(await first(stream), "object", "metadata", "name")).toBe("three");
    stream.close();
  });

  test("stream a list and mark its end", async () => {
    const stream = await sandbox.client.watch(
      `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fieldSelector=metadata.name%3Done`,
    );
    expect(textAt(await first(stream), "type")).toBe("ADDED");
    const mark = await first(stream);
    expect([textAt(mark, "type"), textAt(mark, "object", "metadata", "annotations", "k8s.io/initial-events-end")]).toEqual([
      "BOOKMARK",
      "true",
    ]);
    stream.close();
  });
});

describe("an end", () => {
  test("waits for nobody, also not for a client that has connected and says nothing", async () => {
    const sandbox = await startTestSandbox();
    const silent = net.connect(Number(new URL(sandbox.url).port), "127.0.0.1");
    await once(silent, "connect");
    await sandbox.client.send({ path: "/version" }); // the server has seen both
    const left = once(silent, "close");
    await sandbox.remove();
    await left;
  });
});

describe("a restart", () => {
  test("keeps objects, port and credentials, and drops a torn last line", async () => {
    const dataDir = makeDataDir();
    const before = await startTestSandbox({ dataDir });
    await runDeployment(before.client);
    const kept = await before.client.get(`${deployments}/ocr`);
    await before.stop();
    fs.appendFileSync(path.join(dataDir, "state", "journal.ndjson"), '{"version":999999,"resource":"/configm');

    const after = await startTestSandbox({ dataDir });
    expect([after.url, after.kubeconfig]).toEqual([before.url, before.kubeconfig]);
    const found = await after.client.get(`${deployments}/ocr`);
    expect(textAt(found, "metadata", "uid")).toBe(textAt(kept, "metadata", "uid"));
    expect(objectAt(found, "spec")).toEqual(objectAt(kept, "spec"));
    await after.client.until(deployments, "ocr", isReady);
    await after.remove();
  });

  test("private files are readable by their owner only", async () => {
    const sandbox = await startTestSandbox();
    const modes = ["certificates.json", "secrets.json", "port", "state/journal.ndjson"].map(
      (file) => fs.statSync(path.join(sandbox.dataDir, file)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
    await sandbox.remove();
  });
});

describe("faults", () => {
  test("are switched on and off while it runs, for one namespace", async () => {
    const sandbox = await startTestSandbox();
    await createNamespace(sandbox.client);
    sandbox.faults.set("insufficient-gpu", namespace);
    await sandbox.client.apply(`${deployments}/ocr`, deployment());
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const stream = await sandbox.client.watch(`${pods}?watch=1`);
    for await (const event of stream.lines) {
      const conditions = isObject(event) ? listAt(event.object, "status", "conditions") : [];
      if (conditions.some((condition) => textAt(condition, "reason") === "Unschedulable")) break;
    }
    sandbox.faults.set(undefined, namespace);
    await sandbox.client.until(deployments, "ocr", isReady);
    await sandbox.remove();
  });
});

test("apply keeps what others own, and a list item goes only when nobody owns it", async () => {
  const sandbox = await startTestSandbox();
  const { client } = sandbox;
  await createNamespace(client);
  const mine = deployment();
  put(mine, ["spec", "replicas"], 0);
  await client.apply(`${deployments}/ocr`, mine);
  const other: JsonObject = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "ocr", namespace },
    spec: { template: { spec: { containers: [{ name: "vllm", env: [{ name: "A", value: "1" }] }] } } },
  };
  await client.apply(`${deployments}/ocr`, other, "fieldManager=other");
  const merged = await client.apply(`${deployments}/ocr`, mine);
  expect(listAt(listAt(merged.body, "spec", "template", "spec", "containers")[0], "env")).toEqual([{ name: "A", value: "1" }]);
  put(other, ["spec"], {});
  const without = await client.apply(`${deployments}/ocr`, other, "fieldManager=other");
  expect(listAt(listAt(without.body, "spec", "template", "spec", "containers")[0], "env")).toEqual([]);
  await sandbox.remove();
});
