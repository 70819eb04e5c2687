import { afterAll, beforeAll, describe, expect, it } from "vitest";
// eslint-disable-next-line import/no-restricted-paths -- the set-up of this test starts the cluster that is watched
import { createClock } from "@/lib/embedded/cluster/clock";
// eslint-disable-next-line import/no-restricted-paths -- see above
import { startSandboxCluster, type SandboxCluster } from "@/lib/embedded/cluster/start";
// eslint-disable-next-line import/no-restricted-paths -- see above
import { TestClient } from "@/lib/embedded/cluster/testing/client";
// eslint-disable-next-line import/no-restricted-paths -- see above
import { makeDataDir } from "@/lib/embedded/cluster/testing/sandbox";
import { parseKubeconfig } from "@/lib/domain/kubeconfig";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { saveCluster } from "./clusters";
import { startClusterWatch } from "./cluster-watch";

process.env.LECTERN_LOG_LEVEL = "silent";
process.env.LECTERN_DATA_DIR ??= makeDataDir();
process.env.DATABASE_URL ??= "postgresql://unused";
process.env.LECTERN_MASTER_KEY ??= Buffer.alloc(32, 7).toString("base64");

const database = useDatabase();
const clock = createClock(60);
const now = () => new Date(clock.now());
let cluster: SandboxCluster, kube: TestClient, environmentId: string, watch: ReturnType<typeof startClusterWatch>;
const NAMESPACE = "lectern-metered";

const deployment = (replicas: number) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "ocr", namespace: NAMESPACE },
  spec: {
    replicas,
    strategy: { type: "Recreate" },
    selector: { matchLabels: { "app.kubernetes.io/instance": "ocr" } },
    template: {
      metadata: { labels: { "app.kubernetes.io/instance": "ocr" } },
      spec: { nodeSelector: { "node.kubernetes.io/instance-type": "g6.xlarge" }, containers: [{ name: "vllm", image: "vllm/vllm-openai:v0.30.0", resources: { limits: { "nvidia.com/gpu": "1" } } }] },
    },
  },
});
const apply = (replicas: number) => kube.apply(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments/ocr`, deployment(replicas));
type Pod = { metadata: { uid: string; name: string; deletionTimestamp?: string }; spec: { nodeName?: string }; status: { conditions?: { type: string; lastTransitionTime: string; status: string }[] } };
const pods = async () => ((await kube.get(`/api/v1/namespaces/${NAMESPACE}/pods`)) as unknown as { items: Pod[] }).items;
const killings = async () => ((await kube.get(`/api/v1/namespaces/${NAMESPACE}/events`)) as unknown as { items: { reason: string; involvedObject: { uid: string }; lastTimestamp?: string; eventTime?: string }[] }).items.filter((one) => one.reason === "Killing");
const placedAt = (pod: Pod | undefined) => pod?.status.conditions?.find((one) => one.type === "PodScheduled" && one.status === "True")?.lastTransitionTime;
const intervals = (use = "held") => database.db.nodeInterval.findMany({ where: { environmentId, use }, orderBy: { startedAt: "asc" } });
const placed = async () => (await pods()).find((pod) => placedAt(pod) && !pod.metadata.deletionTimestamp);

beforeAll(async () => {
  cluster = await startSandboxCluster({ dataDir: makeDataDir(), engineUrl: "http://127.0.0.1:1", clock });
  kube = new TestClient(cluster.kubeconfig);
  await kube.send({ method: "POST", path: "/api/v1/namespaces", body: { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } } });
  const clusterId = await saveCluster(database.db, { name: "Sandbox", kind: "sandbox", credentials: parseKubeconfig(cluster.kubeconfig) });
  ({ id: environmentId } = await database.db.environment.create({ data: { slug: "metered", name: "Metered", kind: "staging", namespace: NAMESPACE, clusterId } }));
  const spec = { name: "ocr", modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge" };
  await database.db.deployment.create({ data: { environmentId, name: "ocr", spec } });
  watch = startClusterWatch(database.db, now);
});

afterAll(async () => {
  await watch?.stop();
  await cluster?.stop();
});

describe("node intervals of a real cluster API", () => {
  it("begin at the pod's placement, in the cluster's own time, at the node's region", async () => {
    await apply(1);
    await eventually(async () => (await intervals()).length).toBe(1);
    const [pod] = await pods();
    expect((await intervals())[0]).toMatchObject({ podUid: pod?.metadata.uid, node: pod?.spec.nodeName, region: "us-east-1", mode: "on_demand", share: 1, startedAt: new Date(placedAt(pod) ?? ""), endedAt: null });
  });

  it("end with the pod while it is watched; the node that stays is shown as kept", async () => {
    await apply(0);
    await eventually(async () => (await intervals())[0]?.endSource === "observed" && (await intervals())[0]?.endedAt !== null).toBe(true);
    expect(await pods()).toEqual([]);
    const [held] = await intervals();
    await eventually(async () => (await intervals("kept")).filter((one) => one.endedAt === null).length).toBe(1);
    const kept = (await intervals("kept")).find((one) => one.endedAt === null);
    expect(kept).toMatchObject({ node: held?.node, startedAt: held?.endedAt });
  });

  it("are the cluster's truth after an outage in which pods went, came, and came and went", async () => {
    await apply(1);
    await eventually(async () => (await intervals()).filter((one) => one.endedAt === null).length).toBe(1);
    const first = (await intervals()).find((one) => one.endedAt === null);
    await watch.stop();
    await apply(0); // the pod that was being watched goes
    await eventually(async () => (await pods()).length).toBe(0);
    await apply(1); // one comes and goes
    await eventually(async () => (await placed()) !== undefined).toBe(true);
    const second = await placed();
    await apply(0);
    await eventually(async () => (await pods()).length).toBe(0);
    await apply(1); // and one stays
    await eventually(async () => (await placed()) !== undefined).toBe(true);
    const third = await placed();
    watch = startClusterWatch(database.db, now);
    await eventually(async () => (await intervals()).length).toBe(4);
    const told = new Map((await killings()).map((one) => [one.involvedObject.uid, new Date(one.lastTimestamp ?? one.eventTime ?? "")]));
    const rows = new Map((await intervals()).map((one) => [one.podUid, one]));
    expect(rows.get(first?.podUid ?? "")).toMatchObject({ endSource: "event", endedAt: told.get(first?.podUid ?? "") });
    expect(rows.get(second?.metadata.uid ?? "")).toMatchObject({ startSource: "event", startedAt: new Date(placedAt(second) ?? ""), endSource: "event", endedAt: told.get(second?.metadata.uid ?? "") });
    expect(rows.get(third?.metadata.uid ?? "")).toMatchObject({ startedAt: new Date(placedAt(third) ?? ""), endedAt: null });
  });

  it("count a node once: what is kept ends where a pod takes it", async () => {
    const all = await database.db.nodeInterval.findMany({ where: { environmentId }, orderBy: { startedAt: "asc" } });
    for (const one of all) {
      const overlaps = all.filter((other) => other.id !== one.id && other.node === one.node && other.startedAt < (one.endedAt ?? now()) && (other.endedAt ?? now()) > one.startedAt && other.startedAt >= one.startedAt);
      expect(overlaps.map(({ use, startedAt, endedAt }) => ({ use, startedAt, endedAt }))).toEqual([]);
    }
  });
});
