import { ROLES, type Role, type TokenScope } from "@/lib/domain/policy";
import { SESSION_ABSOLUTE_MS, SESSION_COOKIE } from "@/lib/domain/session";
import type { Db } from "@/lib/platform/db";
import { API_TOKEN_PREFIX, hashSecret, newSecret } from "@/lib/platform/secret-token";
import { createPerson } from "./callers";

/** A session of the person: its id, and the header that carries it. */
export async function makeSession(db: Db, userId: string): Promise<{ id: string; headers: { cookie: string } }> {
  const secret = newSecret();
  const { id } = await db.session.create({ data: { tokenHash: hashSecret(secret), userId, method: "test", expiresAt: new Date(Date.now() + SESSION_ABSOLUTE_MS) } });
  return { id, headers: { cookie: `${SESSION_COOKIE}=${secret}` } };
}

/** A token of the person: its id, and the header that carries it. */
export async function makeToken(db: Db, userId: string, scope: TokenScope): Promise<{ id: string; headers: { authorization: string } }> {
  const secret = newSecret(API_TOKEN_PREFIX);
  const { id } = await db.apiToken.create({ data: { name: "test", prefix: secret.slice(0, 8), tokenHash: hashSecret(secret), userId, scope, expiresAt: new Date(Date.now() + 3_600_000) } });
  return { id, headers: { authorization: `Bearer ${secret}` } };
}

export const PRINCIPALS = ["none", ...ROLES, "owner"] as const;
export type Principal = (typeof PRINCIPALS)[number];
export type SignedIn = { id: string; sessionId: string; headers: { cookie: string } };

/** A signed-in person with that role in the environment; `none` has no grant at all. */
export async function makePrincipal(db: Db, principal: Principal, environmentId: string): Promise<SignedIn> {
  const roles: Record<string, Role> = principal === "none" || principal === "owner" ? {} : { [environmentId]: principal };
  const { id } = await createPerson(db, `${principal} ${newSecret().slice(0, 6)}`, { isOwner: principal === "owner", roles });
  const session = await makeSession(db, id);
  return { id, sessionId: session.id, headers: session.headers };
}

/** One of each. */
export async function makePrincipals(db: Db, environmentId: string): Promise<Record<Principal, SignedIn>> {
  const made = await Promise.all(PRINCIPALS.map(async (principal) => [principal, await makePrincipal(db, principal, environmentId)] as const));
  return Object.fromEntries(made) as Record<Principal, SignedIn>; // made from PRINCIPALS, so complete
}
