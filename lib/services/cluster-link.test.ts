import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import type { z } from "zod";
import { linkObjects } from "@/lib/domain/cluster-manifest";
// eslint-disable-next-line import/no-restricted-paths -- the set-up of this test starts the cluster that is linked
import { startTestSandbox, type TestSandbox } from "@/lib/embedded/cluster/testing/sandbox";
import { parseKubeconfig } from "@/lib/domain/kubeconfig";
import { inClusterCredentials } from "@/lib/platform/in-cluster";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { checkHealth } from "./cluster-health";
import { clustersCheck, clustersLink, clustersRelink, clustersSetRanges, clustersUnlink } from "./cluster-link";
import { kubeOf, saveCluster } from "./clusters";
import { clustersGet, clustersList } from "./clusters-read";
import { environmentsCreate, environmentsEdit, environmentsMove } from "./environment-writes";
import type { Operation } from "./operation";
import { execute } from "./pipeline";

process.env.DATABASE_URL ??= "postgresql://unused";
process.env.LECTERN_MASTER_KEY = randomBytes(32).toString("base64");
process.env.LECTERN_ALLOW_LOOPBACK = "1";

const database = useDatabase();
let sandbox: TestSandbox;
let owner: Awaited<ReturnType<typeof createPerson>>;
let viewer: Awaited<ReturnType<typeof createPerson>>;
let environmentId: string;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  environmentId = await createEnvironment(database.db, "staging");
  owner = await createPerson(database.db, "Owner", { isOwner: true });
  viewer = await createPerson(database.db, "Viewer", { roles: { [environmentId]: "viewer" } });
  for (const object of linkObjects("lectern-staging")) await sandbox.client.send({ method: "POST", path: collectionOf(object), body: JSON.parse(JSON.stringify(object)) });
});
afterAll(() => sandbox.remove());

function collectionOf({ apiVersion, kind, metadata }: { apiVersion: string; kind: string; metadata: { name: string; namespace?: string } }): string {
  const root = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
  return `${root}${metadata.namespace ? `/namespaces/${metadata.namespace}` : ""}/${kind.toLowerCase()}s`;
}

/** The sandbox's kubeconfig with another token: what the three commands print. */
function kubeconfigWith(token: string, change: (config: { users: { user: Record<string, unknown> }[] }) => void = () => undefined): string {
  const config: { users: { user: Record<string, unknown> }[] } = parse(sandbox.kubeconfig);
  for (const one of config.users) one.user = { token };
  change(config);
  return stringify(config);
}

async function accountToken(): Promise<string> {
  const path = "/api/v1/namespaces/lectern-staging/serviceaccounts/lectern/token";
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 86_400 } };
  const answer = await sandbox.client.send({ method: "POST", path, body });
  const { status }: { status: { token: string } } = JSON.parse(answer.text);
  return status.token;
}

const run = <I extends z.ZodType, O extends z.ZodType>(operation: Operation<I, O>, input: unknown, caller = owner.caller) => execute(operation, { db: database.db, caller, input });
const link = async (name: string, kubeconfig?: string) =>
  execute(clustersLink, { db: database.db, caller: owner.caller, input: { name, namespace: "lectern-staging", source: { kind: "kubeconfig", kubeconfig: kubeconfig ?? kubeconfigWith(await accountToken()) } } });
const get = (id: string) => execute(clustersGet, { db: database.db, caller: owner.caller, input: { id } });

