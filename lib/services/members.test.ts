import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { hashSecret, newSecret } from "@/lib/platform/secret-token";
import { SESSION_COOKIE } from "@/lib/domain/session";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { identify } from "./identify";
import { membersCandidates, membersList, membersRemove, membersSetRole } from "./members";
import { execute } from "./pipeline";
import { sessionsEnd, sessionsEndAll, sessionsList } from "./sessions";
import { usersDisable, usersEnable, usersList, usersSetOwner } from "./users";

process.env.DATABASE_URL ??= "postgresql://unused";

const database = useDatabase();
type Person = Awaited<ReturnType<typeof createPerson>>;
let a: string, b: string;
let owner: Person, adminA: Person, deployerA: Person, viewerA: Person;

beforeAll(async () => {
  [a, b] = [await createEnvironment(database.db, "a"), await createEnvironment(database.db, "b")];
  owner = await createPerson(database.db, "Owner", { isOwner: true });
  adminA = await createPerson(database.db, "Admin A", { roles: { [a]: "admin" } });
  deployerA = await createPerson(database.db, "Deployer A", { roles: { [a]: "deployer" } });
  viewerA = await createPerson(database.db, "Viewer A", { roles: { [a]: "viewer" } });
});

const person = (one: Person) => ({ kind: "person", userId: one.id });
const setRole = (caller: Caller, input: object) => execute(membersSetRole, { db: database.db, caller, input });
const denials = (action: string, actorId: string) => database.db.auditEvent.count({ where: { action, actorId, decision: "denied" } });

async function openSession(userId: string): Promise<string> {
  const secret = newSecret();
  await database.db.session.create({ data: { userId, method: "password", tokenHash: hashSecret(secret), expiresAt: new Date(Date.now() + 3_600_000) } });
  return `${SESSION_COOKIE}=${secret}`;
}
const whoIs = (cookie: string) => identify(database.db, { headers: new Headers({ cookie }), origin: "ui", requestId: "test" });

