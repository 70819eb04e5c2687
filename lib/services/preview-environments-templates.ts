import "server-only";
import { z } from "zod";
import { modelById, skuById } from "@/lib/domain/catalog";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError, notFound } from "@/lib/domain/errors";
import { Forge, TemplateInput } from "@/lib/domain/preview-environment";
import { priceOfSku } from "@/lib/domain/sku-price";
import type { EnvironmentTemplate } from "@/lib/generated/prisma/client";
import type { Db, Tx } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { newSecret } from "@/lib/platform/secret-token";
import { createSend } from "@/lib/platform/send";
import { vault } from "@/lib/platform/vault";
import { read, write } from "./operation";
import { priceBook } from "./prices-book";

const owners = { permission: "portal.manage", environment: "portal" } as const;
const One = z.strictObject({ id: z.uuid() });
export const templatePlace = (id: string, purpose: "hook-secret" | "forge-token") => ({ environment: "portal", object: id, purpose: `template-${purpose}` });

const TemplateView = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  clusterId: z.uuid(),
  clusterName: z.string(),
  modelName: z.string(),
  gpuName: z.string(),
  replicas: z.number().int(),
  hoursToLive: z.number().int(),
  idleMinutes: z.number().int(),
  retentionHours: z.number().int(),
  budget: z.string().nullable(),
  currency: z.string(),
  forge: Forge,
  repository: z.string(),
  apiUrl: z.string(),
  comments: z.boolean(),
  people: z.number().int(),
  hookUrl: z.string(),
  open: z.number().int(),
});
export type TemplateView = z.infer<typeof TemplateView>;

/** Where a forge posts to. */
export function hookUrl(id: string): string {
  return `${env().NEXTAUTH_URL}/api/hooks/${id}`;
}

/** The template. Throws `not_found`. */
export async function templateRow(db: Db | Tx, id: string): Promise<EnvironmentTemplate> {
  const row = await db.environmentTemplate.findFirst({ where: { id, deletedAt: null } });
  if (!row) throw notFound("template");
  return row;
}

/** The key with which a template's webhook is signed. */
export function hookSecretOf(row: { id: string; sealedSecret: Uint8Array }): string {
  return vault().open(row.sealedSecret, templatePlace(row.id, "hook-secret")).toString("utf8");
}

/** The token with which its repository is commented on; null: it is not. */
export function forgeTokenOf(row: { id: string; sealedToken: Uint8Array | null }): string | null {
  return row.sealedToken ? vault().open(row.sealedToken, templatePlace(row.id, "forge-token")).toString("utf8") : null;
}

export const templatesList = read({
  ...owners,
  name: "templates.list",
  summary: "From what the environments of pull requests are made",
  input: z.strictObject({}),
  output: z.strictObject({ templates: z.array(TemplateView) }),
  run: async ({ db }) => {
    const book = await priceBook(db);
    const rows = await db.environmentTemplate.findMany({ where: { deletedAt: null }, include: { cluster: { select: { name: true } }, _count: { select: { environments: { where: { state: { not: "removed" } } } } } }, orderBy: { createdAt: "asc" } });
    return {
      templates: rows.map((row) => {
        const spec = DeploymentSpec.parse(row.spec);
        const price = priceOfSku(spec.skuId, book);
        const people = Array.isArray(row.roles) ? row.roles.length : 0;
        const { id, name, clusterId, hoursToLive, idleMinutes, retentionHours, repository, apiUrl } = row;
        return { id, name, clusterId, hoursToLive, idleMinutes, retentionHours, repository, apiUrl, clusterName: row.cluster.name, modelName: modelById(spec.modelId).name, gpuName: skuById(spec.skuId).gpu.name, replicas: spec.replicas, budget: row.budget?.toFixed(2) ?? null, currency: price.state === "priced" ? price.currency : "", forge: Forge.parse(row.forge), comments: row.sealedToken !== null, people, hookUrl: hookUrl(row.id), open: row._count.environments };
      }),
    };
  },
});

const ForgeToken = z.string().trim().min(8, "Enter the whole token.").max(500).regex(/^[\x21-\x7e]+$/, "A token has no spaces.");

export const templatesCreate = write({
  ...owners,
  effect: "database",
  name: "templates.create",
  summary: "Make a template from which every pull request of a repository gets an environment; the webhook's secret is shown once",
  input: TemplateInput.extend({ forgeToken: ForgeToken.nullable().default(null) }),
  output: One.extend({ hookUrl: z.string(), hookSecret: z.string() }),
  target: (input, result) => ({ type: "template", id: result?.id ?? null, name: input.name, detail: { forge: input.forge, repository: input.repository, clusterId: input.clusterId, hoursToLive: input.hoursToLive, budget: input.budget, comments: input.forgeToken !== null } }),
  run: async ({ caller, db, input }) => {
    const { forgeToken, spec, roles, ...rest } = input;
    if (!(await db.cluster.findUnique({ where: { id: input.clusterId }, select: { id: true } }))) throw notFound("cluster");
    if (await db.environmentTemplate.findUnique({ where: { name: input.name }, select: { id: true } })) throw new DomainError("conflict", `There is a template named ${input.name} already. Choose another name.`);
    if (input.budget !== null && priceOfSku(spec.skuId, await priceBook(db)).state === "unpriced") throw new DomainError("unprocessable", "This GPU size has no price, so a budget would never be reached. Enter its price first, or leave the budget out.");
    createSend({ origin: new URL(input.apiUrl).origin, allowLoopback: env().LECTERN_ALLOW_LOOPBACK === "1", ...(forgeToken === null ? {} : { token: forgeToken }) }); // refuses what can never be right
    const id = crypto.randomUUID();
    const hookSecret = newSecret("lch_");
    const sealedSecret = new Uint8Array(vault().seal(Buffer.from(hookSecret), templatePlace(id, "hook-secret")));
    const sealedToken = forgeToken === null ? null : new Uint8Array(vault().seal(Buffer.from(forgeToken), templatePlace(id, "forge-token")));
    await db.environmentTemplate.create({ data: { id, ...rest, spec, roles, sealedSecret, sealedToken, createdById: caller.actor.userId } });
    return { id, hookUrl: hookUrl(id), hookSecret };
  },
});

export const templatesDelete = write({
  ...owners,
  effect: "database",
  name: "templates.delete",
  summary: "Delete a template; its webhook stops working, and the environments that are open are removed",
  input: One,
  output: One.extend({ closing: z.number().int() }),
  target: (input, result) => ({ type: "template", id: input.id, detail: result ? { closing: result.closing } : {} }),
  run: async ({ db, input, now }) => {
    const { id, name } = await templateRow(db, input.id);
    await db.environmentTemplate.update({ where: { id }, data: { deletedAt: now, name: `${name} (deleted ${now.toISOString()})` } });
    const { count } = await db.pullRequestEnvironment.updateMany({ where: { templateId: id, state: { in: ["opening", "open"] } }, data: { state: "removing", endReason: "person", endedAt: now, leasedUntil: null } });
    return { id, closing: count };
  },
});
