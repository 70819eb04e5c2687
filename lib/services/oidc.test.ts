import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SESSION_COOKIE } from "@/lib/domain/session";
import { handleAuth } from "@/lib/platform/auth-handler";
import type { OidcSettings } from "@/lib/platform/auth-oidc";
import { startOidcServer, type OidcServer } from "@/e2e/oidc-server.mjs";
import { createEnvironment } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { startForgingProvider, type ForgingProvider } from "@/scripts/test/forging-provider";
import { identify } from "./identify";
import { syncGroupGrants } from "./oidc-grants";
import { signInRules } from "./sign-in";

const origin = "http://127.0.0.1:3000";
process.env.NEXTAUTH_URL = origin;
process.env.DATABASE_URL ??= "postgresql://unused";
process.env.LECTERN_LOG_LEVEL = "silent";
process.env.OIDC_GROUP_GRANTS = JSON.stringify([
  { group: "ocr-admin", environment: "production", role: "admin" },
  { group: "ocr-viewer", environment: "production", role: "viewer" },
  { group: "ocr-viewer", environment: "not-there", role: "admin" },
]);

const client = { clientId: "lectern", clientSecret: "only-for-tests-on-loopback-only-32", redirectUri: `${origin}/api/auth/callback/oidc` };
const database = useDatabase();
let provider: OidcServer, forger: ForgingProvider;
let production: string;

beforeAll(async () => {
  production = await createEnvironment(database.db, "production");
  [provider, forger] = await Promise.all([startOidcServer(client), startForgingProvider(client.clientId)]);
});
afterAll(() => Promise.all([provider.stop(), forger.stop()]));

const settingsOf = (issuer: string): OidcSettings => ({ issuer, clientId: client.clientId, clientSecret: client.clientSecret, name: "Test" });

/** Cookies by name, as one browser keeps them for one host. */
class Jar extends Map<string, string> {
  take(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const [name, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
      if (value && !/Max-Age=0/i.test(line)) this.set(name, value);
      else this.delete(name);
    }
    return response;
  }
  header() {
    return [...this].map(([name, value]) => `${name}=${value}`).join("; ");
  }
}

async function portal(jar: Jar, issuer: string, { path, body }: { path: string; body?: object }): Promise<Response> {
  const post = body ? { method: "POST", body: JSON.stringify(body) } : {};
  const request = new Request(`${origin}/api/auth/${path}`, { ...post, headers: { Origin: origin, "Content-Type": "application/json", Cookie: jar.header() } });
  return jar.take(await handleAuth(request, signInRules(database.db), settingsOf(issuer)));
}

/** Where the portal sends the browser. */
async function leave(jar: Jar, issuer: string): Promise<URL> {
  const { csrfToken } = await (await portal(jar, issuer, { path: "csrf" })).json();
  const response = await portal(jar, issuer, { path: "signin/oidc", body: { csrfToken, callbackUrl: "/deploy", json: "true" } });
  return new URL((await response.json()).url);
}

/** Follows the provider's redirects, signs in as the subject, and returns the address that leads back to the portal. */
async function atProvider(start: URL, subject: string): Promise<URL> {
  const jar = new Jar();
  let next = start;
  for (let hop = 0; hop < 10; hop++) {
    const init = next.pathname.startsWith("/interaction/") ? { method: "POST", body: new URLSearchParams({ subject }) } : {};
    const response = jar.take(await fetch(next, { ...init, redirect: "manual", headers: { Cookie: jar.header() } }));
    next = new URL(response.headers.get("location") ?? "", next);
    if (next.origin === origin) return next;
  }
  throw new Error("the provider never came back");
}

const comeBack = (jar: Jar, issuer: string, url: URL) => portal(jar, issuer, { path: `callback/oidc${url.search}` });
const whoIs = (jar: Jar) => identify(database.db, { headers: new Headers({ cookie: jar.header() }), origin: "ui", requestId: "test" });
const usersOf = (email: string) => database.db.user.findMany({ where: { email }, orderBy: { createdAt: "asc" } });

async function signInAs(subject: string): Promise<Jar> {
  const jar = new Jar();
  const response = await comeBack(jar, provider.issuer, await atProvider(await leave(jar, provider.issuer), subject));
  expect(response.headers.get("location")).toBe(`${origin}/deploy`);
  return jar;
}

describe("signing in at the company's identity provider", () => {
  it("asks with code, PKCE, state and nonce", async () => {
    const url = await leave(new Jar(), provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ response_type: "code", code_challenge_method: "S256", redirect_uri: client.redirectUri, client_id: "lectern" });
    for (const name of ["code_challenge", "state", "nonce"]) expect(url.searchParams.get(name)?.length).toBeGreaterThan(20);
  });

  it("gives the roles of the provider's groups, and keeps the person by issuer and subject", async () => {
    const jar = await signInAs("admin");
    expect((await whoIs(jar)).actor).toMatchObject({ name: "Test admin", isOwner: false, grants: [{ environmentId: production, role: "admin" }] });
    await signInAs("admin");
    expect(await usersOf("admin@example.test")).toMatchObject([{ oidcIssuer: provider.issuer, oidcSubject: "admin", groups: ["ocr-admin"] }]);
  });

  it("gives nothing to someone without a group", async () => {
    expect((await whoIs(await signInAs("newcomer"))).actor).toMatchObject({ kind: "user", grants: [], isOwner: false });
  });

  it("leaves no token of the provider in cookies or rows (B2)", async () => {
    const jar = await signInAs("viewer");
    expect([...jar.keys()].filter((name) => !name.includes("next-auth"))).toEqual([SESSION_COOKIE]);
    expect(JSON.stringify([await database.db.user.findMany(), await database.db.session.findMany()])).not.toMatch(/eyJ|access_token|id_token/);
  });

  it("refuses a disabled person, and says so on the sign-in page", async () => {
    await signInAs("analyst");
    await database.db.user.updateMany({ where: { oidcSubject: "analyst" }, data: { disabledAt: new Date() } });
    const jar = new Jar();
    const response = await comeBack(jar, provider.issuer, await atProvider(await leave(jar, provider.issuer), "analyst"));
    expect(response.headers.get("location")).toContain("/login?error=AccessDenied");
    expect(jar.has(SESSION_COOKIE)).toBe(false);
  });
});

