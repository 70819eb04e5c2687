import "server-only";
import { z } from "zod";
import { Protection } from "@/lib/domain/approval";
import { notFound } from "@/lib/domain/errors";
import type { Db, Tx } from "@/lib/platform/db";
import { publish } from "./live";
import { read, write } from "./operation";

const Where = z.strictObject({ environmentId: z.uuid() });

/** The environment's rule as it is now, with its name. Throws `not_found`. */
export async function protectionOf(db: Db | Tx, environmentId: string): Promise<Protection & { name: string }> {
  const row = await db.environment.findUnique({ where: { id: environmentId }, select: { name: true, needsApproval: true, approvers: true } });
  if (!row) throw notFound("environment");
  return { name: row.name, ...Protection.parse({ needsApproval: row.needsApproval, approvers: row.approvers }) };
}

export const environmentsRules = read({
  name: "environments.rules",
  summary: "Whether deploying to an environment needs an approval, and who gives it",
  permission: "environment.read",
  environment: async (input) => input.environmentId,
  input: Where,
  output: Protection.extend({ people: z.array(z.strictObject({ userId: z.uuid(), name: z.string() })) }),
  run: async ({ db, input }) => {
    const { needsApproval, approvers } = await protectionOf(db, input.environmentId);
    const ids = approvers.flatMap((one) => (one.kind === "person" ? [one.userId] : []));
    const people = await db.user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
    return { needsApproval, approvers, people: people.map(({ id, name }) => ({ userId: id, name })) };
  },
});

export const environmentsSetRules = write({
  name: "environments.setRules",
  summary: "Set whether deploying to an environment needs an approval, and who gives it",
  permission: "environment.edit",
  environment: async (input) => input.environmentId,
  effect: "database",
  input: Where.extend(Protection.shape),
  output: z.strictObject({ before: Protection }),
  target: (input, result) => ({
    type: "environment",
    id: input.environmentId,
    detail: { needsApproval: input.needsApproval, approvers: input.approvers, before: result?.before ?? null },
  }),
  run: async ({ db, input }) => {
    const { needsApproval, approvers } = await protectionOf(db, input.environmentId);
    await db.environment.update({ where: { id: input.environmentId }, data: { needsApproval: input.needsApproval, approvers: input.approvers } });
    await publish(db, `environment:${input.environmentId}`, { data: { rules: true } });
    return { before: { needsApproval, approvers } };
  },
});
