import { randomUUID } from "node:crypto";
import type { Caller } from "@/lib/domain/caller";
import { ANONYMOUS, type Actor, type Role } from "@/lib/domain/policy";
import type { Db } from "@/lib/platform/db";
import { actorOf } from "@/lib/services/identify";

/** A caller in the browser with that actor. */
export function callerOf(actor: Actor = ANONYMOUS): Caller {
  return { actor, origin: "ui", requestId: randomUUID(), ip: "192.0.2.1", userAgent: "vitest", sessionId: null, tokenId: null };
}

export async function createEnvironment(db: Db, slug: string): Promise<string> {
  const row = await db.environment.create({ data: { slug, name: slug, kind: "staging", namespace: `lectern-${slug}` } });
  return row.id;
}

type Rights = { isOwner?: boolean; roles?: Record<string, Role>; groups?: string[] };

/** A person in the database with roles by environment id, and the caller that they are. */
export async function createPerson(db: Db, name: string, { isOwner = false, roles = {}, groups = [] }: Rights = {}): Promise<{ id: string; caller: Caller }> {
  const user = await db.user.create({ data: { name, email: `${name.toLowerCase().replaceAll(" ", ".")}@example.test`, isOwner, groups } });
  await db.grant.createMany({ data: Object.entries(roles).map(([environmentId, role]) => ({ environmentId, role, userId: user.id, createdById: user.id })) });
  return { id: user.id, caller: callerOf(await actorOf(db, user)) };
}
