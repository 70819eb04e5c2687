import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SESSION_ABSOLUTE_MS, SESSION_COOKIE, SESSION_IDLE_MS } from "@/lib/domain/session";
import { handleAuth } from "@/lib/platform/auth-handler";
import { createSignInLimits, type SignInLimits } from "@/lib/platform/auth-limits";
import { hashSecret } from "@/lib/platform/secret-token";
import { useDatabase } from "@/scripts/test/database";
import { accountChangePassword } from "./account";
import { identify } from "./identify";
import { createLocalAccount } from "./local-account";
import { execute } from "./pipeline";
import { signInRules } from "./sign-in";

process.env.NEXTAUTH_URL = "http://127.0.0.1:3000";
process.env.DATABASE_URL ??= "postgresql://unused";
process.env.LECTERN_LOG_LEVEL = "silent";

const origin = "http://127.0.0.1:3000";
const password = "correct horse battery";
const database = useDatabase();
let limits: SignInLimits;
let userId: string;

beforeAll(async () => {
  userId = await database.db.$transaction((tx) => createLocalAccount(tx, { name: "First Owner", email: "owner@example.test", password, isOwner: true }));
});
beforeEach(() => {
  limits = createSignInLimits();
});

type Extra = { cookie?: string; headers?: Record<string, string>; now?: Date };

function ask(path: string, body?: unknown, { cookie = "", headers = {}, now }: Extra = {}): Promise<Response> {
  const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const request = new Request(`${origin}/api/auth/${path}`, { ...post, headers: { Origin: origin, "Content-Type": "application/json", Cookie: cookie, "User-Agent": "vitest", ...headers } });
  return handleAuth(request, signInRules(database.db, limits, now ? () => now : undefined), null);
}

const cookiesOf = (response: Response) => response.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");

async function signIn(values: Record<string, string> = {}, extra: Extra = {}): Promise<Response> {
  const csrf = await ask("csrf");
  const { csrfToken } = await csrf.json();
  const cookie = [cookiesOf(csrf), extra.cookie].filter(Boolean).join("; ");
  return ask("callback/credentials", { email: "owner@example.test", password, csrfToken, json: "true", ...values }, { ...extra, cookie });
}

async function signOut(session: string): Promise<Response> {
  const csrf = await ask("csrf");
  const { csrfToken } = await csrf.json();
  return ask("signout", { csrfToken, json: "true" }, { cookie: `${cookiesOf(csrf)}; ${session}` });
}

function sessionCookie(response: Response): string {
  return response.headers.getSetCookie().find((line) => line.startsWith(SESSION_COOKIE))?.split(";")[0] ?? "";
}

async function whoIs(cookie: string, now?: Date) {
  return identify(database.db, { headers: new Headers({ cookie }), origin: "ui", requestId: "test" }, now);
}

const lastEvent = () => database.db.auditEvent.findFirstOrThrow({ orderBy: { sequence: "desc" } });

describe("signing in with a password", () => {
  it("sets a __Host- cookie that is Secure, HttpOnly, Lax and for the whole host, and records the sign-in", async () => {
    const response = await signIn();
    expect(response.status).toBe(200);
    const line = response.headers.getSetCookie().find((one) => one.startsWith("__Host-lectern-session=")) ?? "";
    for (const attribute of ["Path=/", "HttpOnly", "Secure", "SameSite=Lax"]) expect(line).toContain(attribute);
    expect(line).not.toContain("Domain");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect((await whoIs(sessionCookie(response))).actor).toMatchObject({ kind: "user", userId, isOwner: true });
    expect(await lastEvent()).toMatchObject({ action: "account.signIn", outcome: "success", actorId: userId });
  });

  it("keeps only a hash: nothing in the table can be used as a cookie", async () => {
    const secret = sessionCookie(await signIn()).split("=")[1] ?? "";
    expect(Buffer.from(secret, "base64url").length).toBe(32);
    const rows = await database.db.session.findMany();
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(rows.map((row) => row.tokenHash)).toContain(hashSecret(secret));
    for (const row of rows) expect((await whoIs(`${SESSION_COOKIE}=${row.tokenHash}`)).actor.kind).toBe("anonymous");
  });

  it.each([
    ["a wrong password", { password: "wrong horse battery" }],
    ["an unknown account", { email: "nobody@example.test" }],
    ["no e-mail address", { email: "not an address\u001b[31m" }],
  ])("answers %s with the same problem", async (_what, values) => {
    const response = await signIn(values);
    expect(response.status).toBe(401);
    expect(sessionCookie(response)).toBe("");
    expect(await response.json()).toMatchObject({ code: "unauthenticated", detail: "The e-mail address or the password is not right." });
  });

  it("records a refused sign-in with the account that was meant", async () => {
    await signIn({ password: "wrong horse battery" });
    expect(await lastEvent()).toMatchObject({ action: "account.signIn", decision: "denied", outcome: "failure", actorKind: "anonymous", targetId: userId });
  });

  it("gives a new id at every sign-in and ends the one that the browser brought", async () => {
    const planted = sessionCookie(await signIn());
    const fresh = sessionCookie(await signIn({}, { cookie: planted }));
    expect(fresh).not.toBe(planted);
    expect((await whoIs(planted)).actor.kind).toBe("anonymous");
    expect((await whoIs(fresh)).actor.kind).toBe("user");
  });

  it("does not take over a session id that the browser made up", async () => {
    const fresh = sessionCookie(await signIn({}, { cookie: `${SESSION_COOKIE}=chosen-by-somebody` }));
    expect(fresh).not.toContain("chosen-by-somebody");
  });
});

