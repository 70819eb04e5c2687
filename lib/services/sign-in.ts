import "server-only";
import { z } from "zod";
import type { Caller } from "@/lib/domain/caller";
import { DomainError } from "@/lib/domain/errors";
import { EmailAddress, type OidcIdentity, type SignInMethod } from "@/lib/domain/identity";
import { SESSION_ABSOLUTE_MS } from "@/lib/domain/session";
import type { SignInRules } from "@/lib/platform/auth";
import { signInLimits, type SignInLimits } from "@/lib/platform/auth-limits";
import type { Db, Tx } from "@/lib/platform/db";
import { verifyPassword } from "@/lib/platform/password";
import { hashSecret, newSecret } from "@/lib/platform/secret-token";
import { recordAudit, recordAuditAlone } from "./audit-trail";
import { actorOf, identify } from "./identify";
import { acceptIdentity } from "./oidc-identity";

export const SIGN_IN = "account.signIn";
export const SIGN_OUT = "account.signOut";

const Credentials = z.object({ email: EmailAddress, password: z.string().min(1).max(256) });

type Parts = { db: Db; limits: SignInLimits; now: () => Date };

/** The rules of signing in over that database, for lib/platform/auth. `now` is replaced in tests. */
export function signInRules(db: Db, limits: SignInLimits = signInLimits(), now: () => Date = () => new Date()): SignInRules {
  const parts = { db, limits, now };
  return {
    identify: (request) => identify(db, request, now()),
    checkPassword: (values, caller) => checkPassword(parts, values, caller),
    acceptIdentity: (identity: OidcIdentity, caller) => acceptIdentity(db, identity, caller),
    openSession: (person, caller) => openSession(parts, person, caller),
    endSession: (caller) => endOwnSession(parts, caller),
    recordRefusal: (reason, caller) => recordAuditAlone(db, caller, { action: SIGN_IN, environmentId: null, target: { type: "user" }, decision: "denied", outcome: "failure", reason, detail: { method: "oidc" } }),
  };
}

async function checkPassword({ db, limits }: Parts, values: unknown, caller: Caller): Promise<string> {
  const wrong = new DomainError("unauthenticated", "The e-mail address or the password is not right.");
  const parsed = Credentials.safeParse(values);
  if (!parsed.success) throw wrong;
  const { email, password } = parsed.data;
  await limits.attempt(caller.ip, email);
  const user = await db.user.findFirst({ where: { email, passwordHash: { not: null } } });
  const isRight = await verifyPassword(password, user?.passwordHash ?? null);
  if (user && isRight && !user.disabledAt) {
    await limits.succeeded(email);
    return user.id;
  }
  const refusal = user && isRight ? new DomainError("forbidden", "This account is disabled. Ask an owner of the portal.") : wrong;
  await recordAuditAlone(db, caller, {
    action: SIGN_IN,
    environmentId: null,
    target: { type: "user", id: user?.id ?? null, name: email },
    decision: "denied",
    outcome: "failure",
    reason: refusal.message,
    errorCode: refusal.code,
    detail: { method: "password" },
  });
  throw refusal;
}

async function openSession({ db, now }: Parts, person: { userId: string; method: SignInMethod }, caller: Caller): Promise<string> {
  const secret = newSecret();
  await db.$transaction(async (tx) => {
    const user = await tx.user.findUniqueOrThrow({ where: { id: person.userId } });
    if (user.disabledAt) throw new DomainError("forbidden", "This account is disabled. Ask an owner of the portal.");
    // A new id at every sign-in: whoever planted or copied the old one holds nothing.
    if (caller.sessionId) await endSession(tx, caller.sessionId, now());
    const times = { createdAt: now(), lastSeenAt: now(), expiresAt: new Date(now().getTime() + SESSION_ABSOLUTE_MS) };
    const session = await tx.session.create({
      data: { tokenHash: hashSecret(secret), userId: user.id, method: person.method, ip: caller.ip, userAgent: caller.userAgent.slice(0, 300), ...times },
    });
    const signedIn: Caller = { ...caller, actor: await actorOf(tx, user), sessionId: session.id };
    await recordAudit(tx, signedIn, { action: SIGN_IN, environmentId: null, target: { type: "user", id: user.id, name: user.name }, outcome: "success", detail: { method: person.method } });
  });
  return secret;
}

async function endOwnSession({ db, now }: Parts, caller: Caller): Promise<void> {
  const { sessionId } = caller;
  if (!sessionId) return;
  await db.$transaction(async (tx) => {
    await endSession(tx, sessionId, now());
    await recordAudit(tx, caller, { action: SIGN_OUT, environmentId: null, target: { type: "session", id: sessionId }, outcome: "success" });
  });
}

async function endSession(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.session.updateMany({ where: { id, endedAt: null }, data: { endedAt: now } });
}
