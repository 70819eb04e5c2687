import "server-only";
import type { Db } from "@/lib/platform/db";
import { LEASE_MS } from "./page-queue";

/** Pages that one engine is given at once by batches. */
export type EngineSlots = { cpu: number; gpu: number };
export const engineSlots: EngineSlots = { cpu: 2, gpu: 32 };

/** wait: the engine has no room. later: the page itself is not to be tried yet, or another worker has it. */
export type BatchClaim = "claimed" | "wait" | "later" | "ended";
export type PageJob = { pageId: string; /** The deployment, or "embedded". */ engine: string };

/** So many jobs of each engine are in the queue at most; the rest stays rows, so that a batch of 50,000 pages costs the queue nothing. */
const JOBS_OF_ENGINE = 400;
/** Each so many jobs further back in its engine's line, a job is one degree less urgent: no engine's pages keep another's waiting. */
const JOBS_OF_DEGREE = 16;

/**
 * Claims one page of a working batch. It waits while its engine is full, while anybody's page waits for the same engine in the
 * playground, and while another worker has it; it is at its end when it was read or its batch is not at work. One statement claims.
 */
export async function claimBatchPage(db: Db, pageId: string, { now, slots = engineSlots }: { now: Date; slots?: EngineSlots }): Promise<BatchClaim> {
  const leasedUntil = new Date(now.getTime() + LEASE_MS);
  const claimed = await db.$executeRaw`
    UPDATE run_page SET state = 'running', attempt = attempt + 1, leased_until = ${leasedUntil}, started_at = COALESCE(started_at, ${now})
    WHERE id = (
      SELECT page.id FROM run_page page JOIN run ON run.id = page.run_id JOIN batch ON batch.id = run.batch_id
        LEFT JOIN deployment ON deployment.id = run.deployment_id
        LEFT JOIN environment ON environment.id = deployment.environment_id
        LEFT JOIN cluster ON cluster.id = environment.cluster_id
      WHERE page.id = ${pageId}::uuid AND batch.state = 'working'
        AND ((page.state = 'queued' AND (page.leased_until IS NULL OR page.leased_until <= ${now})) OR (page.state = 'running' AND page.leased_until <= ${now}))
        AND (SELECT count(*) FROM run_page other JOIN run held ON held.id = other.run_id
             WHERE held.deployment_id IS NOT DISTINCT FROM run.deployment_id AND other.state = 'running' AND other.leased_until > ${now})
            < CASE WHEN cluster.kind = 'linked' THEN ${slots.gpu}::int ELSE ${slots.cpu}::int END
        AND NOT EXISTS (SELECT 1 FROM run_page first JOIN run asked ON asked.id = first.run_id
             WHERE asked.batch_id IS NULL AND asked.state IN ('queued', 'running') AND asked.deployment_id IS NOT DISTINCT FROM run.deployment_id
               AND first.state = 'queued' AND (first.leased_until IS NULL OR first.leased_until <= ${now}))
      FOR UPDATE OF page SKIP LOCKED
    )`;
  if (claimed === 1) return "claimed";
  return standOf(db, pageId, now);
}

/** How a page stands that was not claimed. */
export async function standOf(db: Db, pageId: string, now: Date): Promise<Exclude<BatchClaim, "claimed">> {
  const page = await db.runPage.findFirst({ where: { id: pageId, state: { in: ["queued", "running"] }, run: { batch: { state: "working" } } }, select: { leasedUntil: true } });
  if (!page) return "ended";
  return page.leasedUntil && page.leasedUntil > now ? "later" : "wait";
}

/**
 * Jobs for pages of working batches that are to be read and have none: new ones, those of a resumed batch, and those of a killed process.
 * `priority` is 0 for the first of an engine's line and falls from there.
 */
export async function missingJobs(db: Db, queue: string): Promise<(PageJob & { priority: number })[]> {
  const open = await db.$queryRaw<{ engine: string; jobs: number }[]>`
    SELECT data->>'engine' AS engine, count(*)::int AS jobs FROM pgboss.job WHERE name = ${queue} AND state < 'completed' GROUP BY 1`;
  const engines = await db.$queryRaw<{ deploymentId: string | null }[]>`SELECT DISTINCT deployment_id AS "deploymentId" FROM batch WHERE state = 'working'`;
  const all = await Promise.all(
    engines.map(async ({ deploymentId }) => {
      const engine = deploymentId ?? "embedded";
      const before = open.find((row) => row.engine === engine)?.jobs ?? 0;
      if (before > JOBS_OF_ENGINE / 2) return [];
      const pages = await pagesWithoutJob(db, { queue, deploymentId, limit: JOBS_OF_ENGINE - before });
      return pages.map((pageId, index) => ({ pageId, engine, priority: -Math.floor((before + index) / JOBS_OF_DEGREE) }));
    }),
  );
  return all.flat();
}

async function pagesWithoutJob(db: Db, { queue, deploymentId, limit }: { queue: string; deploymentId: string | null; limit: number }): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT page.id FROM batch JOIN run ON run.batch_id = batch.id JOIN run_page page ON page.run_id = run.id
    WHERE batch.state = 'working' AND batch.deployment_id IS NOT DISTINCT FROM ${deploymentId}::uuid AND page.state IN ('queued', 'running')
      AND NOT EXISTS (SELECT 1 FROM pgboss.job WHERE job.name = ${queue} AND job.singleton_key = page.id::text AND job.state < 'completed')
    ORDER BY batch.created_at, run.position, run.id, page.number LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Ends the batches whose last page has ended; answers their ids. */
export async function endBatches(db: Db, now: Date): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE batch SET state = 'done', ended_at = ${now} WHERE state = 'working'
      AND NOT EXISTS (SELECT 1 FROM run JOIN run_page page ON page.run_id = run.id WHERE run.batch_id = batch.id AND page.state IN ('queued', 'running'))
    RETURNING id`;
  return rows.map(({ id }) => id);
}
