import { beforeAll, describe, expect, it } from "vitest";
import { createEnvironment, createPerson, callerOf } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { SESSION_COOKIE } from "@/lib/domain/session";
import { dispatch } from "@/lib/platform/http";
import { environmentsList } from "./environments";
import { identify } from "./identify";
import { membersSetRole } from "./members";
import { findOperation, registry } from "./registry";
import { execute } from "./pipeline";
import { tokensCreate, tokensList, tokensRevoke } from "./tokens";
import { usersDisable } from "./users";

process.env.DATABASE_URL ??= "postgresql://unused";
process.env.NEXTAUTH_URL = "http://127.0.0.1:3000";
process.env.LECTERN_LOG_LEVEL = "silent";

const database = useDatabase();
type Person = Awaited<ReturnType<typeof createPerson>>;
let a: string, b: string;
let owner: Person, admin: Person;

beforeAll(async () => {
  [a, b] = [await createEnvironment(database.db, "a"), await createEnvironment(database.db, "b")];
  owner = await createPerson(database.db, "Owner", { isOwner: true });
  admin = await createPerson(database.db, "Admin", { roles: { [a]: "admin", [b]: "viewer" } });
});

const create = (who: Person, scope: object, extra: object = {}) => execute(tokensCreate, { db: database.db, caller: who.caller, input: { name: "ci", scope, expiresInDays: 30, ...extra } });
const use = (token: string, now?: Date) => identify(database.db, { headers: new Headers({ authorization: `Bearer ${token}` }), origin: "api", requestId: "test" }, now);
const readA = () => ({ environmentIds: [a], permissions: ["environment.read"] });

describe("a token", () => {
  it("is made of 256 random bits, and the database holds only its hash (C1)", async () => {
    const { token, prefix } = await create(admin, readA());
    expect(token).toMatch(/^lct_[\w-]{43}$/);
    expect(token.startsWith(prefix)).toBe(true);
    const dump = JSON.stringify(await database.db.apiToken.findMany()) + JSON.stringify(await database.db.auditEvent.findMany(), (_key, value) => (typeof value === "bigint" ? String(value) : value));
    expect(dump).not.toContain(token);
    expect(dump).not.toContain(token.slice(prefix.length));
    for (const { tokenHash } of await database.db.apiToken.findMany()) await expect(use(`lct_${tokenHash}`)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("cannot be chosen by its owner", async () => {
    await expect(create(admin, readA(), { token: "lct_mine" })).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("does what its scope and its owner's rights both allow, and shows when it was used", async () => {
    const { token, id } = await create(admin, readA());
    const caller = await use(token);
    const { environments } = await execute(environmentsList, { db: database.db, caller, input: {} });
    expect(environments.map((one) => one.id)).toEqual([a]);
    await expect(execute(membersSetRole, { db: database.db, caller, input: { environmentId: a, member: { kind: "group", group: "x" }, role: "viewer" } })).rejects.toMatchObject({ code: "forbidden" });
    const { tokens } = await execute(tokensList, { db: database.db, caller: admin.caller, input: {} });
    expect(tokens.find((one) => one.id === id)).toMatchObject({ state: "live", lastUsedAt: expect.any(String) });
  });

  it("loses rights at once when its owner is demoted, and dies when its owner is disabled (C2)", async () => {
    const person = await createPerson(database.db, "Demoted", { roles: { [a]: "admin" } });
    const { token } = await create(person, { environmentIds: null, permissions: ["member.manage", "environment.read"] });
    const change = async () => execute(membersSetRole, { db: database.db, caller: await use(token), input: { environmentId: a, member: { kind: "group", group: "y" }, role: "viewer" } });
    await change();
    await database.db.grant.updateMany({ where: { userId: person.id }, data: { role: "viewer" } });
    await expect(change()).rejects.toMatchObject({ code: "forbidden" });
    await execute(usersDisable, { db: database.db, caller: owner.caller, input: { userId: person.id } });
    await expect(use(token)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("is refused once revoked or expired, and stays listed", async () => {
    const revoked = await create(admin, readA());
    await execute(tokensRevoke, { db: database.db, caller: admin.caller, input: { tokenId: revoked.id } });
    await expect(use(revoked.token)).rejects.toMatchObject({ code: "unauthenticated" });
    const old = await create(admin, readA(), { expiresInDays: 1 });
    await expect(use(old.token, new Date(Date.now() + 86_400_001))).rejects.toMatchObject({ code: "unauthenticated" });
    const { tokens } = await execute(tokensList, { db: database.db, caller: admin.caller, input: {}, now: new Date(Date.now() + 2 * 86_400_000) });
    expect(tokens.find((one) => one.id === revoked.id)?.state).toBe("revoked");
    expect(tokens.find((one) => one.id === old.id)?.state).toBe("expired");
  });

  it("belongs to one person: another can neither see nor revoke it", async () => {
    const { id } = await create(admin, readA());
    await expect(execute(tokensRevoke, { db: database.db, caller: owner.caller, input: { tokenId: id } })).rejects.toMatchObject({ code: "not_found" });
    expect((await execute(tokensList, { db: database.db, caller: owner.caller, input: {} })).tokens).toEqual([]);
  });
});

describe("no token goes beyond its maker's rights (A8)", () => {
  it.each([
    ["a right that the maker has nowhere", () => ({ environmentIds: null, permissions: ["portal.manage"] })],
    ["a right that the maker has elsewhere only", () => ({ environmentIds: [a, b], permissions: ["member.manage"] })],
    ["an environment that is hidden from the maker", () => ({ environmentIds: ["019d0000-0000-7000-8000-000000000000"], permissions: ["portal.read"] })],
  ])("refuses %s, and audits it", async (_what, scope) => {
    const before = await database.db.auditEvent.count({ where: { decision: "denied", action: "tokens.create" } });
    await expect(create(admin, scope())).rejects.toMatchObject({ code: "forbidden" });
    expect(await database.db.auditEvent.count({ where: { decision: "denied", action: "tokens.create" } })).toBe(before + 1);
  });

  it("refuses more than 90 days", async () => {
    await expect(create(admin, readA(), { expiresInDays: 91 })).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("refuses a token that makes a token", async () => {
    const { token } = await create(admin, { environmentIds: null, permissions: ["account.manage", "environment.read"] });
    const caller = await use(token);
    await expect(execute(tokensCreate, { db: database.db, caller, input: { name: "child", scope: readA(), expiresInDays: 90 } })).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("where a token may stand (C3)", () => {
  const testDoor = {
    operations: registry,
    identify: (request: Parameters<typeof identify>[1]) => identify(database.db, request),
    execute: async (name: string, call: { caller: ReturnType<typeof callerOf>; input: unknown }) => {
      const operation = findOperation(name);
      if (!operation) throw new Error(name);
      return execute(operation, { ...call, db: database.db });
    },
  };
  const get = (path: string, headers: Record<string, string> = {}) => dispatch(testDoor, "environments.list", new Request(`http://127.0.0.1:3000${path}`, { headers }));

  it("is the Authorization header only: in the address it is refused, in the cookie it is nothing", async () => {
    const { token } = await create(admin, readA());
    expect((await get("/api/environments.list", { Authorization: `Bearer ${token}` })).status).toBe(200);
    for (const path of [`/api/environments.list?token=${token}`, `/api/environments.list?x=${token}`, `/api/${token}`]) {
      const response = await get(path);
      expect(response.status).toBe(400);
      expect(await response.text()).not.toContain(token);
    }
    expect((await get("/api/environments.list", { Cookie: `${SESSION_COOKIE}=${token}` })).status).toBe(401);
  });
});
