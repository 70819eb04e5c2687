import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { APPROVAL_VALID_MS } from "@/lib/domain/approval";
import type { Caller } from "@/lib/domain/caller";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { approvalsGet, approvalsList } from "./approval-list";
import { environmentsSetRules } from "./approval-rules";
import { approvalsApprove, approvalsBypass, approvalsReject, approvalsRequest, assertApproved, isApproved } from "./approvals";
import { execute } from "./pipeline";

process.env.DATABASE_URL ??= "postgresql://unused";

const database = useDatabase();
type Person = Awaited<ReturnType<typeof createPerson>>;
let production: string, staging: string;
let owner: Person, admin: Person, deployer: Person, approver: Person, grouped: Person;
let digest: string;

beforeAll(async () => {
  [production, staging] = [await createEnvironment(database.db, "production"), await createEnvironment(database.db, "staging")];
  owner = await createPerson(database.db, "Owner", { isOwner: true });
  admin = await createPerson(database.db, "Admin", { roles: { [production]: "admin" } });
  deployer = await createPerson(database.db, "Deployer", { roles: { [production]: "deployer", [staging]: "deployer" } });
  approver = await createPerson(database.db, "Approver", { roles: { [production]: "deployer" } });
  grouped = await createPerson(database.db, "Grouped", { roles: { [production]: "viewer" }, groups: ["release"] });
  const approvers = [{ kind: "person", userId: approver.id }, { kind: "group", group: "release" }];
  await execute(environmentsSetRules, { db: database.db, caller: admin.caller, input: { environmentId: production, needsApproval: true, approvers } });
});

const newDigest = () => randomUUID().replaceAll("-", "").repeat(2);

async function preview(environmentId = production, deploymentId: string = randomUUID()): Promise<string> {
  const made = newDigest();
  const spec = { name: "contracts" };
  await database.db.preview.create({ data: { digest: made, environmentId, deploymentId, number: 1, spec, manifests: [], live: [], shown: { summary: [] }, expiresAt: new Date(Date.now() + 60_000) } });
  return made;
}

beforeEach(async () => {
  digest = await preview();
});

const request = (person = deployer, wanted = digest) => execute(approvalsRequest, { db: database.db, caller: person.caller, input: { environmentId: production, digest: wanted, reason: "the new model" } });
const approve = (id: string, caller: Caller = approver.caller, now?: Date) => execute(approvalsApprove, { db: database.db, caller, input: { id }, ...(now ? { now } : {}) });
const use = (person = deployer, { environmentId = production, wanted = digest, now = new Date() } = {}) =>
  database.db.$transaction((tx) => assertApproved(tx, { environmentId, digest: wanted, actor: person.caller.actor, now }));
const approved = async () => approve((await request()).id);

