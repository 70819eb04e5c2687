import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { PERMISSIONS, SYSTEM } from "@/lib/domain/policy";
import { db } from "@/lib/platform/db";
import { dispatch } from "@/lib/platform/http";
import { serveMcp } from "@/lib/platform/mcp";
import { callerOf, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { makeSession, makeToken } from "@/scripts/test/principals";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { serveRoute } from "@/scripts/test/serve-route";
import { approvalsList } from "./approval-list";
import { approvalsApprove, approvalsBypass, approvalsRequest } from "./approvals";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsApply } from "./deployment-writes";
import { execute } from "./pipeline";
import { door } from "./registry";

const database = useDatabase();
process.env.LECTERN_LOG_LEVEL = "silent";
const sandbox = useSandbox(database);
const PORTAL = "http://localhost:3000";

type Person = Awaited<ReturnType<typeof createPerson>>;
let place: Place;
let asker: Person, colleague: Person, admin: Person, owner: Person;

beforeAll(async () => {
  process.env.DATABASE_URL = database.url;
  place = await sandbox.place("protected");
  await database.db.environment.update({ where: { id: place.environmentId }, data: { kind: "production", needsApproval: true } });
  const roles = (role: "deployer" | "admin") => ({ roles: { [place.environmentId]: role } });
  asker = await createPerson(database.db, "Asker", roles("deployer"));
  colleague = await createPerson(database.db, "Colleague", roles("deployer"));
  admin = await createPerson(database.db, "Admin", roles("admin"));
  owner = await createPerson(database.db, "Owner", { isOwner: true });
});
afterAll(() => db().$disconnect());

