import "server-only";
import { z } from "zod";
import { modelById, skuById } from "@/lib/domain/catalog";
import { DeploymentSpec, DeploymentStatus } from "@/lib/domain/deployment";
import { notFound } from "@/lib/domain/errors";
import type { Db, Tx } from "@/lib/platform/db";

export const DeploymentRow = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  environmentId: z.uuid(),
  environmentName: z.string(),
  environmentKind: z.string(),
  isSandbox: z.boolean(),
  modelId: z.string(),
  modelName: z.string(),
  skuId: z.string(),
  skuName: z.string(),
  gpuName: z.string(),
  replicas: z.number().int(),
  state: DeploymentStatus,
  message: z.string(),
  stateSince: z.iso.datetime(),
  observedAt: z.iso.datetime().nullable(),
  revision: z.number().int(),
  createdAt: z.iso.datetime(),
});
export type DeploymentRow = z.infer<typeof DeploymentRow>;

export const rowInclude = {
  environment: { select: { name: true, kind: true, namespace: true, cluster: { select: { id: true, kind: true } } } },
  revisions: { orderBy: { number: "desc" }, take: 1, select: { id: true, number: true } },
} as const;

type Row = NonNullable<Awaited<ReturnType<typeof findRow>>>;

function findRow(db: Db | Tx, id: string) {
  return db.deployment.findFirst({ where: { id, deletedAt: null }, include: rowInclude });
}

/** The deployment with its environment and newest revision. Throws `not_found`. */
export async function deploymentRow(db: Db | Tx, id: string): Promise<Row> {
  const row = await findRow(db, id);
  if (!row) throw notFound("deployment");
  return row;
}

/** The environment of a deployment, for the pipeline: null when there is none. */
export async function environmentOfDeployment(input: { id: string }, db: Db): Promise<string | null> {
  const row = await db.deployment.findFirst({ where: { id: input.id, deletedAt: null }, select: { environmentId: true } });
  return row?.environmentId ?? null;
}

export function toDeploymentRow(row: Row): DeploymentRow {
  const spec = DeploymentSpec.parse(row.spec);
  const model = modelById(spec.modelId);
  const sku = skuById(spec.skuId);
  return {
    id: row.id,
    name: row.name,
    environmentId: row.environmentId,
    environmentName: row.environment.name,
    environmentKind: row.environment.kind,
    isSandbox: row.environment.cluster?.kind === "sandbox",
    modelId: model.id,
    modelName: model.name,
    skuId: sku.id,
    skuName: sku.name,
    gpuName: sku.gpu.name,
    replicas: spec.replicas,
    state: DeploymentStatus.parse(row.state),
    message: row.message,
    stateSince: row.stateSince.toISOString(),
    observedAt: row.observedAt?.toISOString() ?? null,
    revision: row.revisions[0]?.number ?? 0,
    createdAt: row.createdAt.toISOString(),
  };
}