describe("limits", () => {
  it("refuses the eleventh guess on an account with Retry-After, even with the right password", async () => {
    for (let guess = 0; guess < 10; guess++) await limits.attempt(`198.51.100.${guess}`, "owner@example.test");
    const response = await signIn();
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await response.json()).code).toBe("rate_limited");
  });

  it("refuses an address after thirty attempts, and what the client says of its address does not help", async () => {
    for (let guess = 0; guess < 30; guess++) await limits.attempt("", `account-${guess}@example.test`);
    expect((await signIn({}, { headers: { "X-Forwarded-For": "203.0.113.9" } })).status).toBe(429);
  });

  it("starts again after a right password", async () => {
    for (let guess = 0; guess < 9; guess++) await limits.attempt(`198.51.100.${guess}`, "owner@example.test");
    expect((await signIn()).status).toBe(200);
    expect((await signIn()).status).toBe(200);
  });
});

describe("the end of a session", () => {
  it("comes after 30 minutes without use, and use within them keeps it", async () => {
    const cookie = sessionCookie(await signIn());
    const start = Date.now();
    expect((await whoIs(cookie, new Date(start + SESSION_IDLE_MS - 60_000))).actor.kind).toBe("user");
    expect((await whoIs(cookie, new Date(start + 2 * SESSION_IDLE_MS - 180_000))).actor.kind).toBe("user");
    expect((await whoIs(cookie, new Date(start + 4 * SESSION_IDLE_MS))).actor.kind).toBe("anonymous");
  });

  it("comes after 12 hours however much it is used", async () => {
    const cookie = sessionCookie(await signIn());
    const { sessionId } = await whoIs(cookie);
    const end = Date.now() + SESSION_ABSOLUTE_MS;
    await database.db.session.update({ where: { id: sessionId ?? "" }, data: { lastSeenAt: new Date(end - 60_000) } });
    expect((await whoIs(cookie, new Date(end - 30_000))).actor.kind).toBe("user");
    expect((await whoIs(cookie, new Date(end + 1000))).actor.kind).toBe("anonymous");
  });

  it("comes with signing out, at the server, with Clear-Site-Data and an event", async () => {
    const cookie = sessionCookie(await signIn());
    const response = await signOut(cookie);
    expect(response.status).toBe(200);
    expect(response.headers.get("clear-site-data")).toContain("storage");
    expect((await whoIs(cookie)).actor.kind).toBe("anonymous");
    expect(await lastEvent()).toMatchObject({ action: "account.signOut", outcome: "success", actorId: userId });
  });

  it("comes with disabling the account", async () => {
    const cookie = sessionCookie(await signIn());
    await database.db.user.update({ where: { id: userId }, data: { disabledAt: new Date() } });
    expect((await whoIs(cookie)).actor.kind).toBe("anonymous");
    expect((await signIn()).status).toBe(403);
    await database.db.user.update({ where: { id: userId }, data: { disabledAt: null } });
  });
});

describe("changing the password", () => {
  const change = (caller: Awaited<ReturnType<typeof whoIs>>, input: object) => execute(accountChangePassword, { db: database.db, caller, input });

  it("needs the present one, ends the other sessions, and keeps this one", async () => {
    const [here, elsewhere] = [sessionCookie(await signIn()), sessionCookie(await signIn())];
    const caller = await whoIs(here);
    await expect(change(caller, { present: "not the password", next: "another long password" })).rejects.toMatchObject({ code: "forbidden" });
    expect(await lastEvent()).toMatchObject({ action: "account.changePassword", decision: "denied" });
    await change(caller, { present: password, next: "another long password" });
    expect([(await whoIs(here)).actor.kind, (await whoIs(elsewhere)).actor.kind]).toEqual(["user", "anonymous"]);
    expect((await signIn()).status).toBe(401);
    await change(caller, { present: "another long password", next: password });
  });
});

describe("the sign-in door", () => {
  it.each([
    ["a foreign origin", { Origin: "https://evil.example" }, 403],
    ["a null origin", { Origin: "null" }, 403],
    ["another site's fetch", { "Sec-Fetch-Site": "cross-site" }, 403],
    ["a form's content type", { "Content-Type": "application/x-www-form-urlencoded" }, 415],
    ["an Authorization header", { Authorization: "Bearer lct_x" }, 400],
  ])("refuses %s", async (_what, headers, status) => {
    expect((await signIn({}, { headers })).status).toBe(status);
  });

  it("refuses a form without its CSRF token, with the right password too", async () => {
    const response = await ask("callback/credentials", { email: "owner@example.test", password, json: "true" });
    expect(response.status).toBe(403);
    expect(sessionCookie(response)).toBe("");
  });

  it("offers neither next-auth's session endpoint nor a sign-in by GET", async () => {
    expect((await ask("session")).status).toBe(404);
    expect((await ask("providers")).status).toBe(404);
    expect((await ask(`callback/credentials?email=owner@example.test&password=${password}`)).status).toBe(405);
    expect((await ask("signout")).status).toBe(404);
  });
});
