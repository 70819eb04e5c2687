import "server-only";
import type { Db, Tx } from "@/lib/platform/db";
import { publish } from "./live";

/** One page that an engine has read. `id` is the page's own: a second count of the same page is refused by the key. */
export type PageUse = {
  id: string;
  at: Date;
  environmentId: string;
  deploymentId: string | null;
  modelId: string;
  skuId: string | null;
  feature: "playground" | "batch" | "gateway";
  userId: string | null;
  tokenId: string | null;
  promptTokens: number;
  completionTokens: number;
  seconds: number;
};

/** Counts a page once, in the log and in its hours. Returns false when it had been counted before. */
export async function countPage(tx: Tx, use: PageUse): Promise<boolean> {
  return (await countPages(tx, [use])) === 1;
}

/** Counts many pages at once, each once: the log, the hours and the hours by person change together. Returns how many were new. */
export async function countPages(tx: Tx, uses: PageUse[]): Promise<number> {
  const fresh = await writePages(tx, uses);
  if (fresh > 0) await announce(tx, uses);
  return fresh;
}

/** As `countPages`, in one statement and without telling those who look on. */
export async function writePages(db: Db | Tx, uses: readonly PageUse[]): Promise<number> {
  const [row] = await db.$queryRaw<{ fresh: number }[]>`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) AS g("id" uuid, "at" timestamptz, "environmentId" uuid, "deploymentId" uuid, "modelId" text,
        "skuId" text, "feature" text, "userId" uuid, "tokenId" uuid, "promptTokens" int, "completionTokens" int, "seconds" float8)
    ), fresh AS (
      INSERT INTO usage_entry (id, at, environment_id, deployment_id, model_id, sku_id, feature, user_id, token_id, pages, prompt_tokens, completion_tokens, seconds)
      SELECT "id", "at", "environmentId", "deploymentId", "modelId", "skuId", "feature", "userId", "tokenId", 1, "promptTokens", "completionTokens", "seconds" FROM given
      ON CONFLICT (id) DO NOTHING RETURNING *
    ), by_hour AS (
      INSERT INTO usage_hour AS u (id, hour, environment_id, deployment_key, model_id, sku_key, feature, pages, prompt_tokens, completion_tokens, seconds)
      SELECT gen_random_uuid(), date_trunc('hour', at, 'UTC'), environment_id, COALESCE(deployment_id::text, ''), model_id, COALESCE(sku_id, ''), feature,
        SUM(pages), SUM(prompt_tokens), SUM(completion_tokens), SUM(seconds) FROM fresh GROUP BY 2, 3, 4, 5, 6, 7 ORDER BY 3, 2, 4, 5, 6, 7
      ON CONFLICT (environment_id, hour, deployment_key, model_id, sku_key, feature) DO UPDATE SET pages = u.pages + EXCLUDED.pages,
        prompt_tokens = u.prompt_tokens + EXCLUDED.prompt_tokens, completion_tokens = u.completion_tokens + EXCLUDED.completion_tokens, seconds = u.seconds + EXCLUDED.seconds
    ), by_person AS (
      INSERT INTO usage_person_hour AS p (environment_id, hour, feature, user_key, token_key, pages)
      SELECT environment_id, date_trunc('hour', at, 'UTC'), feature, COALESCE(user_id::text, ''), COALESCE(token_id::text, ''), SUM(pages) FROM fresh
      GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
      ON CONFLICT (environment_id, hour, feature, user_key, token_key) DO UPDATE SET pages = p.pages + EXCLUDED.pages
    )
    SELECT COUNT(*)::int AS fresh FROM fresh`;
  return row?.fresh ?? 0;
}

/** Tells the pages that show these costs, each environment once. */
async function announce(tx: Tx, uses: readonly PageUse[]): Promise<void> {
  const last = new Map(uses.map((use) => [use.environmentId, use.deploymentId]));
  for (const [environmentId, deploymentId] of last) await publish(tx, `usage:${environmentId}`, { data: { deploymentId } });
}
