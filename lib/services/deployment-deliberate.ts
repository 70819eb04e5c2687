import "server-only";
import type { Caller } from "@/lib/domain/caller";
import { DomainError } from "@/lib/domain/errors";
import { FRESH_SIGN_IN_MS } from "@/lib/domain/session";
import type { Db } from "@/lib/platform/db";

type Deed = { caller: Caller; now: Date; environment: { name: string; kind: string }; name: string; confirmName: string | undefined };

/**
 * What production asks before something is taken away from it: a sign-in of the last minutes and the name as the person typed it. Elsewhere nothing is
 * asked, nor of the scheduler, whose hours an admin has set. Throws `sign_in_again` and `invalid_input`.
 */
export async function assertDeliberate(db: Db, { caller, now, environment, name, confirmName }: Deed): Promise<void> {
  if (environment.kind !== "production" || caller.actor.kind === "system") return;
  await assertFreshSignIn(db, caller, now);
  if (confirmName === name) return;
  const message = `Type the name ${name}: this takes something away from ${environment.name}.`;
  throw new DomainError("invalid_input", message, { fields: [{ path: "confirmName", message }] });
}

async function assertFreshSignIn(db: Db, caller: Caller, now: Date): Promise<void> {
  const session = caller.sessionId === null ? null : await db.session.findUnique({ where: { id: caller.sessionId }, select: { createdAt: true } });
  if (session && now.getTime() - session.createdAt.getTime() < FRESH_SIGN_IN_MS) return;
  const who = caller.actor.kind === "token" ? "A token cannot do this: it needs a person who has just signed in." : "Sign in again first.";
  throw new DomainError("sign_in_again", `${who} Stopping and deleting in production, and removing its volumes, ask for a sign-in of the last ${FRESH_SIGN_IN_MS / 60_000} minutes.`);
}
