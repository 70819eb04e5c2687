import "server-only";
import { z } from "zod";
import type { Caller } from "@/lib/domain/caller";
import { SYSTEM } from "@/lib/domain/policy";
import { Role } from "@/lib/domain/policy-schema";
import type { Db, Tx } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { recordAudit } from "./audit-trail";

const GroupGrants = z.array(z.strictObject({ group: z.string().min(1).max(200), environment: z.string().min(1), role: Role }));

function configured(text: string): z.infer<typeof GroupGrants> {
  try {
    return GroupGrants.parse(JSON.parse(text));
  } catch {
    throw new Error('Configuration: OIDC_GROUP_GRANTS is not a list such as [{ "group": "ocr-admins", "environment": "production", "role": "admin" }].');
  }
}

const BY_CONFIGURATION: Caller = { actor: SYSTEM, origin: "scheduler", requestId: "configuration", ip: "", userAgent: "", sessionId: null, tokenId: null };

const keyOf = (row: { environmentId: string; group: string | null; role: string }) => JSON.stringify([row.environmentId, row.group, row.role]);

/**
 * Makes the grants of the provider's groups what OIDC_GROUP_GRANTS says: at start, and at each sign-in through the provider.
 * Rows that the configuration made have no creator; those that an admin made stay as they are. A change leaves one event.
 */
export async function applyGroupGrants(tx: Tx, text: string = env().OIDC_GROUP_GRANTS): Promise<void> {
  const environments = new Map((await tx.environment.findMany({ select: { id: true, slug: true } })).map((row) => [row.slug, row.id]));
  const wanted = configured(text).flatMap(({ group, environment, role }) => {
    const environmentId = environments.get(environment);
    if (!environmentId) log().warn({ environment }, "OIDC_GROUP_GRANTS names an environment that does not exist");
    return environmentId ? [{ environmentId, group, role }] : [];
  });
  const groups = await tx.grant.findMany({ where: { group: { not: null } }, select: { id: true, environmentId: true, group: true, role: true, createdById: true } });
  const [keep, known] = [new Set(wanted.map(keyOf)), new Set(groups.map(keyOf))];
  const added = wanted.filter((row) => !known.has(keyOf(row)));
  const removed = groups.filter((row) => row.createdById === null && !keep.has(keyOf(row)));
  if (added.length + removed.length === 0) return;
  await tx.grant.deleteMany({ where: { id: { in: removed.map((row) => row.id) } } });
  await tx.grant.createMany({ data: added, skipDuplicates: true });
  const detail = { added, removed: removed.map(({ environmentId, group, role }) => ({ environmentId, group, role })) };
  await recordAudit(tx, BY_CONFIGURATION, { action: "members.configure", environmentId: null, target: { type: "group" }, outcome: "success", detail });
}

/** `applyGroupGrants` in a transaction of its own. Throws a sentence when the setting is not valid. */
export async function syncGroupGrants(db: Db, text?: string): Promise<void> {
  await db.$transaction((tx) => applyGroupGrants(tx, text));
}
