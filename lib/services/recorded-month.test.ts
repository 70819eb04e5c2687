import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseKubeconfig } from "@/lib/domain/kubeconfig";
import { writeCsv } from "@/lib/domain/csv";
// eslint-disable-next-line import/no-restricted-paths -- the set-up of this test starts the cluster that is watched
import { startSandboxCluster, type SandboxCluster } from "@/lib/embedded/cluster/start";
// eslint-disable-next-line import/no-restricted-paths -- see above
import { TestClient } from "@/lib/embedded/cluster/testing/client";
// eslint-disable-next-line import/no-restricted-paths -- see above
import { makeDataDir } from "@/lib/embedded/cluster/testing/sandbox";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { ownFolder } from "@/scripts/test/gateway-place";
import { createVirtualClock } from "@/scripts/test/virtual-clock";
import { startClusterWatch } from "./cluster-watch";
import { saveCluster } from "./clusters";
import { costsReport } from "./costs";
import { importsCreate } from "./imports";
import { execute } from "./pipeline";
import { pricesSet } from "./prices";
import { countPages } from "./usage-log";

ownFolder();
const at = useDatabase();
const clock = createVirtualClock("2026-10-01T00:00:00Z");
const now = () => new Date(clock.now());
const NAMESPACE = "lectern-october";
const dataDir = makeDataDir();
let cluster: SandboxCluster, kube: TestClient, watch: ReturnType<typeof startClusterWatch>;
let environmentId: string, deploymentId: string, owner: Awaited<ReturnType<typeof createPerson>>;

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
const scale = (replicas: number) => kube.apply(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments/ocr`, deployment(replicas));
type Pod = { metadata: { name: string; deletionTimestamp?: string }; spec: { nodeName?: string }; status: { conditions?: { type: string; status: string }[] } };
const pods = async () => ((await kube.get(`/api/v1/namespaces/${NAMESPACE}/pods`)) as unknown as { items: Pod[] }).items;
const placed = async () => (await pods()).filter((pod) => pod.spec.nodeName && !pod.metadata.deletionTimestamp);
const held = () => at.db.nodeInterval.findMany({ where: { environmentId, use: "held" }, orderBy: { startedAt: "asc" } });
const open = async () => (await held()).filter(({ endedAt }) => endedAt === null);

const isReady = (pod: Pod) => pod.status.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;

/** Lets the pod that was placed come to serve, second by second. */
async function serve(): Promise<void> {
  await eventually(async () => {
    await clock.travel(clock.now() + 1_000);
    return (await placed()).map(isReady);
  }).toEqual([true]);
}

/** A start that is watched: the pod is placed at this very second. */
async function start(time: string): Promise<void> {
  await clock.travel(time);
  await scale(1);
  await eventually(async () => (await placed()).length).toBe(1);
  await eventually(async () => (await open()).length).toBe(1);
  await serve();
}

/** A pod that is told to end at this second is gone one second later. */
async function gone(time: string): Promise<void> {
  const end = Date.parse(time) + 1_000;
  await eventually(() => clock.isAwaited(end)).toBe(true);
  await clock.travel(end);
}

async function stop(time: string): Promise<void> {
  await clock.travel(time);
  await scale(0);
  await gone(time);
  await eventually(async () => (await open()).length).toBe(0);
}

const read = async (time: string, pages: number, feature: "batch" | "gateway" = "batch") => {
  const use = { at: new Date(time), environmentId, deploymentId, modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge", feature, userId: owner.id, tokenId: null, promptTokens: 2900, completionTokens: 1160, seconds: 1.2 };
  const uses = Array.from({ length: pages }, () => ({ id: randomUUID(), ...use }));
  await at.db.$transaction((tx) => countPages(tx, uses));
  await at.db.$transaction((tx) => countPages(tx, uses)); // a second count of the same pages changes nothing
};
const reportOf = (id: string) => execute(costsReport, { db: at.db, caller: owner.caller, input: { environmentId: id, month: "2026-10", offerIds: ["textract-detect-text"] }, now: new Date("2026-11-05T00:00:00Z") });
const call = (input: object) => ({ db: at.db, caller: owner.caller, input, now: now() });

beforeAll(async () => {
  cluster = await startSandboxCluster({ dataDir, engineUrl: "http://127.0.0.1:1", clock });
  kube = new TestClient(cluster.kubeconfig);
  await kube.send({ method: "POST", path: "/api/v1/namespaces", body: { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } } });
  const clusterId = await saveCluster(at.db, { name: "Sandbox", kind: "sandbox", credentials: parseKubeconfig(cluster.kubeconfig) });
  ({ id: environmentId } = await at.db.environment.create({ data: { slug: "october", name: "October", kind: "staging", namespace: NAMESPACE, clusterId } }));
  ({ id: deploymentId } = await at.db.deployment.create({ data: { environmentId, name: "ocr", spec: { name: "ocr", modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge" } } }));
  owner = await createPerson(at.db, "Owner", { isOwner: true });
  await at.db.setting.create({ data: { key: "costs", value: { timeZone: "Europe/Paris", countFrom: "pod", rawDays: 400 } } });
  watch = startClusterWatch(at.db, now);
});
afterAll(async () => {
  await watch?.stop();
  await cluster?.stop();
});

describe("a recorded month", () => {
  it("is driven through starts, stops, a restart, an outage, a lost watch, a replaced node, a new price and the end of summer time", async () => {
    await start("2026-10-01T08:00:00Z");
    await read("2026-10-01T09:00:00Z", 120);
    await stop("2026-10-03T08:00:00Z");

    await start("2026-10-05T06:00:00Z");
    await clock.travel("2026-10-05T09:50:00Z");
    await watch.stop(); // Lectern is restarted while nothing changes
    await clock.travel("2026-10-05T10:10:00Z");
    watch = startClusterWatch(at.db, now);
    await read("2026-10-05T23:30:00Z", 30);

    await clock.travel("2026-10-06T06:00:00Z");
    await watch.stop(); // and is away while the pod goes and another comes
    await clock.travel("2026-10-06T06:10:00Z");
    await scale(0);
    await gone("2026-10-06T06:10:00Z");
    await eventually(async () => (await pods()).length).toBe(0);
    await clock.travel("2026-10-06T06:20:00Z");
    await scale(1);
    await eventually(async () => (await placed()).length).toBe(1);
    await serve();
    await clock.travel("2026-10-06T06:30:00Z");
    watch = startClusterWatch(at.db, now);
    await eventually(async () => (await held()).map(({ endedAt }) => endedAt?.toISOString() ?? "open")).toEqual(["2026-10-03T08:00:01.000Z", "2026-10-06T06:10:00.000Z", "open"]);

    await clock.travel("2026-10-10T12:00:00Z");
    const away = async (port?: number) => {
      await cluster.stop();
      cluster = await startSandboxCluster({ dataDir, engineUrl: "http://127.0.0.1:1", clock, ...(port === undefined ? {} : { port }) });
      kube = new TestClient(cluster.kubeconfig);
    };
    await away(0); // the cluster's API is out of reach: the watch is lost, and the pod goes meanwhile
    await clock.travel("2026-10-10T12:00:30Z");
    await scale(0);
    await gone("2026-10-10T12:00:30Z");
    await eventually(async () => (await pods()).length).toBe(0);
    await away();
    await eventually(async () => (await open()).length, 30_000).toBe(0);

    await start("2026-10-10T13:00:00Z");
    await clock.travel("2026-10-12T13:00:00Z");
    const [pod] = await placed();
    const first = pod?.spec.nodeName ?? "";
    await kube.send({ method: "PATCH", path: `/api/v1/nodes/${first}`, contentType: "application/merge-patch+json", body: { spec: { unschedulable: true } } });
    await kube.send({ method: "DELETE", path: `/api/v1/namespaces/${NAMESPACE}/pods/${pod?.metadata.name}` });
    await gone("2026-10-12T13:00:00Z");
    await eventually(async () => (await open()).map(({ node }) => node !== first)).toEqual([true]);
    await serve();
    await kube.send({ method: "DELETE", path: `/api/v1/nodes/${first}` });
    await eventually(async () => (await at.db.nodeInterval.findMany({ where: { environmentId, node: first, endedAt: null } })).length).toBe(0);

    await clock.travel("2026-10-15T12:00:00Z");
    await execute(pricesSet, call({ draft: { kind: "node", skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand", perHour: "1.00", currency: "USD", effectiveFrom: "2026-10-15T12:00:00Z", source: "the new contract", asOf: "2026-10-15" } }));
    await read("2026-10-20T10:00:00Z", 200, "gateway");
    await read("2026-10-25T01:30:00Z", 50); // the hour that Paris has twice
    await stop("2026-10-26T08:00:00Z");
    await read("2026-10-31T22:59:59Z", 7); // the last second of October in Paris
    await read("2026-10-31T23:00:00Z", 11); // and the first of November
  }, 120_000);

  it("has every interval to the second", async () => {
    const rows = (await held()).map(({ startedAt, endedAt, endSource }) => [startedAt.toISOString().slice(5, 19), endedAt?.toISOString().slice(5, 19), endSource]);
    expect(rows).toEqual([
      ["10-01T08:00:00", "10-03T08:00:01", "observed"],
      ["10-05T06:00:00", "10-06T06:10:00", "event"],
      ["10-06T06:20:00", "10-10T12:00:30", "event"],
      ["10-10T13:00:00", "10-12T13:00:01", "observed"],
      ["10-12T13:00:00", "10-26T08:00:01", "observed"],
    ]);
  });

  it("shows exactly the expected pages, hours, cost, idle time and sentence", async () => {
    const { report, sentence, inferredHours } = await reportOf(environmentId);
    const plain = (text: string | undefined) => text?.replaceAll(/[\u202f\u00a0]/g, " ");
    expect(report.pages).toBe(120 + 30 + 200 + 50 + 7);
    // To the new price: 48:00:01 + 24:10:00 + 101:40:30 + 48:00:01 + 71:00:00 = 1,054,232 s. From it: 260:00:01 = 936,001 s.
    expect(report.self.lines.map(({ use, hours, perHour, cost }) => [use, hours, perHour?.amount, cost?.amount])).toEqual([
      ["held", "292.84", "0.8048", "235.679420444"],
      ["held", "260.00", "1.00", "260.000277778"],
    ]);
    expect(report.self.total?.amount).toBe("495.679698222");
    expect(report.self.hours).toBe("552.84");
    // 407 pages at 0.87 a second keep a node busy for 468 s.
    expect(report.self.idle?.hours).toBe("552.71");
    expect([report.coverage.daysElapsed, inferredHours]).toEqual([31, "0.00"]);
    expect(plain(sentence)).toBe("In October, 407 pages cost 495.68 USD on your GPUs; Textract would have charged 0.61 USD. The month ended 495.07 USD dearer than Textract; self-hosting wins from 486 667 pages a month.");
    const day = (key: string) => report.days.find((one) => one.day === key);
    expect(report.days).toHaveLength(31);
    expect([day("2026-10-05")?.pages, day("2026-10-06")?.pages]).toEqual([120, 150]); // 23:30 UTC is the next day in Paris
    // The 25th has 25 hours in Paris.
    const spent = (key: string) => Number(day(key)?.costs.self ?? NaN);
    expect([spent("2026-10-24") - spent("2026-10-23"), spent("2026-10-25") - spent("2026-10-24")].map((cost) => cost.toFixed(6))).toEqual(["24.000000", "25.000000"]);
    expect(report.days.at(-1)?.costs.self).toBe(report.self.total?.amount);
  });

  it("is the same page when the month is imported from CSV", async () => {
    const { id } = await at.db.environment.create({ data: { slug: "copy", name: "October", kind: "staging", namespace: "copy" } });
    const intervals = await at.db.nodeInterval.findMany({ where: { environmentId }, orderBy: { startedAt: "asc" } });
    const hours = await at.db.usageHour.findMany({ where: { environmentId }, orderBy: { hour: "asc" } });
    const nodes = writeCsv([["from", "to", "node", "sku", "region", "mode", "share", "use"], ...intervals.map((one) => [one.startedAt.toISOString(), (one.endedAt ?? new Date("2026-11-05T00:00:00Z")).toISOString(), one.node, one.skuId, one.region, one.mode, String(one.share), one.use])]);
    const pages = writeCsv([["hour", "pages", "sku", "model", "feature"], ...hours.map((one) => [one.hour.toISOString(), String(one.pages), one.skuKey, one.modelId, one.feature])]);
    await execute(importsCreate, call({ environmentId: id, kind: "nodes", fileName: "nodes.csv", text: nodes }));
    await execute(importsCreate, call({ environmentId: id, kind: "pages", fileName: "pages.csv", text: pages }));
    const [logged, imported] = [await reportOf(environmentId), await reportOf(id)];
    expect(imported.report).toEqual(logged.report);
    expect(imported.sentence).toBe(logged.sentence);
  });
});