describe("what is refused (B1)", () => {
  async function refused(jar: Jar, issuer: string, url: URL) {
    const before = await database.db.auditEvent.count({ where: { action: "account.signIn", decision: "denied" } });
    const response = await comeBack(jar, issuer, url);
    expect(response.headers.get("location")).toContain("error=");
    expect(jar.has(SESSION_COOKIE)).toBe(false);
    expect(await database.db.auditEvent.count({ where: { action: "account.signIn", decision: "denied" } })).toBe(before + 1);
  }

  it("another state", async () => {
    const jar = new Jar();
    const back = await atProvider(await leave(jar, provider.issuer), "admin");
    back.searchParams.set("state", "tampered");
    await refused(jar, provider.issuer, back);
  });

  it.each(["state", "nonce", "pkce.code_verifier"])("the %s of another sign-in", async (check) => {
    const [victim, attacker] = [new Jar(), new Jar()];
    const back = await atProvider(await leave(victim, provider.issuer), "admin");
    await leave(attacker, provider.issuer);
    const name = `__Secure-next-auth.${check}`;
    victim.set(name, attacker.get(name) ?? "");
    await refused(victim, provider.issuer, back);
  });

  it("an answer to a browser that never asked", async () => {
    const back = await atProvider(await leave(new Jar(), provider.issuer), "admin");
    await refused(new Jar(), provider.issuer, back);
  });

  it("a code that was used before", async () => {
    const jar = new Jar();
    const back = await atProvider(await leave(jar, provider.issuer), "admin");
    const copy = new Jar(jar);
    await comeBack(jar, provider.issuer, back);
    await refused(copy, provider.issuer, back);
  });

  it.each([
    ["another audience", { claims: { aud: "somebody-else" } }],
    ["another issuer", { claims: { iss: "https://evil.example" } }],
    ["another nonce", { claims: { nonce: "tampered" } }],
    ["an expired token", { claims: { exp: 1_000_000_000 } }],
    ["a foreign signature", { signWith: "foreign" as const }],
    ["no signature", { signWith: "none" as const }],
  ])("an ID token with %s", async (_what, forgery) => {
    const { jar, back } = await forged(forgery);
    await refused(jar, forger.issuer, back);
  });
});

async function forged(forgery: Parameters<ForgingProvider["forge"]>[0]) {
  forger.forge(forgery);
  const jar = new Jar();
  const asked = await leave(jar, forger.issuer);
  const back = new URL(client.redirectUri);
  back.searchParams.set("state", asked.searchParams.get("state") ?? "");
  back.searchParams.set("code", Buffer.from(asked.searchParams.get("nonce") ?? "").toString("base64url"));
  return { jar, back };
}

describe("a second provider", () => {
  it("with the same subject and e-mail address is another person, also when its answer is accepted", async () => {
    await signInAs("admin");
    const { jar, back } = await forged({});
    expect((await comeBack(jar, forger.issuer, back)).headers.get("location")).toBe(`${origin}/deploy`);
    const people = await usersOf("admin@example.test");
    expect(people.map((person) => person.oidcIssuer)).toEqual([provider.issuer, forger.issuer]);
    expect((await whoIs(jar)).actor.userId).toBe(people[1]?.id);
  });

  it("cannot write control characters into a name, nor groups that are no list", async () => {
    const { jar, back } = await forged({ claims: { sub: "odd", name: "eve\u001b[31m\nforged", email: "odd@example.test", groups: { admin: true } } });
    await comeBack(jar, forger.issuer, back);
    expect((await whoIs(jar)).actor).toMatchObject({ name: "odd@example.test", grants: [] });
  });
});

describe("configured group grants", () => {
  it("follow the configuration, and leave what an admin gave", async () => {
    await database.db.grant.create({ data: { environmentId: production, group: "by-hand", role: "viewer", createdById: (await usersOf("admin@example.test"))[0]?.id ?? null } });
    await syncGroupGrants(database.db, JSON.stringify([{ group: "ocr-admin", environment: "production", role: "deployer" }]));
    const rows = await database.db.grant.findMany({ where: { group: { not: null } }, orderBy: { group: "asc" } });
    expect(rows.map((row) => [row.group, row.role])).toEqual([["by-hand", "viewer"], ["ocr-admin", "deployer"]]);
    const events = await database.db.auditEvent.findMany({ where: { action: "members.configure" }, orderBy: { sequence: "asc" } });
    expect(events).toHaveLength(2);
    await expect(syncGroupGrants(database.db, "[{]")).rejects.toThrow(/OIDC_GROUP_GRANTS/);
  });
});
