import "server-only";
import { z } from "zod";
import type { Caller } from "@/lib/domain/caller";
import { DomainError, notFound } from "@/lib/domain/errors";
import { parseTopic, type Topic, type TopicKind } from "@/lib/domain/live-topic";
import type { Actor, Permission } from "@/lib/domain/policy";
import { TokenScope } from "@/lib/domain/policy-schema";
import { isSessionLive } from "@/lib/domain/session";
import type { Db } from "@/lib/platform/db";
import { actorOf } from "./identify";
import { read, type Operation } from "./operation";
import { execute } from "./pipeline";
import { findOperation } from "./registry";

const ById = z.strictObject({ id: z.uuid() });

/** Following an environment reads nothing: only the pipeline's answer counts. */
function followEnvironment(permission: Permission): Operation {
  return read({
    name: "environments.follow",
    summary: "Follow what happens in an environment",
    permission,
    environment: async ({ id }: z.output<typeof ById>, db) => (await db.environment.findUnique({ where: { id }, select: { id: true } }))?.id ?? null,
    input: ById,
    output: z.strictObject({}),
    run: async () => ({}),
  }) as unknown as Operation; // the pipeline works on the general type
}

/** The read that a topic repeats: who may call it with the id may follow the topic. */
const AUTHORISED_BY: Record<TopicKind, () => Operation | undefined> = {
  deployment: () => findOperation("deployments.get"),
  run: () => findOperation("runs.get"),
  environment: () => followEnvironment("environment.read"),
  usage: () => followEnvironment("cost.read"),
};

/** Throws as the topic's read does (`unauthenticated`, `not_found`, `forbidden`). Only the first check of a stream counts as a read in the audit trail. */
export async function authoriseTopic(db: Db, caller: Caller, { topic, isFirst }: { topic: string; isFirst: boolean }): Promise<Topic> {
  const parsed = parseTopic(topic);
  if (!parsed) throw new DomainError("invalid_input", "A topic is deployment, run, environment or usage, a colon and an id.");
  const operation = AUTHORISED_BY[parsed.kind]();
  if (!operation) throw notFound(parsed.kind);
  const checked = isFirst || operation.kind === "write" ? operation : { ...operation, audited: false };
  await execute(checked, { db, caller, input: { id: parsed.id } });
  return parsed.topic;
}

/**
 * The caller's rights as they are now, or null when the session or token no longer stands. Unlike `identify` it does not count as use:
 * a tab that is only left open must not keep its session alive.
 */
export async function presentActor(db: Db, caller: Caller, now: Date): Promise<Actor | null> {
  if (caller.tokenId) {
    const token = await db.apiToken.findUnique({ where: { id: caller.tokenId }, include: { user: true } });
    if (!token || token.revokedAt || token.expiresAt <= now || token.user.disabledAt) return null;
    return { ...(await actorOf(db, token.user)), kind: "token", name: caller.actor.name, scope: TokenScope.parse(token.scope) };
  }
  if (!caller.sessionId) return null;
  const session = await db.session.findUnique({ where: { id: caller.sessionId }, include: { user: true } });
  if (!session || !isSessionLive(session, now) || session.user.disabledAt) return null;
  return actorOf(db, session.user);
}