describe("linking a cluster", () => {
  it("with the ready manifest's account has every needed right, no warning, and the token's own end", async () => {
    const { id, expiresAt, isClusterAdmin, version } = await link("Paris");
    expect({ isClusterAdmin, version }).toEqual({ isClusterAdmin: false, version: expect.stringMatching(/^v1\.36/) });
    expect(new Date(expiresAt ?? 0).getTime()).toBeGreaterThan(Date.now());
    const { cluster, rights } = await get(id);
    expect(rights?.filter((line) => line.level !== "fine")).toEqual([]);
    expect(cluster).toMatchObject({ health: expect.stringMatching(/fine|warning/), problem: "", linkedBy: "Owner", origin: "kubeconfig" });
    expect(cluster.latencyMs).toBeGreaterThanOrEqual(0);
  });

  it("with cluster-admin is warned about, on screen and in the audit trail", async () => {
    const { id } = await link("Admin", sandbox.kubeconfig);
    expect((await get(id)).cluster).toMatchObject({ health: "warning", warnings: [expect.stringContaining("cluster-admin")] });
    const event = await database.db.auditEvent.findFirstOrThrow({ where: { action: "clusters.link", targetId: id, outcome: "success" } });
    expect(event.record).toMatchObject({ detail: { isClusterAdmin: true } });
  });

  it("shows what is missing when the account's Role lacks it", async () => {
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    await sandbox.client.send({ method: "DELETE", path: `${rbac}/namespaces/lectern-staging/roles/lectern` });
    const { id } = await link("Poor");
    const lines = (await get(id)).rights ?? [];
    expect(lines.find((line) => line.id === "deployments")).toMatchObject({ level: "blocker", missing: ["get", "list", "watch", "create", "patch", "delete"] });
    const [role] = linkObjects("lectern-staging").filter((object) => object.kind === "Role");
    if (role) await sandbox.client.send({ method: "POST", path: collectionOf(role), body: JSON.parse(JSON.stringify(role)) });
    await run(clustersCheck, { id });
    expect(((await get(id)).rights ?? []).filter((line) => line.level === "blocker")).toEqual([]);
  });

  it.each([
    ["a token that the cluster does not know", () => kubeconfigWith("unknown-token"), "unprocessable", /refused the credential/],
    ["a program to run", () => kubeconfigWith("x", (config) => (config.users[0] = { ...config.users[0], user: { exec: { command: "touch" } } })), "invalid_input", /exec/],
    ["a file to read", () => kubeconfigWith("x", (config) => (config.users[0] = { ...config.users[0], user: { tokenFile: "/etc/passwd" } })), "invalid_input", /tokenFile/],
  ])("refuses %s and stores nothing", async (_what, kubeconfig, code, message) => {
    await expect(link("Refused", kubeconfig())).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(await database.db.cluster.count({ where: { name: "Refused" } })).toBe(0);
    expect(await database.db.auditEvent.count({ where: { action: "clusters.link", outcome: "failure" } })).toBeGreaterThan(0);
  });

  it("never shows the credential again: not in answers, not in the audit trail, not in clear in the database (D2)", async () => {
    const token = await accountToken();
    const answers = [await link("Canary", kubeconfigWith(token)), await run(clustersList, {})];
    const rows = [await database.db.cluster.findMany(), await database.db.auditEvent.findMany(), await database.db.liveEvent.findMany()];
    const text = JSON.stringify([answers, rows], (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value));
    const secret = token.split(".")[2] ?? token;
    expect(secret.length).toBeGreaterThan(20);
    expect(text).not.toContain(secret);
    const { sealedCredentials } = await database.db.cluster.findUniqueOrThrow({ where: { name: "Canary" } });
    expect(Buffer.from(sealedCredentials).includes(secret)).toBe(false);
  });

  it("by the cluster that Lectern runs in reads the mounted account", async () => {
    const folder = fs.mkdtempSync(path.join(sandbox.dataDir, "mounted-"));
    await expect(inClusterCredentials(folder, "10.96.0.1")).rejects.toMatchObject({ code: "unprocessable" });
    fs.writeFileSync(path.join(folder, "token"), "mounted-token\n");
    fs.writeFileSync(path.join(folder, "ca.crt"), "-----BEGIN CERTIFICATE-----");
    expect(await inClusterCredentials(folder, "10.96.0.1")).toMatchObject({ server: "https://10.96.0.1:443", token: "mounted-token" });
    await expect(run(clustersLink, { name: "Own", source: { kind: "in-cluster" } })).rejects.toMatchObject({ code: "unprocessable", message: expect.stringContaining("does not run in a cluster") });
  });
});

