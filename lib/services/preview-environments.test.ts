import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import type { TemplateInput } from "@/lib/domain/preview-environment";
import { newObjectKey } from "@/lib/platform/document-store";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { useSandbox } from "@/scripts/test/sandbox-place";
import { startClusterWatch } from "./cluster-watch";
import { environmentsList } from "./environments";
import { execute } from "./pipeline";
import { previewEnvironmentsList, previewEnvironmentsOpen, previewEnvironmentsRemove, type PreviewEnvironmentView } from "./preview-environments";
import { answerHook } from "./preview-environments-hook";
import { sweepPreviewEnvironments, tendPreviewEnvironments } from "./preview-environments-tend";
import { templatesCreate, templatesDelete } from "./preview-environments-templates";

process.env.LECTERN_ALLOW_LOOPBACK = "1";
process.env.LECTERN_DATA_DIR = mkdtempSync(path.join(tmpdir(), "previews-"));
const database = useDatabase();
const sandbox = useSandbox(database);

type Received = { method: string; url: string; authorization: string; body: string };
const received: Received[] = [];
let answerWith = 201;
let forge: Server, owner: Caller, reviewer: { id: string; caller: Caller };
let watch: ReturnType<typeof startClusterWatch>;
beforeAll(async () => {
  forge = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      received.push({ method: request.method ?? "", url: request.url ?? "", authorization: request.headers.authorization ?? "", body: Buffer.concat(parts).toString() });
      response.writeHead(answerWith, { "content-type": "application/json" }).end(JSON.stringify({ id: 4711 }));
    });
  });
  await new Promise<void>((resolve) => forge.listen(0, "127.0.0.1", resolve));
  owner = (await createPerson(database.db, "Owner", { isOwner: true })).caller;
  reviewer = await createPerson(database.db, "Reviewer");
  watch = startClusterWatch(database.db);
});
afterAll(async () => {
  await watch.stop();
  await new Promise((resolve) => forge.close(resolve));
  rmSync(process.env.LECTERN_DATA_DIR ?? "", { recursive: true, force: true });
});

