import "server-only";
import { z } from "zod";
import type { Caller } from "@/lib/domain/caller";
import { DomainError } from "@/lib/domain/errors";
import { ANONYMOUS, type Actor, type Grant } from "@/lib/domain/policy";
import { Role, TokenScope } from "@/lib/domain/policy-schema";
import { isSessionLive, SESSION_COOKIE } from "@/lib/domain/session";
import type { Db } from "@/lib/platform/db";
import type { IdentityRequest } from "@/lib/platform/door";
import { clientAddress } from "@/lib/platform/client-address";
import { API_TOKEN_PREFIX, hashSecret } from "@/lib/platform/secret-token";

const TOUCH_AFTER_MS = 60_000;

type Person = { id: string; name: string; isOwner: boolean; groups: string[]; disabledAt: Date | null };
type Identity = Pick<Caller, "actor" | "sessionId" | "tokenId">;

const NOBODY: Identity = { actor: ANONYMOUS, sessionId: null, tokenId: null };

/** Who sends the request: the owner of its bearer token, else of its session cookie, else nobody. Throws `unauthenticated` for a token that is not valid. */
export async function identify(db: Db, request: IdentityRequest, now: Date = new Date()): Promise<Caller> {
  const header = request.headers.get("authorization");
  const identity = header ? await byToken(db, header, now) : await bySession(db, sessionCookie(request.headers.get("cookie")), now);
  return { ...identity, origin: request.origin, requestId: request.requestId, ip: clientAddress(request.headers), userAgent: request.headers.get("user-agent") ?? "" };
}

async function byToken(db: Db, header: string, now: Date): Promise<Identity> {
  const secret = /^Bearer (\S+)$/i.exec(header)?.[1];
  const invalid = () => new DomainError("unauthenticated", "The token is not valid: it is unknown, expired or revoked. Create one under Settings, Tokens.");
  if (!secret?.startsWith(API_TOKEN_PREFIX)) throw invalid();
  const token = await tokenWithOwner(db, hashSecret(secret));
  if (!token || token.revokedAt || token.expiresAt <= now || token.disabledAt) throw invalid();
  if (isStale(token.lastUsedAt, now)) await db.apiToken.update({ where: { id: token.id }, data: { lastUsedAt: now } });
  const actor: Actor = { kind: "token", userId: token.userId, name: `${token.person} (token ${token.name})`, isOwner: token.isOwner, grants: z.array(StoredGrant).parse(token.grants), scope: TokenScope.parse(token.scope) };
  return { actor, sessionId: null, tokenId: token.id };
}

const StoredGrant = z.object({ environmentId: z.string(), role: Role });
type StoredToken = { id: string; name: string; scope: unknown; expiresAt: Date; revokedAt: Date | null; lastUsedAt: Date | null; userId: string; person: string; isOwner: boolean; disabledAt: Date | null; grants: unknown };

/** The token, its owner and the owner's rights now, in one question: the gateway asks it for each page. */
async function tokenWithOwner(db: Db, tokenHash: string): Promise<StoredToken | undefined> {
  const rows = await db.$queryRaw<StoredToken[]>`
    SELECT token.id, token.name, token.scope, token.expires_at AS "expiresAt", token.revoked_at AS "revokedAt", token.last_used_at AS "lastUsedAt",
      person.id AS "userId", person.name AS person, person.is_owner AS "isOwner", person.disabled_at AS "disabledAt",
      COALESCE((SELECT jsonb_agg(jsonb_build_object('environmentId', held.environment_id, 'role', held.role) ORDER BY held.id)
        FROM access_grant held WHERE held.user_id = person.id OR held."group" = ANY (person.groups)), '[]') AS grants
    FROM api_token token JOIN user_account person ON person.id = token.user_id WHERE token.token_hash = ${tokenHash}`;
  return rows[0];
}

async function bySession(db: Db, secret: string | undefined, now: Date): Promise<Identity> {
  if (!secret) return NOBODY;
  const session = await db.session.findUnique({ where: { tokenHash: hashSecret(secret) }, include: { user: true } });
  if (!session || !isSessionLive(session, now) || session.user.disabledAt) return NOBODY;
  if (isStale(session.lastSeenAt, now)) await db.session.update({ where: { id: session.id }, data: { lastSeenAt: now } });
  return { actor: await actorOf(db, session.user), sessionId: session.id, tokenId: null };
}

function isStale(at: Date | null, now: Date): boolean {
  return !at || now.getTime() - at.getTime() > TOUCH_AFTER_MS;
}

/** The person's rights now: own grants and those of the groups that the identity provider named. */
export async function actorOf(db: Pick<Db, "grant">, person: Person): Promise<Actor> {
  const rows = await db.grant.findMany({ where: { OR: [{ userId: person.id }, { group: { in: person.groups } }] }, select: { environmentId: true, role: true } });
  const grants: Grant[] = rows.map((row) => ({ environmentId: row.environmentId, role: Role.parse(row.role) }));
  return { kind: "user", userId: person.id, name: person.name, isOwner: person.isOwner, grants, scope: null };
}

function sessionCookie(header: string | null): string | undefined {
  const pairs = header?.split(";").map((pair) => pair.trim().split("=")) ?? [];
  return pairs.find(([name]) => name === SESSION_COOKIE)?.[1];
}
