import "server-only";
import { z } from "zod";
import { EnvironmentKind } from "@/lib/domain/environment";
import { environmentsWith, type Actor, type Permission } from "@/lib/domain/policy";
import { read } from "./operation";

const EnvironmentRow = z.strictObject({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  kind: EnvironmentKind,
  namespace: z.string(),
  isSample: z.boolean(),
  retentionHours: z.number().int(),
  cluster: z.strictObject({ id: z.uuid(), name: z.string(), kind: z.enum(["sandbox", "linked"]) }).nullable(),
});

/** A Prisma filter on `environmentId` that keeps to where the actor has the permission: lists filter in the query, never after it. */
export function inEnvironmentsWith(actor: Actor, permission: Permission): { environmentId?: { in: string[] } } {
  const ids = environmentsWith(actor, permission);
  return ids === "all" ? {} : { environmentId: { in: ids } };
}

export const environmentsList = read({
  name: "environments.list",
  summary: "The environments that I may see",
  permission: "environment.read",
  environment: "each",
  input: z.strictObject({}),
  output: z.strictObject({ environments: z.array(EnvironmentRow) }),
  run: async ({ caller, db }) => {
    const ids = environmentsWith(caller.actor, "environment.read");
    const rows = await db.environment.findMany({
      where: { removedAt: null, ...(ids === "all" ? {} : { id: { in: ids } }) },
      include: { cluster: { select: { id: true, name: true, kind: true } } },
      orderBy: { createdAt: "asc" },
    });
    return {
      environments: rows.map((row) => ({
        id: row.id,
        slug: row.slug,
        name: row.name,
        kind: EnvironmentKind.parse(row.kind),
        namespace: row.namespace,
        isSample: row.isSample,
        retentionHours: row.retentionHours,
        cluster: row.cluster ? { ...row.cluster, kind: row.cluster.kind === "sandbox" ? ("sandbox" as const) : ("linked" as const) } : null,
      })),
    };
  },
});