let count = 0;
async function template(more: Partial<TemplateInput> & { forgeToken?: string } = {}) {
  count += 1;
  const spec = { name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", replicas: 1 };
  const apiUrl = `http://127.0.0.1:${(forge.address() as AddressInfo).port}/api/v3`; // a listening TCP server
  return execute(templatesCreate, { db: database.db, caller: owner, input: { name: `Template ${count}`, clusterId: sandbox.clusterId, spec, roles: [{ role: "analyst", member: { kind: "person", userId: reviewer.id } }], hoursToLive: 24, idleMinutes: 30, forge: "github", repository: "acme/portal", apiUrl, ...more } });
}
type Template = Awaited<ReturnType<typeof template>>;

const event = (action: string, number: number, more: object = {}) => ({ action, repository: { full_name: "acme/portal" }, pull_request: { number, title: "Read invoices", html_url: `https://github.com/acme/portal/pull/${number}`, merged: false, head: { sha: "abc" }, ...more }, at: randomUUID() });
function post({ id }: { id: string }, body: object, headers: Record<string, string>): Promise<Response> {
  return answerHook(database.db, id, new Request(`http://localhost/api/hooks/${id}`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) }));
}
const signed = (secret: string, body: object) => ({ "x-github-event": "pull_request", "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(JSON.stringify(body)).digest("hex")}` });
const github = (made: Template, body: object) => post(made, body, signed(made.hookSecret, body));
const tend = (now = new Date()) => tendPreviewEnvironments(database.db, now);
const list = async (caller = owner) => (await execute(previewEnvironmentsList, { db: database.db, caller, input: {} })).environments;
async function one(number: number): Promise<PreviewEnvironmentView> {
  const row = (await list()).find((each) => each.number === number);
  if (!row) throw new Error(`no environment for ${number}`);
  return row;
}
/** Keeps tending, on a clock that goes on, until the environment is as wanted. */
async function untilState(number: number, state: string): Promise<PreviewEnvironmentView> {
  let at = Date.now();
  await eventually(async () => {
    at += 40_000;
    await tend(new Date(at));
    return (await one(number)).state;
  }, 30_000).toBe(state);
  return one(number);
}
const inNamespace = async (namespace: string) => (await sandbox.kube.list<{ metadata: { name: string } }>({ apiVersion: "v1", resource: "namespaces" })).items.filter((item) => item.metadata.name === namespace).length;

describe("the environment of a pull request", () => {
  it("opens by GitHub's signed webhook, tells its address, and leaves nothing when it is merged", async () => {
    const made = await template({ forgeToken: "ghp_0123456789" });
    expect((await github(made, event("opened", 1))).status).toBe(202);
    const open = await untilState(1, "open");
    await tend();
    expect(received.at(-1)).toMatchObject({ method: "POST", url: "/api/v3/repos/acme/portal/issues/1/comments", authorization: "Bearer ghp_0123456789", body: expect.stringContaining(`/environments/${open.slug}`) });
    expect(await inNamespace(open.namespace)).toBe(1);
    await watch.stop();
    watch = startClusterWatch(database.db); // looks for new environments at once
    await eventually(async () => (await one(1)).deployment?.state, 20_000).toBe("ready");
    const held = () => database.db.nodeInterval.count({ where: { environmentId: open.environmentId, endedAt: null } });
    await eventually(held).toBe(1);
    expect((await list(reviewer.caller)).map((each) => each.number)).toEqual([]); // rights are those of the session; a new one sees it
    expect(await database.db.grant.findMany({ where: { environmentId: open.environmentId } })).toMatchObject([{ role: "analyst", userId: reviewer.id }]);
    expect(await database.db.schedule.findFirst({ where: { environmentId: open.environmentId } })).toMatchObject({ idleMinutes: 30 });
    await database.db.document.create({ data: { environmentId: open.environmentId, ownerId: reviewer.id, name: "a.pdf", mediaType: "application/pdf", bytes: 10, sha256: "0".repeat(64), pages: [], pageCount: 1, storageKey: newObjectKey(), expiresAt: new Date(Date.now() + 86_400_000) } });

    expect(await (await github(made, event("closed", 1, { merged: true }))).json()).toMatchObject({ state: "closing" });
    const removed = await untilState(1, "removed");
    expect(removed).toMatchObject({ endReason: "merged", proof: { objects: 0, documents: 0, openIntervals: 0 }, deployment: null });
    await eventually(() => inNamespace(open.namespace)).toBe(0);
    expect(await held()).toBe(0);
    expect(await database.db.grant.count({ where: { environmentId: open.environmentId } })).toBe(0);
    expect((await execute(environmentsList, { db: database.db, caller: owner, input: {} })).environments.map((each) => each.slug)).not.toContain(open.slug);
    await tend(new Date(Date.now() + 3_600_000));
    expect(received.at(-1)).toMatchObject({ method: "PATCH", url: "/api/v3/repos/acme/portal/issues/comments/4711", body: expect.stringContaining("it was merged") });
    const actions = (await database.db.auditEvent.findMany({ where: { environmentId: open.environmentId, outcome: "success" }, orderBy: { sequence: "asc" } })).map((each) => each.action);
    expect(actions).toEqual(["previewEnvironments.open", "deployments.apply", "previewEnvironments.remove", "deployments.delete", "previewEnvironments.removed"]);
  });

  it("is one for any number of pushes, and its time begins anew with each", async () => {
    const made = await template();
    await Promise.all([github(made, event("opened", 2)), github(made, event("synchronize", 2)), github(made, event("synchronize", 2))]);
    expect((await list()).filter((each) => each.number === 2)).toHaveLength(1);
    await untilState(2, "open");
    const before = (await one(2)).expiresAt;
    await github(made, event("synchronize", 2, { head: { sha: "def" } }));
    expect((await one(2)).commit).toBe("def");
    expect((await one(2)).expiresAt > before).toBe(true);
  });

  it("takes GitLab's token or a script's, and is removed by a person", async () => {
    const made = await template({ forge: "gitlab", repository: "acme/portal" });
    const body = { object_kind: "merge_request", project: { path_with_namespace: "acme/portal" }, object_attributes: { iid: 3, title: "t", url: "https://gitlab.com/x", action: "open", last_commit: { id: "abc" } } };
    expect((await post(made, body, { "x-gitlab-event": "Merge Request Hook", "x-gitlab-token": made.hookSecret })).status).toBe(202);
    expect((await post(made, { action: "open", number: 4 }, { authorization: `Bearer ${made.hookSecret}` })).status).toBe(202);
    await untilState(4, "open");
    await execute(previewEnvironmentsRemove, { db: database.db, caller: owner, input: { id: (await one(4)).id } });
    expect(await untilState(4, "removed")).toMatchObject({ endReason: "person" });
  });

  it("refuses what is not signed, signed otherwise, of another repository, or sent again", async () => {
    const made = await template();
    const body = event("opened", 5);
    const wrong: Record<string, string>[] = [{}, signed("another", body), { "x-gitlab-token": "another" }, { authorization: "Bearer another" }, signed(made.hookSecret, { ...body, action: "closed" })];
    for (const headers of wrong) expect((await post(made, body, headers)).status).toBe(401);
    expect((await post({ id: randomUUID() }, body, signed(made.hookSecret, body))).status).toBe(401);
    expect((await github(made, { ...body, repository: { full_name: "evil/portal" } })).status).toBe(403);
    expect(await database.db.auditEvent.count({ where: { action: "previewEnvironments.hook", decision: "denied" } })).toBe(5);
    expect((await github(made, body)).status).toBe(202);
    await github(made, event("closed", 5));
    expect(await (await github(made, body)).json()).toEqual({ state: "seen" });
    expect((await list()).filter((each) => each.number === 5)).toHaveLength(1);
    expect(await (await post(made, { zen: "…" }, { ...signed(made.hookSecret, { zen: "…" }), "x-github-event": "ping" })).json()).toEqual({ state: "ignored" });
  });

  it("ends when its time or its budget is over", async () => {
    const made = await template({ hoursToLive: 1, budget: 0.5 });
    await execute(previewEnvironmentsOpen, { db: database.db, caller: owner, input: { templateId: made.id, number: 6 } });
    await execute(previewEnvironmentsOpen, { db: database.db, caller: owner, input: { templateId: made.id, number: 7 } });
    await untilState(7, "open");
    const spent = { environmentId: (await one(7)).environmentId, node: "n", skuId: "aws-g6-xlarge", startedAt: new Date(Date.now() - 3 * 3_600_000), endedAt: new Date(), lastSeenAt: new Date() };
    await database.db.nodeInterval.create({ data: spent });
    await tend();
    expect(await one(7)).toMatchObject({ endReason: "budget", cost: { currency: "USD" } });
    await tend(new Date(Date.now() + 2 * 3_600_000));
    expect(await one(6)).toMatchObject({ endReason: "expired" });
    await untilState(6, "removed");
    await untilState(7, "removed");
  });

  it("says what stands in its way, and a forge that refuses a comment is said beside it", async () => {
    const made = await template({ spec: { name: "ocr", modelId: "lightonocr-3-4b", skuId: "aws-g4dn-xlarge" } as TemplateInput["spec"] }); // parsed by the operation
    await execute(previewEnvironmentsOpen, { db: database.db, caller: owner, input: { templateId: made.id, number: 8 } });
    await tend();
    expect(await one(8)).toMatchObject({ state: "opening", message: expect.stringMatching(/\S/) });
    answerWith = 403;
    await execute(previewEnvironmentsOpen, { db: database.db, caller: owner, input: { templateId: (await template({ forgeToken: "ghp_0123456789" })).id, number: 9 } });
    await untilState(9, "open");
    await eventually(async () => {
      await tend(new Date(Date.now() + 7_200_000));
      return (await one(9)).commentNote;
    }).toContain("may not write comments");
    answerWith = 201;
    expect(await execute(templatesDelete, { db: database.db, caller: owner, input: { id: made.id } })).toMatchObject({ closing: 1 });
    await untilState(8, "removed");
  });

  it("leaves no leftovers: what comes back under its name is swept away, and an administrator's namespace is not", async () => {
    const row = (await list()).find((each) => each.state === "removed");
    const make = async (name: string, labels: object) => (await sandbox.kube.send({ method: "POST", path: "/api/v1/namespaces", headers: { "content-type": "application/json" }, body: JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } }) })).cancel();
    await eventually(() => inNamespace(row?.namespace ?? "")).toBe(0);
    await make(row?.namespace ?? "", { "app.kubernetes.io/managed-by": "lectern" });
    await make("lectern-pr-99-somebody-elses", { "app.kubernetes.io/managed-by": "lectern" });
    expect(await sweepPreviewEnvironments(database.db, new Date())).toBe(1);
    await eventually(() => inNamespace(row?.namespace ?? "")).toBe(0);
    expect(await inNamespace("lectern-pr-99-somebody-elses")).toBe(1);
  });
});