describe("nobody rises above their own rights (A8)", () => {
  it.each([
    ["an admin gives a role in another environment", () => setRole(adminA.caller, { environmentId: b, member: person(viewerA), role: "viewer" }), () => adminA, "not_found"],
    ["an admin takes a role in another environment", () => setRole(adminA.caller, { environmentId: b, member: person(adminA), role: "admin" }), () => adminA, "not_found"],
    ["an admin changes their own role", () => setRole(adminA.caller, { environmentId: a, member: person(adminA), role: "admin" }), () => adminA, "forbidden"],
    ["a deployer makes themselves an admin", () => setRole(deployerA.caller, { environmentId: a, member: person(deployerA), role: "admin" }), () => deployerA, "forbidden"],
    ["a viewer gives the role viewer", () => setRole(viewerA.caller, { environmentId: a, member: person(deployerA), role: "viewer" }), () => viewerA, "forbidden"],
  ])("%s: refused and audited", async (_what, attempt, who, code) => {
    const before = await denials("members.setRole", who().id);
    await expect(attempt()).rejects.toMatchObject({ code });
    expect(await denials("members.setRole", who().id)).toBe(before + 1);
  });

  it("an admin makes themselves an owner: refused and audited", async () => {
    await expect(execute(usersSetOwner, { db: database.db, caller: adminA.caller, input: { userId: adminA.id, isOwner: true } })).rejects.toMatchObject({ code: "forbidden" });
    expect(await denials("users.setOwner", adminA.id)).toBe(1);
  });

  it("there is no role owner to give", async () => {
    await expect(setRole(adminA.caller, { environmentId: a, member: person(viewerA), role: "owner" })).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("none of these attempts left a grant", async () => {
    expect(await database.db.grant.count()).toBe(3);
  });

  it("the last owner can be neither disabled nor demoted, of two at the same moment either", async () => {
    const alone = { userId: owner.id };
    await expect(execute(usersDisable, { db: database.db, caller: owner.caller, input: alone })).rejects.toMatchObject({ code: "forbidden" });
    await expect(execute(usersSetOwner, { db: database.db, caller: owner.caller, input: { ...alone, isOwner: false } })).rejects.toMatchObject({ code: "forbidden" });
    const second = await createPerson(database.db, "Second Owner", { isOwner: true });
    const both = [owner, second].map((one) => execute(usersSetOwner, { db: database.db, caller: one.caller, input: { userId: one.id, isOwner: false } }));
    expect((await Promise.allSettled(both)).map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await database.db.user.count({ where: { isOwner: true } })).toBe(1);
    await database.db.user.updateMany({ where: { id: { in: [owner.id] } }, data: { isOwner: true } });
  });
});

describe("members", () => {
  it("get one role, which replaces the one before, and leave one event each", async () => {
    const guest = await createPerson(database.db, "Guest");
    const candidates = await execute(membersCandidates, { db: database.db, caller: adminA.caller, input: { environmentId: a, query: "gue" } });
    expect(candidates.people).toMatchObject([{ userId: guest.id }]);
    await setRole(adminA.caller, { environmentId: a, member: person(guest), role: "viewer" });
    expect(await setRole(adminA.caller, { environmentId: a, member: person(guest), role: "admin" })).toEqual({ before: "viewer" });
    expect(await database.db.grant.findMany({ where: { userId: guest.id } })).toMatchObject([{ role: "admin" }]);
    await execute(membersRemove, { db: database.db, caller: adminA.caller, input: { environmentId: a, member: person(guest) } });
    expect(await database.db.grant.count({ where: { userId: guest.id } })).toBe(0);
    expect(await database.db.auditEvent.count({ where: { targetId: guest.id, outcome: "success", environmentId: a } })).toBe(3);
  });

  it("may be a group, whose people have the role at once", async () => {
    const inGroup = await createPerson(database.db, "Grouped", { groups: ["readers"] });
    await setRole(adminA.caller, { environmentId: a, member: { kind: "group", group: "readers" }, role: "analyst" });
    const cookie = await openSession(inGroup.id);
    expect((await whoIs(cookie)).actor.grants).toEqual([{ environmentId: a, role: "analyst" }]);
    const { members } = await execute(membersList, { db: database.db, caller: viewerA.caller, input: { environmentId: a } });
    expect(members).toContainEqual(expect.objectContaining({ member: { kind: "group", group: "readers" }, role: "analyst", isConfigured: false }));
  });

  it("of a configured group are not changed here", async () => {
    await database.db.grant.create({ data: { environmentId: a, group: "configured", role: "viewer" } });
    await expect(setRole(adminA.caller, { environmentId: a, member: { kind: "group", group: "configured" }, role: "admin" })).rejects.toMatchObject({ code: "conflict" });
  });

  it("are hidden from those who are in another environment only", async () => {
    await expect(execute(membersList, { db: database.db, caller: viewerA.caller, input: { environmentId: b } })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("people and their sessions", () => {
  it("are cut off at once when the owner disables them, and come back when enabled", async () => {
    const leaver = await createPerson(database.db, "Leaver");
    const cookie = await openSession(leaver.id);
    expect((await whoIs(cookie)).actor.kind).toBe("user");
    await execute(usersDisable, { db: database.db, caller: owner.caller, input: { userId: leaver.id } });
    expect((await whoIs(cookie)).actor.kind).toBe("anonymous");
    await execute(usersEnable, { db: database.db, caller: owner.caller, input: { userId: leaver.id } });
    expect((await whoIs(cookie)).actor.kind).toBe("anonymous");
    expect((await whoIs(await openSession(leaver.id))).actor.kind).toBe("user");
  });

  it("are listed for the owner only", async () => {
    const { users, total } = await execute(usersList, { db: database.db, caller: owner.caller, input: { query: "viewer" } });
    expect({ names: users.map((user) => user.name), total }).toEqual({ names: ["Viewer A"], total: 1 });
    await expect(execute(usersList, { db: database.db, caller: adminA.caller, input: {} })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("see and end their own sessions, and nobody else's", async () => {
    const cookies = [await openSession(viewerA.id), await openSession(viewerA.id), await openSession(viewerA.id)];
    const foreign = await openSession(adminA.id);
    const caller = await whoIs(cookies[0] ?? "");
    const { sessions } = await execute(sessionsList, { db: database.db, caller, input: {} });
    expect(sessions.map((one) => one.isCurrent).sort()).toEqual([false, false, true]);
    const { sessionId } = await whoIs(foreign);
    await expect(execute(sessionsEnd, { db: database.db, caller, input: { sessionId } })).rejects.toMatchObject({ code: "not_found" });
    expect((await whoIs(foreign)).actor.kind).toBe("user");
    await execute(sessionsEnd, { db: database.db, caller, input: { sessionId: (await whoIs(cookies[1] ?? "")).sessionId } });
    expect(await Promise.all(cookies.map(async (cookie) => (await whoIs(cookie)).actor.kind))).toEqual(["user", "anonymous", "user"]);
    expect(await execute(sessionsEndAll, { db: database.db, caller, input: { keepCurrent: true } })).toEqual({ ended: 1 });
    expect((await whoIs(cookies[0] ?? "")).actor.kind).toBe("user");
    await execute(sessionsEndAll, { db: database.db, caller, input: { keepCurrent: false } });
    expect((await whoIs(cookies[0] ?? "")).actor.kind).toBe("anonymous");
  });
});
