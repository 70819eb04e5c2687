import "server-only";
import type { Db } from "@/lib/platform/db";
import { LEASE_MS } from "./page-queue";

const CPU_SLOTS = 2;
const GPU_SLOTS = 32;

export type BatchClaim = "claimed" | "wait" | "ended";

/**
 * Claims one page of a working batch. It waits while its engine is full, while anybody's page waits for the same engine in the
 * playground, and while another worker has it; it is at its end when it was read or its batch is not at work. One statement claims.
 */
export async function claimBatchPage(db: Db, pageId: string, now: Date): Promise<BatchClaim> {
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
            < CASE WHEN cluster.kind = 'linked' THEN ${GPU_SLOTS}::int ELSE ${CPU_SLOTS}::int END
        AND NOT EXISTS (SELECT 1 FROM run_page first JOIN run asked ON asked.id = first.run_id
             WHERE asked.batch_id IS NULL AND asked.state IN ('queued', 'running') AND asked.deployment_id IS NOT DISTINCT FROM run.deployment_id
               AND first.state = 'queued' AND (first.leased_until IS NULL OR first.leased_until <= ${now}))
      FOR UPDATE OF page SKIP LOCKED
    )`;
  if (claimed === 1) return "claimed";
  const open = await db.runPage.count({ where: { id: pageId, state: { in: ["queued", "running"] }, run: { batch: { state: "working" } } } });
  return open === 1 ? "wait" : "ended";
}

/** Pages of working batches that are to be read and for which no job is there: new ones, those of a resumed batch, and those of a killed process. */
export async function pagesWithoutJob(db: Db, queue: string, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT page.id FROM batch JOIN run ON run.batch_id = batch.id JOIN run_page page ON page.run_id = run.id
    WHERE batch.state = 'working' AND page.state IN ('queued', 'running')
      AND NOT EXISTS (SELECT 1 FROM pgboss.job WHERE job.name = ${queue} AND job.singleton_key = page.id::text AND job.state < 'completed')
    ORDER BY batch.created_at, run.created_at, run.id, page.number LIMIT ${limit}`;
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
