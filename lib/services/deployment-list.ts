import "server-only";
import { z } from "zod";
import { Prisma } from "@/lib/generated/prisma/client";
import { allModels, allSkus, modelById, skuById } from "@/lib/domain/catalog";
import { DeploymentStatus } from "@/lib/domain/deployment";
import type { Db } from "@/lib/platform/db";
import { DeploymentRow } from "./deployment-rows";

/** Everything is optional: without a limit the answer holds them all. */
export const ListInput = z.strictObject({
  environmentId: z.uuid().optional(),
  search: z.string().trim().max(100).optional().describe("Words in any case; each must stand in the name, the environment, the model or the size."),
  states: z.array(DeploymentStatus).max(7).optional(),
  limit: z.int().min(1).max(500).optional(),
  after: z.uuid().optional().describe("`next` of the answer before."),
});

export const ListAnswer = z.strictObject({
  deployments: z.array(DeploymentRow),
  /** How many there are that match, on this page and others. */
  total: z.number().int(),
  /** Where the next page begins; null on the last. */
  next: z.uuid().nullable(),
  /** How many there are of each state in each environment, whatever was searched for. */
  counts: z.array(z.strictObject({ environmentId: z.uuid(), state: DeploymentStatus, count: z.number().int() })),
});
type ListAnswer = z.infer<typeof ListAnswer>;

/** `environmentIds` null: of every environment. */
type ListWanted = { environmentIds: readonly string[] | null } & Pick<z.infer<typeof ListInput>, "search" | "states" | "limit" | "after">;

type Raw = Omit<DeploymentRow, "modelName" | "skuName" | "gpuName">;
type Answer = { rows: Raw[] | null; total: number; counts: ListAnswer["counts"] | null };

const iso = Prisma.sql`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/**
 * The deployments of some environments, newest first. The database finds, counts and cuts, and writes the rows as one JSON text: ten
 * thousand objects made one by one, each with a query for its revision, took most of a second.
 */
export async function listDeployments(db: Db, { environmentIds, limit, ...wanted }: ListWanted): Promise<ListAnswer> {
  const visible = environmentIds === null ? Prisma.empty : Prisma.sql`AND d.environment_id = ANY(${[...environmentIds]}::uuid[])`;
  const after = wanted.after === undefined ? Prisma.empty : Prisma.sql`WHERE (m.created_at, m.id) < (SELECT created_at, id FROM deployment WHERE id = ${wanted.after}::uuid)`;
  const cut = limit === undefined ? Prisma.empty : Prisma.sql`LIMIT ${limit + 1}`;
  const [answer] = await db.$queryRaw<Answer[]>`
    WITH visible AS MATERIALIZED (SELECT d.id, d.environment_id, d.created_at, d.state, d.name, d.spec FROM deployment d WHERE d.deleted_at IS NULL ${visible}),
    matching AS MATERIALIZED (SELECT d.id, d.created_at FROM visible d JOIN environment e ON e.id = d.environment_id WHERE true ${matching(wanted)}),
    page AS (SELECT m.id FROM matching m ${after} ORDER BY m.created_at DESC, m.id DESC ${cut})
    SELECT (SELECT count(*)::int FROM matching) AS total,
      (SELECT json_agg(c) FROM (SELECT environment_id AS "environmentId", state, count(*)::int AS count FROM visible GROUP BY 1, 2 ORDER BY 1, 2) c) AS counts,
      (SELECT json_agg(r) FROM (
        SELECT d.id, d.name, d.environment_id AS "environmentId", e.name AS "environmentName", e.kind AS "environmentKind", COALESCE(c.kind = 'sandbox', false) AS "isSandbox",
          d.spec->>'modelId' AS "modelId", d.spec->>'skuId' AS "skuId", COALESCE((d.spec->>'replicas')::int, 1) AS replicas, d.state, d.message,
          to_char(d.state_since AT TIME ZONE 'UTC', ${iso}) AS "stateSince",
          to_char(d.observed_at AT TIME ZONE 'UTC', ${iso}) AS "observedAt",
          COALESCE((SELECT max(number) FROM revision WHERE deployment_id = d.id), 0) AS revision,
          to_char(d.created_at AT TIME ZONE 'UTC', ${iso}) AS "createdAt"
        FROM page JOIN deployment d ON d.id = page.id JOIN environment e ON e.id = d.environment_id LEFT JOIN cluster c ON c.id = e.cluster_id
        ORDER BY d.created_at DESC, d.id DESC
      ) r) AS rows`;
  const rows = answer?.rows ?? [];
  const shown = limit === undefined ? rows : rows.slice(0, limit);
  return { deployments: shown.map(named), total: answer?.total ?? 0, next: rows.length > shown.length ? (shown.at(-1)?.id ?? null) : null, counts: answer?.counts ?? [] };
}

/** Each word must be found somewhere; the catalogue knows the names of models and sizes, the database only their ids. */
function matching({ search = "", states }: Pick<ListWanted, "search" | "states">): Prisma.Sql {
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const idsWith = (all: readonly { id: string; name: string }[], word: string) => all.filter((one) => `${one.id} ${one.name}`.toLowerCase().includes(word)).map((one) => one.id);
  const conditions = words.map(
    (word) => Prisma.sql`AND (strpos(lower(d.name), ${word}) > 0 OR strpos(lower(e.name), ${word}) > 0
      OR d.spec->>'modelId' = ANY(${idsWith(allModels(), word)}) OR d.spec->>'skuId' = ANY(${idsWith(allSkus().map((sku) => ({ id: sku.id, name: `${sku.name} ${sku.gpu.name}` })), word)}))`,
  );
  if (states !== undefined) conditions.push(Prisma.sql`AND d.state = ANY(${states})`);
  return conditions.length === 0 ? Prisma.empty : Prisma.join(conditions, " ");
}

function named(row: Raw): DeploymentRow {
  const sku = skuById(row.skuId);
  return { ...row, modelName: modelById(row.modelId).name, skuName: sku.name, gpuName: sku.gpu.name };
}
