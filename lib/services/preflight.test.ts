import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { parseKubeconfig } from "@/lib/domain/kubeconfig";
// eslint-disable-next-line import/no-restricted-paths -- the set-up of this test starts the cluster that is asked
import { startTestSandbox, type TestSandbox } from "@/lib/embedded/cluster/testing/sandbox";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { saveCluster } from "./clusters";
import { execute } from "./pipeline";
import { preflightCluster, preflightGet, preflightOf } from "./preflight";

process.env.DATABASE_URL ??= "postgresql://unused";
process.env.LECTERN_MASTER_KEY = randomBytes(32).toString("base64");

const database = useDatabase();
let sandbox: TestSandbox;
let environmentId: string, clusterId: string;
let viewer: Awaited<ReturnType<typeof createPerson>>;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  clusterId = await saveCluster(database.db, { name: "Sandbox", kind: "sandbox", credentials: parseKubeconfig(sandbox.kubeconfig) });
  environmentId = await createEnvironment(database.db, "staging");
  await database.db.environment.update({ where: { id: environmentId }, data: { clusterId } });
  viewer = await createPerson(database.db, "Viewer", { roles: { [environmentId]: "viewer" } });
});
afterAll(() => sandbox.remove());

const spec = (more: object = {}) => DeploymentSpec.parse({ name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", ...more });
const levels = async (wanted?: DeploymentSpec) => Object.fromEntries((await preflightOf(database.db, environmentId, wanted)).map((line) => [line.id, line.level]));
const blockers = async (wanted?: DeploymentSpec) => Object.entries(await levels(wanted)).flatMap(([id, level]) => (level === "blocker" ? [id] : []));
const post = (path: string, body: { apiVersion: string; kind: string; metadata: { name: string }; [key: string]: unknown }) => sandbox.client.send({ method: "POST", path, body: JSON.parse(JSON.stringify(body)) });
const patch = (path: string, body: object) => sandbox.client.send({ method: "PATCH", path, body: JSON.parse(JSON.stringify(body)), contentType: "application/merge-patch+json" });
const node = (name: string) => `/api/v1/nodes/${name}`;
const both = ["aws-g6-xlarge-1", "aws-g6-xlarge-2"];

describe("preflight on a live cluster", () => {
  it("finds no blocker for a deployment with the defaults, and names the GPUs by product", async () => {
    expect(await blockers(spec())).toEqual([]);
    const { pools, lines } = await execute(preflightCluster, { db: database.db, caller: viewer.caller, input: { clusterId } });
    expect(pools.find((pool) => pool.instanceType === "g6.xlarge")).toMatchObject({ product: "NVIDIA-L4", memoryMib: 23034, total: 2, free: 2, isShared: false });
    expect(lines.every((line) => line.level === "fine" || line.remedy !== "")).toBe(true);
  });

  it("sees a taint that the pod does not tolerate", async () => {
    for (const name of both) await patch(node(name), { spec: { taints: [{ key: "team", value: "a", effect: "NoSchedule" }] } });
    expect(await blockers(spec())).toEqual(["toleration"]);
    for (const name of both) await patch(node(name), { spec: { taints: null } });
  });

  it("sees a GPU that the cluster cannot give away", async () => {
    for (const name of both) await patch(`${node(name)}/status`, { status: { allocatable: { "nvidia.com/gpu": "0" } } });
    expect((await levels(spec()))["device-plugin"]).toBe("warning");
    expect(await blockers(spec())).toContain("free-gpu");
    for (const name of both) await patch(`${node(name)}/status`, { status: { allocatable: { "nvidia.com/gpu": "1" } } });
    expect(await blockers(spec())).toEqual([]);
  });

  it("sees cordoned nodes, and sizes that the cluster does not have", async () => {
    for (const name of both) await patch(node(name), { spec: { unschedulable: true } });
    expect(await blockers(spec())).toEqual(["placement"]);
    for (const name of both) await patch(node(name), { spec: { unschedulable: null } });
    expect(await blockers(spec({ skuId: "own-rtx-4090" }))).toContain("placement");
  });

  it("sees a quota and a limit range before the pods are refused", async () => {
    const namespace = "/api/v1/namespaces/lectern-staging";
    await post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "lectern-staging" } });
    await post(`${namespace}/resourcequotas`, { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "gpus" }, spec: { hard: { "requests.nvidia.com/gpu": "0" } } });
    await post(`${namespace}/limitranges`, { apiVersion: "v1", kind: "LimitRange", metadata: { name: "small" }, spec: { limits: [{ type: "Container", max: { memory: "2Gi" } }] } });
    expect((await blockers(spec())).sort()).toEqual(["limits", "quota"]);
    await sandbox.client.send({ method: "DELETE", path: `${namespace}/resourcequotas/gpus` });
    await sandbox.client.send({ method: "DELETE", path: `${namespace}/limitranges/small` });
    expect(await blockers(spec())).toEqual([]);
  });

  it("sees a storage class that is not there, and disks asked to serve many nodes", async () => {
    expect(await blockers(spec({ storageClass: "gp9" }))).toEqual(["claim"]);
    expect(await blockers(spec({ accessMode: "ReadWriteMany" }))).toEqual(["claim"]);
  });

  it("answers with one blocker when the cluster is down or missing", async () => {
    const other = await createEnvironment(database.db, "unlinked");
    const caller = (await createPerson(database.db, "Other", { roles: { [other]: "viewer" } })).caller;
    const get = async () => (await execute(preflightGet, { db: database.db, caller, input: { environmentId: other } })).lines;
    expect(await get()).toMatchObject([{ id: "cluster", level: "blocker", text: expect.stringContaining("has no cluster") }]);
    const gone = await startTestSandbox();
    await gone.remove();
    const down = await saveCluster(database.db, { name: "Down", kind: "sandbox", credentials: parseKubeconfig(gone.kubeconfig) });
    await database.db.environment.update({ where: { id: other }, data: { clusterId: down } });
    expect(await get()).toMatchObject([{ id: "cluster", level: "blocker", text: expect.stringContaining("refused the connection") }]);
    await expect(execute(preflightCluster, { db: database.db, caller, input: { clusterId } })).rejects.toMatchObject({ code: "not_found" });
  });
});
