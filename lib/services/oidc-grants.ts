import "server-only";
import { z } from "zod";
import { Role } from "@/lib/domain/policy";
import type { Tx } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

const GroupGrants = z.array(z.strictObject({ group: z.string().min(1).max(200), environment: z.string().min(1), role: Role }));

function configured(text: string): z.infer<typeof GroupGrants> {
  try {
    return GroupGrants.parse(JSON.parse(text));
  } catch {
    throw new Error('Configuration: OIDC_GROUP_GRANTS is not a list such as [{ "group": "ocr-admins", "environment": "production", "role": "admin" }].');
  }
}

/**
 * Makes the grants of the provider's groups what OIDC_GROUP_GRANTS says: at start, and at each sign-in through the provider.
 * Rows that the configuration made have no creator; those that an admin made stay as they are.
 */
export async function syncGroupGrants(tx: Pick<Tx, "environment" | "grant">, text: string = env().OIDC_GROUP_GRANTS): Promise<void> {
  const environments = new Map((await tx.environment.findMany({ select: { id: true, slug: true } })).map((row) => [row.slug, row.id]));
  const wanted = configured(text).flatMap(({ group, environment, role }) => {
    const environmentId = environments.get(environment);
    if (!environmentId) log().warn({ environment }, "OIDC_GROUP_GRANTS names an environment that does not exist");
    return environmentId ? [{ environmentId, group, role }] : [];
  });
  const present = await tx.grant.findMany({ where: { group: { not: null }, createdById: null }, select: { id: true, environmentId: true, group: true, role: true } });
  const key = (row: { environmentId: string; group: string | null; role: string }) => JSON.stringify([row.environmentId, row.group, row.role]);
  const keep = new Set(wanted.map(key));
  await tx.grant.deleteMany({ where: { id: { in: present.filter((row) => !keep.has(key(row))).map((row) => row.id) } } });
  await tx.grant.createMany({ data: wanted, skipDuplicates: true });
}
