import "server-only";
import { Prisma } from "@/lib/generated/prisma/client";
import { modelById, skuById } from "@/lib/domain/catalog";
import type { Db } from "@/lib/platform/db";
import type { DeploymentRow } from "./deployment-rows";

/** `environmentIds` null: of every environment. */
export type ListWanted = { environmentIds: readonly string[] | null };

type Raw = Omit<DeploymentRow, "modelName" | "skuName" | "gpuName">;

/**
 * The deployments of some environments, newest first. The database writes the rows as one JSON text: ten thousand objects made one by
 * one, each with a query for its revision, took most of a second.
 */
export async function listDeployments(db: Db, { environmentIds }: ListWanted): Promise<DeploymentRow[]> {
  const only = environmentIds === null ? Prisma.empty : Prisma.sql`AND d.environment_id = ANY(${[...environmentIds]}::uuid[])`;
  const [answer] = await db.$queryRaw<{ rows: Raw[] | null }[]>`
    SELECT json_agg(r) AS rows FROM (
      SELECT d.id, d.name, d.environment_id AS "environmentId", e.name AS "environmentName", e.kind AS "environmentKind", COALESCE(c.kind = 'sandbox', false) AS "isSandbox",
        d.spec->>'modelId' AS "modelId", d.spec->>'skuId' AS "skuId", COALESCE((d.spec->>'replicas')::int, 1) AS replicas, d.state, d.message,
        to_char(d.state_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "stateSince",
        to_char(d.observed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "observedAt",
        COALESCE(v.number, 0) AS revision,
        to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"
      FROM deployment d JOIN environment e ON e.id = d.environment_id LEFT JOIN cluster c ON c.id = e.cluster_id
        LEFT JOIN (SELECT deployment_id, max(number) AS number FROM revision GROUP BY 1) v ON v.deployment_id = d.id
      WHERE d.deleted_at IS NULL ${only}
      ORDER BY d.created_at DESC, d.id
    ) r`;
  return (answer?.rows ?? []).map((row) => {
    const sku = skuById(row.skuId);
    return { ...row, modelName: modelById(row.modelId).name, skuName: sku.name, gpuName: sku.gpu.name };
  });
}