describe("an environment that asks for an approval (A9)", () => {
  it("lets nothing through without one, and exactly the approved version once with one", async () => {
    await expect(use()).rejects.toMatchObject({ code: "forbidden", message: expect.stringContaining("Ask for one") });
    const { id } = await approved();
    const seen = { environmentId: production, digest, actor: deployer.caller.actor, now: new Date() };
    expect(await isApproved(database.db, seen)).toBe(true);
    expect(await use()).toBe(id);
    await expect(use()).rejects.toMatchObject({ code: "forbidden", message: expect.stringContaining("has been used") });
    expect(await isApproved(database.db, seen)).toBe(false);
  });

  it.each([
    ["whoever asked, by themselves", async () => approve((await request(approver)).id, approver.caller)],
    ["an owner who asked", async () => approve((await request(owner)).id, owner.caller)],
    ["a deployer whom the rules do not name", async () => approve((await request(approver)).id, deployer.caller)],
    ["an admin whom the rules do not name", async () => approve((await request()).id, admin.caller)],
  ])("is not satisfied by %s; the attempt is audited", async (_what, attempt) => {
    const before = await database.db.auditEvent.count({ where: { action: "approvals.approve", decision: "denied" } });
    await expect(attempt()).rejects.toMatchObject({ code: "forbidden" });
    expect(await database.db.auditEvent.count({ where: { action: "approvals.approve", decision: "denied" } })).toBe(before + 1);
    await expect(use()).rejects.toMatchObject({ code: "forbidden" });
  });

  it("is not satisfied by an approver who then applies it alone", async () => {
    await approved();
    await expect(use(approver)).rejects.toMatchObject({ code: "forbidden", message: expect.stringContaining("yourself") });
  });

  it("does not take the approval of another version, nor of another environment", async () => {
    await approved();
    await expect(use(deployer, { wanted: newDigest() })).rejects.toMatchObject({ code: "forbidden" });
    await database.db.environment.update({ where: { id: staging }, data: { needsApproval: true } });
    await expect(use(deployer, { environmentId: staging })).rejects.toMatchObject({ code: "forbidden" });
    await database.db.environment.update({ where: { id: staging }, data: { needsApproval: false } });
    expect(await use(deployer, { environmentId: staging })).toBeNull();
  });

  it("does not take one that is older than 24 hours", async () => {
    await approved();
    await expect(use(deployer, { now: new Date(Date.now() + APPROVAL_VALID_MS + 1000) })).rejects.toMatchObject({ message: expect.stringContaining("24 hours") });
  });

  it("lets one of two through that come at the same moment", async () => {
    await approved();
    const both = await Promise.allSettled([use(), use(deployer)]);
    expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("forgets what was granted when a newer version of the deployment is asked about", async () => {
    const deploymentId = randomUUID();
    const [first, second] = [await preview(production, deploymentId), await preview(production, deploymentId)];
    await approve((await request(deployer, first)).id);
    await request(deployer, second);
    await expect(use(deployer, { wanted: first })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("keeps the preview as long as the approval may be used, and shows it", async () => {
    const { id } = await approved();
    const kept = await database.db.preview.findUniqueOrThrow({ where: { digest } });
    expect(kept.expiresAt.getTime()).toBeGreaterThan(Date.now() + APPROVAL_VALID_MS - 60_000);
    expect(await execute(approvalsGet, { db: database.db, caller: grouped.caller, input: { id } })).toMatchObject({ digest, preview: { shown: { summary: [] } } });
  });

  it("refuses a request about what nobody previewed", async () => {
    await expect(request(deployer, newDigest())).rejects.toMatchObject({ code: "unprocessable" });
  });
});

describe("a decision", () => {
  it("is made by a member of a named group, once", async () => {
    const { id } = await request();
    const seen = async (person: Person) => (await execute(approvalsList, { db: database.db, caller: person.caller, input: { digest } })).approvals[0]?.refusal;
    expect([await seen(grouped), await seen(deployer)]).toEqual([null, expect.stringContaining("yourself")]);
    await approve(id, grouped.caller);
    await expect(approve(id)).rejects.toMatchObject({ code: "forbidden" });
    expect(await database.db.auditEvent.count({ where: { action: "approvals.approve", targetId: id, outcome: "success" } })).toBe(1);
  });

  it("may be no, with a reason that whoever asked reads", async () => {
    const { id } = await request();
    await execute(approvalsReject, { db: database.db, caller: approver.caller, input: { id, reason: "too expensive" } });
    await expect(use()).rejects.toMatchObject({ message: expect.stringContaining("rejected") });
    const { approvals } = await execute(approvalsList, { db: database.db, caller: deployer.caller, input: { digest } });
    expect(approvals).toMatchObject([{ state: "rejected", decidedBy: "Approver", decisionReason: "too expensive" }]);
  });

  it("is hidden from who has no role there", async () => {
    const { id } = await request();
    const stranger = await createPerson(database.db, "Stranger", { roles: { [staging]: "admin" } });
    await expect(approve(id, stranger.caller)).rejects.toMatchObject({ code: "not_found" });
    expect((await execute(approvalsList, { db: database.db, caller: stranger.caller, input: {} })).approvals).toEqual([]);
  });
});

describe("a bypass (A10)", () => {
  const bypass = (person: Person, reason = "outage at night") => execute(approvalsBypass, { db: database.db, caller: person.caller, input: { environmentId: production, digest, reason } });

  it("is a verb of its own for admins, needs a reason, tells everybody and serves only who declared it", async () => {
    await expect(bypass(deployer)).rejects.toMatchObject({ code: "forbidden" });
    await expect(bypass(admin, "")).rejects.toMatchObject({ code: "invalid_input" });
    const asked = await request();
    const { id } = await bypass(admin);
    expect(await database.db.approval.findUniqueOrThrow({ where: { id: asked.id } })).toMatchObject({ state: "void" });
    await expect(use(owner)).rejects.toMatchObject({ code: "forbidden" });
    expect(await use(admin)).toBe(id);
    const event = await database.db.liveEvent.findFirstOrThrow({ where: { topic: `environment:${production}` }, orderBy: { id: "desc" } });
    expect(event.data).toMatchObject({ state: "bypassed", by: "Admin", title: "contracts" });
    const audited = await database.db.auditEvent.findFirstOrThrow({ where: { action: "approvals.bypass", targetId: id } });
    expect(audited.record).toMatchObject({ detail: { digest, reason: "outage at night" } });
  });

  it.each(["ui", "api", "mcp", "scheduler"] as const)("is the only way round the gate by the door %s", async (origin) => {
    const actor = { ...owner.caller.actor, ...(origin === "api" ? { kind: "token" as const } : {}) };
    await expect(database.db.$transaction((tx) => assertApproved(tx, { environmentId: production, digest, actor, now: new Date() }))).rejects.toMatchObject({ code: "forbidden" });
  });
});
