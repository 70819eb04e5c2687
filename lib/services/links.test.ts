import { describe, expect, it } from "vitest";
import { INVITATION_MS, OWNER_LINK_MS } from "@/lib/domain/invitation";
import type { Caller } from "@/lib/domain/caller";
import { verifyPassword } from "@/lib/platform/password";
import { callerOf, createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { invitationsCreate, invitationsList, invitationsOpen, invitationsRedeem, invitationsRevoke } from "./invitations";
import { ensureOwnerLink, linksRedeemOwner } from "./links";
import { execute } from "./pipeline";

process.env.NEXTAUTH_URL = "http://127.0.0.1:3000";
process.env.DATABASE_URL ??= "postgresql://unused";

const database = useDatabase();
const anyone = callerOf();
const password = "correct horse battery";
const secretOf = (url: string | null) => url?.split("#")[1] ?? "";

function becomeOwner(secret: string, now?: Date) {
  return execute(linksRedeemOwner, { db: database.db, caller: anyone, input: { secret, name: "Owner", email: "Owner@Example.test", password }, ...(now ? { now } : {}) });
}

describe("the owner's one-time link", () => {
  it("carries its secret behind the #, and is stored as a hash", async () => {
    const url = await ensureOwnerLink(database.db);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/setup#[\w-]{43}$/);
    expect(JSON.stringify(await database.db.link.findMany())).not.toContain(secretOf(url));
  });

  it("is replaced at the next start: the one before is refused", async () => {
    const first = await ensureOwnerLink(database.db);
    await ensureOwnerLink(database.db);
    await expect(becomeOwner(secretOf(first))).rejects.toMatchObject({ code: "expired" });
  });

  it("expires after 24 hours", async () => {
    const url = await ensureOwnerLink(database.db);
    await expect(becomeOwner(secretOf(url), new Date(Date.now() + OWNER_LINK_MS + 1000))).rejects.toMatchObject({ code: "expired" });
  });

  it("refuses a short password and leaves the link as it was", async () => {
    const url = await ensureOwnerLink(database.db);
    const input = { secret: secretOf(url), name: "Owner", email: "owner@example.test", password: "too short" };
    await expect(execute(linksRedeemOwner, { db: database.db, caller: anyone, input })).rejects.toMatchObject({ code: "invalid_input" });
    expect(await database.db.user.count()).toBe(0);
  });

  it("makes one owner, of two who use it at the same moment too, and is then never offered again", async () => {
    const secret = secretOf(await ensureOwnerLink(database.db));
    const outcomes = await Promise.allSettled([becomeOwner(secret), becomeOwner(secret)]);
    expect(outcomes.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
    const owners = await database.db.user.findMany({ where: { isOwner: true } });
    expect(owners).toHaveLength(1);
    expect(owners[0]?.email).toBe("owner@example.test");
    expect(await verifyPassword(password, owners[0]?.passwordHash ?? null)).toBe(true);
    expect(await ensureOwnerLink(database.db)).toBeNull();
    await expect(becomeOwner(secret)).rejects.toMatchObject({ code: "expired" });
  });
});

describe("invitations", () => {
  async function setting(slug: string) {
    const [a, b] = [await createEnvironment(database.db, `${slug}-a`), await createEnvironment(database.db, `${slug}-b`)];
    const admin = await createPerson(database.db, `Admin ${slug}`, { roles: { [a]: "admin", [b]: "viewer" } });
    return { a, b, admin };
  }
  const invite = (caller: Caller, email: string, grants: { environmentId: string; role: string }[]) => execute(invitationsCreate, { db: database.db, caller, input: { email, grants } });
  const accept = (url: string, now?: Date) => execute(invitationsRedeem, { db: database.db, caller: anyone, input: { secret: secretOf(url), name: "Invited", password }, ...(now ? { now } : {}) });

  it("give exactly the roles they name, once", async () => {
    const { a, admin } = await setting("once");
    const { url } = await invite(admin.caller, "once@example.test", [{ environmentId: a, role: "deployer" }]);
    expect(await execute(invitationsOpen, { db: database.db, caller: anyone, input: { secret: secretOf(url) } })).toMatchObject({ email: "once@example.test" });
    const { userId } = await accept(url);
    expect(await database.db.grant.findMany({ where: { userId } })).toMatchObject([{ environmentId: a, role: "deployer", createdById: admin.id }]);
    await expect(accept(url)).rejects.toMatchObject({ code: "expired" });
    const { invitations } = await execute(invitationsList, { db: database.db, caller: admin.caller, input: { environmentId: a } });
    expect(invitations).toMatchObject([{ email: "once@example.test", role: "deployer", state: "used", createdBy: "Admin once" }]);
  });

  it("expire after seven days and can be withdrawn", async () => {
    const { a, admin } = await setting("late");
    const late = await invite(admin.caller, "late@example.test", [{ environmentId: a, role: "viewer" }]);
    await expect(accept(late.url, new Date(Date.now() + INVITATION_MS + 1000))).rejects.toMatchObject({ code: "expired" });
    await execute(invitationsRevoke, { db: database.db, caller: admin.caller, input: { environmentId: a, invitationId: late.id } });
    await expect(accept(late.url)).rejects.toMatchObject({ code: "expired" });
  });

  it("cannot give a role in an environment where the inviter is not an admin: refused and audited", async () => {
    const { a, b, admin } = await setting("wide");
    const grants = [{ environmentId: a, role: "viewer" }, { environmentId: b, role: "viewer" }];
    await expect(invite(admin.caller, "wide@example.test", grants)).rejects.toMatchObject({ code: "forbidden" });
    await expect(invite(admin.caller, "wide@example.test", [...grants].reverse())).rejects.toMatchObject({ code: "forbidden" });
    expect(await database.db.link.count({ where: { email: "wide@example.test" } })).toBe(0);
    expect(await database.db.auditEvent.count({ where: { action: "invitations.create", decision: "denied", actorId: admin.id } })).toBe(2);
  });

  it("lose their force when the inviter loses the right", async () => {
    const { a, admin } = await setting("gone");
    const { url } = await invite(admin.caller, "gone@example.test", [{ environmentId: a, role: "admin" }]);
    await database.db.grant.updateMany({ where: { userId: admin.id, environmentId: a }, data: { role: "deployer" } });
    await expect(accept(url)).rejects.toMatchObject({ code: "expired" });
    expect(await database.db.user.count({ where: { email: "gone@example.test" } })).toBe(0);
  });

  it("of another environment can be neither listed nor withdrawn", async () => {
    const here = await setting("here");
    const there = await setting("there");
    const { id } = await invite(here.admin.caller, "here@example.test", [{ environmentId: here.a, role: "viewer" }]);
    await expect(execute(invitationsList, { db: database.db, caller: there.admin.caller, input: { environmentId: here.a } })).rejects.toMatchObject({ code: "not_found" });
    for (const environmentId of [here.a, there.a]) {
      await expect(execute(invitationsRevoke, { db: database.db, caller: there.admin.caller, input: { environmentId, invitationId: id } })).rejects.toMatchObject({ code: "not_found" });
    }
  });

  it("do not take over an account that exists", async () => {
    const { a, admin } = await setting("twice");
    const first = await invite(admin.caller, "twice@example.test", [{ environmentId: a, role: "viewer" }]);
    const second = await invite(admin.caller, "twice@example.test", [{ environmentId: a, role: "admin" }]);
    await accept(first.url);
    await expect(accept(second.url)).rejects.toMatchObject({ code: "conflict" });
  });
});
