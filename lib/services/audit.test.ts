import { beforeAll, describe, expect, it } from "vitest";
import { AuditRecord } from "@/lib/domain/audit";
import type { Caller } from "@/lib/domain/caller";
import { ANONYMOUS } from "@/lib/domain/policy";
import { createEnvironment, createPerson, callerOf } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { auditGet, auditList } from "./audit";
import { recordAuditAlone } from "./audit-trail";
import { membersSetRole } from "./members";
import { execute } from "./pipeline";
import { tokensCreate } from "./tokens";

process.env.DATABASE_URL ??= "postgresql://unused";

const database = useDatabase();
type Person = Awaited<ReturnType<typeof createPerson>>;
let a: string, b: string;
let owner: Person, adminA: Person, viewerA: Person;

const record = (caller: Caller, action: string, extra: object = {}) => recordAuditAlone(database.db, caller, { action, environmentId: null, outcome: "success", ...extra });
const list = (caller: Caller, input: object = {}) => execute(auditList, { db: database.db, caller, input });

beforeAll(async () => {
  [a, b] = [await createEnvironment(database.db, "a"), await createEnvironment(database.db, "b")];
  owner = await createPerson(database.db, "Owner", { isOwner: true });
  adminA = await createPerson(database.db, "Admin A", { roles: { [a]: "admin", [b]: "viewer" } });
  viewerA = await createPerson(database.db, "Viewer A", { roles: { [a]: "viewer" } });
  for (let index = 0; index < 6; index++) await record(adminA.caller, "deployments.apply", { environmentId: index % 2 ? a : b });
  await record(owner.caller, "clusters.link");
  await record(callerOf(ANONYMOUS), "account.signIn", { decision: "denied", outcome: "failure", reason: "wrong" });
});

describe("the audit log", () => {
  it("shows an admin the events of the own environments only, an owner all of them", async () => {
    const seen = await list(adminA.caller);
    expect(seen.events.map((event) => event.environmentId)).toEqual([a, a, a]);
    expect((await list(viewerA.caller)).events).toEqual([]);
    expect((await list(adminA.caller, { environmentId: b })).events).toEqual([]);
    expect((await list(adminA.caller, { environmentId: "portal" })).events).toEqual([]);
    expect((await list(owner.caller)).events).toHaveLength(8);
    await expect(list(callerOf(ANONYMOUS))).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it.each([
    [{ action: "deployments" }, 6],
    [{ action: "clusters.link" }, 1],
    [{ actor: "admin" }, 6],
    [{ decision: "denied" }, 1],
    [{ outcome: "failure" }, 1],
    [{ environmentId: "portal" }, 2],
    [{ from: "2000-01-01T00:00:00Z", to: "2000-01-02T00:00:00Z" }, 0],
    [{ from: "2000-01-01T00:00:00Z" }, 8],
  ])("filters by %j", async (filter, count) => {
    expect((await list(owner.caller, filter)).events).toHaveLength(count);
  });

  it("filters by a whole id of the actor", async () => {
    expect((await list(owner.caller, { actor: adminA.id })).events).toHaveLength(6);
  });

  it("pages without gaps or repeats, also while events are added, and pages stay full under a filter", async () => {
    const first = await list(owner.caller, { action: "deployments", limit: 4 });
    await record(owner.caller, "deployments.apply", { environmentId: a });
    const second = await list(owner.caller, { action: "deployments", limit: 4, before: first.next });
    const numbers = [...first.events, ...second.events].map((event) => Number(event.sequence));
    expect(first.events).toHaveLength(4);
    expect(numbers).toEqual([6, 5, 4, 3, 2, 1]);
    expect(second.next).toBeNull();
  });

  it("gives one event to those who may see it, and 'not found' to the others", async () => {
    const [event] = (await list(owner.caller, { action: "clusters.link" })).events;
    const get = (caller: Caller) => execute(auditGet, { db: database.db, caller, input: { id: event?.id } });
    expect((await get(owner.caller)).record).toMatchObject({ action: "clusters.link", actorId: owner.id });
    await expect(get(adminA.caller)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("what is written (H2)", () => {
  it("is one line without control characters, whatever names and headers held", async () => {
    const evil = "eve\r\n2026-01-01 admin allowed\u001b[2J\u202etxt\u2028\ud800 end";
    await record({ ...callerOf({ ...ANONYMOUS, name: evil }), userAgent: evil }, "test.inject", { reason: evil, target: { type: "user", name: evil } });
    const [event] = (await list(owner.caller, { action: "test.inject" })).events;
    const stored = await execute(auditGet, { db: database.db, caller: owner.caller, input: { id: event?.id } });
    for (const text of [stored.record.actorName, stored.record.userAgent, stored.record.reason, stored.record.targetName ?? ""]) {
      expect(text).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
      expect(text).toContain("\\u001b[2J");
    }
    expect(AuditRecord.parse(stored.record)).toEqual(stored.record);
    expect(stored.record.at).toMatch(/Z$/);
  });

  it("is refused as a name of a token already at the door", async () => {
    const input = { name: "ci\u001b[31m\nforged line", scope: { environmentIds: [a], permissions: ["environment.read"] }, expiresInDays: 1 };
    await expect(execute(tokensCreate, { db: database.db, caller: adminA.caller, input })).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("the store (H1, H3)", () => {
  it.each([["UPDATE audit_event SET action = 'x'"], ["DELETE FROM audit_event"], ["TRUNCATE audit_event"]])("refuses %s", async (statement) => {
    const before = await database.db.auditEvent.count();
    await expect(database.db.$executeRawUnsafe(statement)).rejects.toThrow(/append-only/);
    expect(await database.db.auditEvent.count()).toBe(before);
  });

  it("without which nothing is written: no event, no effect", async () => {
    const write = () => execute(membersSetRole, { db: database.db, caller: adminA.caller, input: { environmentId: a, member: { kind: "group", group: "unaudited" }, role: "viewer" } });
    await database.db.$executeRawUnsafe("ALTER TABLE audit_event RENAME TO audit_event_broken");
    await expect(write()).rejects.toThrow();
    expect(await database.db.grant.count({ where: { group: "unaudited" } })).toBe(0);
    await database.db.$executeRawUnsafe("ALTER TABLE audit_event_broken RENAME TO audit_event");
    await write();
    expect(await database.db.grant.count({ where: { group: "unaudited" } })).toBe(1);
  });
});
