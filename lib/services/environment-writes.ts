import "server-only";
import { z } from "zod";
import { NamespaceName } from "@/lib/domain/deployment";
import { EnvironmentKind } from "@/lib/domain/environment";
import { DomainError, notFound } from "@/lib/domain/errors";
import type { Tx } from "@/lib/platform/db";
import { environmentById } from "./environment-rows";
import { publish } from "./live";
import { write } from "./operation";

const Name = z.string().trim().min(1, "Give the environment a name.").max(60, "Use at most 60 characters.");
const Slug = z
  .string()
  .max(40)
  .regex(/^[a-z]([a-z0-9-]*[a-z0-9])?$/, "Start with a lower-case letter; use lower-case letters, digits and dashes.");
const Retention = z.number().int().min(0, "0 hours stores nothing.").max(87_600, "Use at most ten years.");
const Place = z.strictObject({ clusterId: z.uuid().nullable(), namespace: NamespaceName });
const One = z.strictObject({ id: z.uuid() });

/** A namespace of a cluster belongs to one environment: its rights and secrets are not shared. Throws `not_found` and `conflict`. */
async function assertFree(tx: Tx, { clusterId, namespace }: z.output<typeof Place>, except?: string): Promise<void> {
  if (clusterId === null) return;
  if (!(await tx.cluster.findUnique({ where: { id: clusterId }, select: { id: true } }))) throw notFound("cluster");
  const taken = await tx.environment.findFirst({ where: { clusterId, namespace, ...(except ? { id: { not: except } } : {}) }, select: { name: true } });
  if (taken) throw new DomainError("conflict", `The namespace ${namespace} of that cluster belongs to ${taken.name}. Choose another one.`);
}

export const environmentsCreate = write({
  name: "environments.create",
  summary: "Create an environment: a namespace of a cluster with its own members, rules and retention",
  permission: "portal.manage",
  environment: "portal",
  effect: "database",
  input: Place.extend({ name: Name, slug: Slug, kind: EnvironmentKind, retentionHours: Retention.default(24) }),
  output: One.extend({ slug: z.string() }),
  target: (input, result) => ({ type: "environment", id: result?.id ?? null, name: input.name, detail: { kind: input.kind, namespace: input.namespace, clusterId: input.clusterId } }),
  run: async ({ db, input }) => {
    await assertFree(db, input);
    if (await db.environment.findUnique({ where: { slug: input.slug }, select: { id: true } })) throw new DomainError("conflict", `There is an environment ${input.slug} already. Choose another short name.`);
    // Production begins protected: owners approve until somebody is named.
    const { id, slug } = await db.environment.create({ data: { ...input, needsApproval: input.kind === "production" } });
    return { id, slug };
  },
});

export const environmentsEdit = write({
  name: "environments.edit",
  summary: "Change an environment's name, kind and retention",
  permission: "environment.edit",
  environment: async (input) => input.id,
  effect: "database",
  input: One.extend({ name: Name, kind: EnvironmentKind, retentionHours: Retention }),
  output: z.strictObject({ before: z.strictObject({ name: z.string(), kind: z.string(), retentionHours: z.number().int() }) }),
  target: (input, result) => ({ type: "environment", id: input.id, name: input.name, detail: { kind: input.kind, retentionHours: input.retentionHours, before: result?.before ?? null } }),
  run: async ({ db, input }) => {
    const { id, ...data } = input;
    const { name, kind, retentionHours } = await environmentById(db, id);
    await db.environment.update({ where: { id }, data });
    await publish(db, `environment:${id}`, { data: { edited: true } });
    return { before: { name, kind, retentionHours } };
  },
});

export const environmentsMove = write({
  name: "environments.move",
  summary: "Move an environment to another cluster or namespace; refused while it has deployments",
  permission: "portal.manage",
  environment: "portal",
  effect: "database",
  input: Place.extend({ id: z.uuid() }),
  output: z.strictObject({ name: z.string(), before: Place }),
  target: (input, result) => ({ type: "environment", id: input.id, name: result?.name ?? null, detail: { clusterId: input.clusterId, namespace: input.namespace, before: result?.before ?? null } }),
  run: async ({ db, input }) => {
    const { id, clusterId, namespace } = input;
    const row = await environmentById(db, id);
    await assertFree(db, input, id);
    const count = await db.deployment.count({ where: { environmentId: id, deletedAt: null } });
    if (count > 0) throw new DomainError("conflict", `${row.name} has ${count} ${count === 1 ? "deployment" : "deployments"} where it is now. Delete them first, then move it and deploy again.`);
    await db.environment.update({ where: { id }, data: { clusterId, namespace } });
    await db.approval.updateMany({ where: { environmentId: id, state: { in: ["pending", "approved"] } }, data: { state: "void" } });
    await publish(db, `environment:${id}`, { data: { clusterId } });
    return { name: row.name, before: { clusterId: row.clusterId, namespace: row.namespace } };
  },
});