describe("a linked cluster", () => {
  it("gets a new credential and keeps its environments and deployments", async () => {
    const first = await link("Rotated");
    await database.db.environment.update({ where: { id: environmentId }, data: { clusterId: first.id } });
    const spec = { name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" };
    await database.db.deployment.create({ data: { environmentId, name: "ocr", spec } });
    const old = await kubeOf(database.db, first.id);
    const again = await execute(clustersRelink, { db: database.db, caller: owner.caller, input: { id: first.id, source: { kind: "kubeconfig", kubeconfig: sandbox.kubeconfig } } });
    expect(again.id).toBe(first.id);
    expect(again.fingerprint).not.toBe(first.fingerprint);
    expect(await kubeOf(database.db, first.id)).not.toBe(old);
    expect((await get(first.id)).cluster).toMatchObject({ deployments: 1, environments: [{ id: environmentId }] });
  });

  it("is seen by who has an environment there, and by nobody else", async () => {
    const seen = (await execute(clustersList, { db: database.db, caller: viewer.caller, input: {} })).clusters;
    expect(seen.map((one) => one.name)).toEqual(["Rotated"]);
    const other = await database.db.cluster.findUniqueOrThrow({ where: { name: "Paris" } });
    await expect(run(clustersGet, { id: other.id }, viewer.caller)).rejects.toMatchObject({ code: "not_found" });
  });

  it("stays linked while deployments run there, until they are to be forgotten", async () => {
    const { id } = await database.db.cluster.findUniqueOrThrow({ where: { name: "Rotated" } });
    await expect(run(clustersUnlink, { id })).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("1 deployment runs") });
    expect(await run(clustersUnlink, { id, forget: true })).toEqual({ name: "Rotated", forgotten: 1 });
    expect(await database.db.environment.findUniqueOrThrow({ where: { id: environmentId } })).toMatchObject({ clusterId: null });
    expect(await database.db.deployment.count({ where: { environmentId, deletedAt: null } })).toBe(0);
  });

  it("that is down says so, and keeps no list waiting", async () => {
    const { id } = await link("Down");
    const other = await startTestSandbox();
    const config = kubeconfigWith("x").replace(sandbox.url, other.url);
    await other.remove();
    await expect(link("Gone", config)).rejects.toMatchObject({ code: "unavailable" });
    await saveCluster(database.db, { name: "Down", kind: "linked", credentials: parseKubeconfig(config) });
    await database.db.environment.update({ where: { id: environmentId }, data: { clusterId: id } });
    expect(await checkHealth(database.db, id, new Date())).toMatch(/refused the connection/);
    expect(await database.db.liveEvent.count({ where: { topic: `environment:${environmentId}`, data: { path: ["clusterId"], equals: id } } })).toBe(1);
    const { clusters } = await execute(clustersList, { db: database.db, caller: owner.caller, input: {} });
    expect(clusters.map((one) => [one.name, one.health])).toEqual(expect.arrayContaining([["Paris", expect.not.stringMatching("down")], ["Down", "down"]]));
  });
});

describe("environments", () => {
  const place = async (name: string, namespace: string) => ({ clusterId: (await database.db.cluster.findUniqueOrThrow({ where: { name } })).id, namespace });

  it("are created on a linked cluster; production begins protected, and a namespace belongs to one of them", async () => {
    const input = { name: "Live", slug: "live", kind: "production", ...(await place("Paris", "lectern-live")) };
    const { id } = await execute(environmentsCreate, { db: database.db, caller: owner.caller, input });
    expect(await database.db.environment.findUniqueOrThrow({ where: { id } })).toMatchObject({ needsApproval: true, retentionHours: 24 });
    await expect(run(environmentsCreate, { ...input, slug: "live-2" })).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("belongs to Live") });
    await expect(run(environmentsCreate, { ...input, namespace: "other" })).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("live already") });
    await run(environmentsEdit, { id, name: "Live again", kind: "production", retentionHours: 0 });
    expect(await database.db.environment.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: "Live again", retentionHours: 0 });
  });

  it("move to another cluster while nothing runs in them, and lose their approvals", async () => {
    const to = await place("Paris", "lectern-staging");
    const approval = await database.db.approval.create({ data: { environmentId, digest: "0".repeat(64), title: "ocr", reason: "x", state: "approved", requestedById: owner.id, expiresAt: new Date(Date.now() + 1e6) } });
    await run(environmentsMove, { id: environmentId, ...to });
    expect(await database.db.environment.findUniqueOrThrow({ where: { id: environmentId } })).toMatchObject(to);
    expect(await database.db.approval.findUniqueOrThrow({ where: { id: approval.id } })).toMatchObject({ state: "void" });
    await database.db.deployment.create({ data: { environmentId, name: "held", spec: {} } });
    await expect(run(environmentsMove, { id: environmentId, clusterId: null, namespace: "x" })).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("private ranges", () => {
  it("are set by owners, checked and audited", async () => {
    await expect(run(clustersSetRanges, { ranges: ["0.0.0.0/0"] })).rejects.toMatchObject({ code: "invalid_input" });
    await run(clustersSetRanges, { ranges: ["10.20.0.0/16"] });
    expect(await run(clustersSetRanges, { ranges: [] })).toEqual({ before: ["10.20.0.0/16"] });
    await expect(run(clustersSetRanges, { ranges: [] }, viewer.caller)).rejects.toMatchObject({ code: "forbidden" });
  });
});
