import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseKubeconfig } from "@/lib/domain/kubeconfig";
// eslint-disable-next-line import/no-restricted-paths -- the set-up of this test starts the cluster that is asked
import { startEngine, startTestSandbox, type TestSandbox } from "@/lib/embedded/cluster/testing/sandbox";
import { createEnvironment } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { saveCluster } from "./clusters";
import { recordAllHealth } from "./health-look";

process.env.LECTERN_LOG_LEVEL = "silent";
process.env.DATABASE_URL ??= "postgresql://unused";
process.env.LECTERN_MASTER_KEY ??= Buffer.alloc(32, 7).toString("base64");

const database = useDatabase();
const NAMESPACE = "lectern-health";
const pods = `/api/v1/namespaces/${NAMESPACE}/pods`;
let sandbox: TestSandbox, engine: Awaited<ReturnType<typeof startEngine>>;
type Pod = { metadata: { name: string; deletionTimestamp?: string }; status: { conditions?: { type: string; status: string }[] } };
const ready = async () => ((await sandbox.client.get(pods)) as unknown as { items: Pod[] }).items.filter((pod) => !pod.metadata.deletionTimestamp && pod.status.conditions?.some((one) => one.type === "Ready" && one.status === "True"));
const ask = async (pod: string, times: number) => {
  for (let time = 0; time < times; time += 1) expect((await sandbox.client.send({ method: "POST", path: `${pods}/${pod}:8000/proxy/v1/chat/completions`, body: {} })).status).toBe(200);
};

beforeAll(async () => {
  engine = await startEngine((request, response) => void request.resume().on("end", () => response.setHeader("content-type", "application/json").end("{}")));
  sandbox = await startTestSandbox({ engineUrl: engine.url });
  await sandbox.client.send({ method: "POST", path: "/api/v1/namespaces", body: { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } } });
  const clusterId = await saveCluster(database.db, { name: "Sandbox", kind: "sandbox", credentials: parseKubeconfig(sandbox.kubeconfig) });
  const environmentId = await createEnvironment(database.db, "health");
  await database.db.environment.update({ where: { id: environmentId }, data: { clusterId, namespace: NAMESPACE } });
  await database.db.deployment.create({ data: { environmentId, name: "ocr", state: "ready", spec: { name: "ocr", modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge" } } });
  const labels = { "app.kubernetes.io/instance": "ocr" };
  const container = { name: "vllm", image: "vllm/vllm-openai:v0.30.0", resources: { limits: { "nvidia.com/gpu": "1" } } };
  await sandbox.client.apply(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments/ocr`, { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "ocr", namespace: NAMESPACE }, spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } } });
});
afterAll(async () => {
  await sandbox?.remove();
  engine?.close();
});

describe("a deployment's history", () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 10, 30, 12, 0, seconds));
  it("adds up what every pod counted since the last look, and one look more changes nothing", async () => {
    await eventually(async () => (await ready()).length, 20_000).toBe(2);
    const [first, second] = await ready();
    await ask(first?.metadata.name ?? "", 5);
    await recordAllHealth(database.db, at(0));
    await ask(first?.metadata.name ?? "", 3);
    await ask(second?.metadata.name ?? "", 2);
    await recordAllHealth(database.db, at(60));
    await recordAllHealth(database.db, at(120));
    expect(await database.db.healthSample.findMany()).toMatchObject([{ at: at(0), pages: 5, truncated: 0, restarts: 0, seconds: 120, kvUse: null }]);
    await recordAllHealth(database.db, at(301));
    expect(await database.db.healthSample.count()).toBe(2);
  });

  it("is not written for what sleeps", async () => {
    await database.db.deployment.updateMany({ data: { state: "working", spec: { name: "ocr", modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge", replicas: 0 } } });
    await recordAllHealth(database.db, at(901));
    expect(await database.db.healthSample.count()).toBe(2);
  });
});