const specOf = (name: string, more: object = {}) => ({ name, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", ...more });

async function previewed(name: string, { deploymentId = randomUUID() as string, more = {} } = {}) {
  const shown = await execute(deploymentsPreview, { db: database.db, caller: asker.caller, input: { environmentId: place.environmentId, deploymentId, spec: specOf(name, more) } });
  if (!shown.digest) throw new Error(shown.blockers.join(" "));
  return { deploymentId, digest: shown.digest, needsApproval: shown.needsApproval };
}
const ask = (digest: string) => execute(approvalsRequest, { db: database.db, caller: asker.caller, input: { environmentId: place.environmentId, digest, reason: "the new model" } });
const approve = (id: string) => execute(approvalsApprove, { db: database.db, caller: owner.caller, input: { id, reason: "looks right" } });
const apply = (digest: string, caller: Caller = asker.caller, now?: Date) => execute(deploymentsApply, { db: database.db, caller, input: { digest }, ...(now ? { now } : {}) });
const revisions = (deploymentId: string) => database.db.revision.count({ where: { deploymentId } });
const standsInCluster = (name: string) => sandbox.kube.get({ apiVersion: "apps/v1", resource: "deployments", namespace: place.namespace, name }).then(() => true, () => false);

describe("applying where somebody else must approve (A9)", () => {
  it("is refused before anything reaches the cluster, and goes through once exactly this version is approved", async () => {
    const { digest, deploymentId, needsApproval } = await previewed("gated");
    expect(needsApproval).toBe(true);
    await expect(apply(digest)).rejects.toMatchObject({ code: "forbidden", message: expect.stringContaining("Ask for one") });
    expect([await revisions(deploymentId), await standsInCluster("gated")]).toEqual([0, false]);
    const { id } = await ask(digest);
    await expect(apply(digest)).rejects.toMatchObject({ code: "forbidden", message: expect.stringContaining("nobody has decided") });
    await approve(id);
    const seen = async (person: Person) => (await execute(approvalsList, { db: database.db, caller: person.caller, input: { digest } })).approvals[0]?.mayUse;
    expect([await seen(asker), await seen(owner)]).toEqual([true, false]);
    await expect(apply(digest, owner.caller)).rejects.toMatchObject({ code: "forbidden", message: expect.stringContaining("yourself") });
    await apply(digest);
    expect([await revisions(deploymentId), await standsInCluster("gated")]).toEqual([1, true]);
    expect(await database.db.approval.findUniqueOrThrow({ where: { id } })).toMatchObject({ state: "used", usedById: asker.id });
  });

  it("does not take the approval of what was edited afterwards", async () => {
    const first = await previewed("edited");
    await approve((await ask(first.digest)).id);
    const edited = await previewed("edited", { deploymentId: first.deploymentId, more: { maxModelLen: 12000 } });
    expect(edited.digest).not.toBe(first.digest);
    await expect(apply(edited.digest)).rejects.toMatchObject({ code: "forbidden" });
    expect(await revisions(first.deploymentId)).toBe(0);
  });

  it("does not take it in another environment: the digest there is another one", async () => {
    const { digest, deploymentId } = await previewed("moved");
    await approve((await ask(digest)).id);
    const there = await sandbox.place("protected-too");
    await database.db.environment.update({ where: { id: there.environmentId }, data: { needsApproval: true } });
    const elsewhere = await createPerson(database.db, "Elsewhere", { roles: { [there.environmentId]: "deployer" } });
    const shown = await execute(deploymentsPreview, { db: database.db, caller: elsewhere.caller, input: { environmentId: there.environmentId, deploymentId: randomUUID(), spec: specOf("moved") } });
    await expect(apply(shown.digest ?? "", elsewhere.caller)).rejects.toMatchObject({ code: "forbidden" });
    await expect(apply(digest, elsewhere.caller)).rejects.toMatchObject({ code: "not_found" });
    expect(await revisions(deploymentId)).toBe(0);
  });

  it("does not take it a day later", async () => {
    const { digest, deploymentId } = await previewed("late");
    await approve((await ask(digest)).id);
    const late = new Date(Date.now() + 25 * 3_600_000);
    await expect(apply(digest, asker.caller, late)).rejects.toMatchObject({ code: expect.stringMatching(/forbidden|expired/) });
    expect(await revisions(deploymentId)).toBe(0);
  });

  it("takes it once when two use it at the same moment", async () => {
    const { digest, deploymentId } = await previewed("twice");
    await approve((await ask(digest)).id);
    const both = await Promise.allSettled([apply(digest), apply(digest, colleague.caller)]);
    expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await revisions(deploymentId)).toBe(1);
  });
});

describe("the gate by four doors (A10)", () => {
  let digest: string;
  beforeAll(async () => {
    digest = (await previewed("doors")).digest;
  });

  const viaHttp = (headers: Record<string, string>) => dispatch(door, "deployments.apply", new Request(`${PORTAL}/api/deployments.apply`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify({ digest }) }));
  const token = () => makeToken(database.db, asker.id, { environmentIds: null, permissions: [...PERMISSIONS] });

  it("answers browser, token and scheduler the same sentence", async () => {
    const session = await makeSession(database.db, asker.id);
    const answers = await Promise.all([viaHttp({ ...session.headers, origin: PORTAL, "sec-fetch-site": "same-origin" }), viaHttp((await token()).headers)]);
    const problems = await Promise.all(answers.map(async (answer) => ({ status: answer.status, ...((await answer.json()) as { code: string; detail: string }) })));
    const scheduler = await apply(digest, { ...callerOf({ ...SYSTEM, name: "scheduler" }), origin: "scheduler" }).catch((error: Error) => error.message);
    const sentence = "protected needs an approval by somebody else for exactly this version. Ask for one.";
    expect(problems.map(({ status, code, detail }) => [status, code, detail])).toEqual([[403, "forbidden", sentence], [403, "forbidden", sentence]]);
    expect(scheduler).toBe(sentence);
  });

  it("offers MCP no way to apply at all", async () => {
    const server = await serveRoute((request) => serveMcp(door, request, "0.1.0"));
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.origin), { requestInit: { headers: (await token()).headers } }));
    await expect(client.callTool({ name: "deployments_apply", arguments: { digest } })).rejects.toThrow("There is no tool deployments_apply.");
    await client.close();
    await server.close();
  });

  it("opens by a bypass only to the admin who declared it, with an event of its own beside the apply", async () => {
    const { digest: wanted, deploymentId } = await previewed("bypassed");
    const bypass = (person: Person) => execute(approvalsBypass, { db: database.db, caller: person.caller, input: { environmentId: place.environmentId, digest: wanted, reason: "outage at night" } });
    await expect(bypass(asker)).rejects.toMatchObject({ code: "forbidden" });
    const { id } = await bypass(admin);
    await expect(apply(wanted)).rejects.toMatchObject({ code: "forbidden" });
    await apply(wanted, admin.caller);
    expect(await revisions(deploymentId)).toBe(1);
    const { approvals } = await execute(approvalsList, { db: database.db, caller: colleague.caller, input: { isBypass: true } });
    expect(approvals).toMatchObject([{ id, isBypass: true, state: "used", requestedBy: "Admin", reason: "outage at night", deploymentId }]);
    const trail = await database.db.auditEvent.findMany({ where: { action: { in: ["approvals.bypass", "deployments.apply"] }, outcome: "success" }, orderBy: { sequence: "desc" }, take: 2 });
    expect(trail.map((event) => event.action)).toEqual(["deployments.apply", "approvals.bypass"]);
  });
});
