import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseKubeconfig } from "@/lib/domain/kubeconfig";
// eslint-disable-next-line import/no-restricted-paths -- the set-up of this test starts the cluster that is asked
import { startEngine, startTestSandbox, type TestSandbox } from "@/lib/embedded/cluster/testing/sandbox";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { saveCluster } from "./clusters";
import { costsReport } from "./costs";
import { execute } from "./pipeline";
import { readCounters } from "./usage-counters";
import { countPage } from "./usage-log";

process.env.LECTERN_LOG_LEVEL = "silent";
process.env.DATABASE_URL ??= "postgresql://unused";
process.env.LECTERN_MASTER_KEY ??= Buffer.alloc(32, 7).toString("base64");

const database = useDatabase();
let sandbox: TestSandbox, engine: Awaited<ReturnType<typeof startEngine>>;
let environmentId: string, deploymentId: string, owner: Awaited<ReturnType<typeof createPerson>>;
const NAMESPACE = "lectern-outside";
const pods = `/api/v1/namespaces/${NAMESPACE}/pods`;

const body = (replicas: number) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "ocr", namespace: NAMESPACE },
  spec: {
    replicas,
    selector: { matchLabels: { "app.kubernetes.io/instance": "ocr" } },
    template: { metadata: { labels: { "app.kubernetes.io/instance": "ocr" } }, spec: { containers: [{ name: "vllm", image: "vllm/vllm-openai:v0.30.0", resources: { limits: { "nvidia.com/gpu": "1" } } }] } },
  },
});
type Pod = { metadata: { name: string; deletionTimestamp?: string }; status: { conditions?: { type: string; status: string }[] } };
const ready = async () => ((await sandbox.client.get(pods)) as unknown as { items: Pod[] }).items.filter((pod) => !pod.metadata.deletionTimestamp && pod.status.conditions?.some((one) => one.type === "Ready" && one.status === "True"));
const apply = (replicas: number) => sandbox.client.apply(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments/ocr`, body(replicas));
const ask = async (pod: string, times: number) => {
  for (let time = 0; time < times; time += 1) expect((await sandbox.client.send({ method: "POST", path: `${pods}/${pod}:8000/proxy/v1/chat/completions`, body: {} })).status).toBe(200);
};
const outside = async () => (await execute(costsReport, { db: database.db, caller: owner.caller, input: { environmentId } })).outside?.requests;
const own = (count: number) =>
  database.db.$transaction(async (tx) => {
    for (let page = 0; page < count; page += 1) await countPage(tx, { id: randomUUID(), at: new Date(), environmentId, deploymentId, modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge", feature: "gateway", userId: null, tokenId: null, promptTokens: 1, completionTokens: 1, seconds: 1 });
  });
const names = async () => (await ready()).map((pod) => pod.metadata.name);

beforeAll(async () => {
  engine = await startEngine((request, response) => void request.resume().on("end", () => response.setHeader("content-type", "application/json").end("{}")));
  sandbox = await startTestSandbox({ engineUrl: engine.url });
  await sandbox.client.send({ method: "POST", path: "/api/v1/namespaces", body: { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } } });
  const clusterId = await saveCluster(database.db, { name: "Sandbox", kind: "sandbox", credentials: parseKubeconfig(sandbox.kubeconfig) });
  environmentId = await createEnvironment(database.db, "outside");
  await database.db.environment.update({ where: { id: environmentId }, data: { clusterId, namespace: NAMESPACE } });
  owner = await createPerson(database.db, "Owner", { isOwner: true });
  ({ id: deploymentId } = await database.db.deployment.create({ data: { environmentId, name: "ocr", state: "ready", spec: { name: "ocr", modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge" } } }));
});
afterAll(async () => {
  await sandbox?.remove();
  engine?.close();
});

describe("traffic outside the portal", () => {
  it("is what the engines of several pods answered beyond the portal's own pages, never counted twice", async () => {
    await apply(2);
    await eventually(async () => (await ready()).length).toBe(2);
    const [first = "", second = ""] = await names();
    await ask(first, 5);
    await ask(second, 4);
    await own(3);
    await readCounters(database.db, new Date());
    expect(await outside()).toBe(6);
    await readCounters(database.db, new Date());
    expect(await outside()).toBe(6);
    await ask(first, 2);
    await own(2);
    await readCounters(database.db, new Date());
    expect(await outside()).toBe(6);
  });

  it("goes on counting over a restart of the pods, whose counters begin at zero", async () => {
    await apply(0);
    await eventually(async () => (await ready()).length).toBe(0);
    await apply(1);
    await eventually(async () => (await ready()).length).toBe(1);
    const [third = ""] = await names();
    await ask(third, 3);
    await readCounters(database.db, new Date());
    expect(await outside()).toBe(9);
  });

  it("is not part of the month's pages", async () => {
    const { report } = await execute(costsReport, { db: database.db, caller: owner.caller, input: { environmentId } });
    expect(report.pages).toBe(5);
  });

  it("is that of the organisation's month, whose days are summed and whose edges are read by the hour", async () => {
    const { db } = database;
    await db.setting.create({ data: { key: "costs", value: { timeZone: "Europe/Paris", countFrom: "pod", rawDays: 400 } } });
    const elsewhere = await createEnvironment(db, "edges");
    const [busy, quiet] = [randomUUID(), randomUUID()];
    const hours = Array.from({ length: 800 }, (_, index) => new Date(Date.UTC(2026, 9, 30, index)));
    await db.engineHour.createMany({ data: hours.flatMap((hour, index) => [{ environmentId: elsewhere, deploymentId: busy, hour, requests: BigInt(index), own: 2n }, { environmentId: elsewhere, deploymentId: quiet, hour, requests: 1n, own: 5n }]) });
    await db.engineHour.updateMany({ where: { deploymentId: busy, hour: hours[300]! }, data: { requests: { increment: 1000n } } });
    const november = hours.map((hour, index) => ({ hour, gain: index - 2 })).filter(({ hour }) => hour >= new Date("2026-10-31T23:00:00Z") && hour < new Date("2026-11-30T23:00:00Z"));
    expect(november).toHaveLength(720);
    const { outside: found } = await execute(costsReport, { db, caller: owner.caller, input: { environmentId: elsewhere, month: "2026-11" } });
    expect(found?.requests).toBe(november.reduce((sum, { gain }) => sum + gain, 1000)); // and nothing for the quiet one, whose own count is the larger
  });
});
