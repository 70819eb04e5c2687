import "server-only";
import type { Db } from "@/lib/platform/db";

/** How long a claimed page stays with its worker without a sign of life; then another may take it. */
export const LEASE_MS = 60_000;
/** Pages that one engine is given at once: a CPU engine's two threads; vLLM takes many and queues what is over, answering 503 where it is capped. */
const CPU_SLOTS = 2;
const GPU_SLOTS = 32;

/**
 * Claims the next page that waits, or whose worker has died: first pages first, so that a long document does not keep short ones waiting. A page whose engine has as many pages under way as it has
 * slots must wait, and a document that is only in memory is read by the process that holds it. One statement: two workers never get the same page.
 */
export async function claimPage(db: Db, now: Date, processId: string): Promise<string | null> {
  const leasedUntil = new Date(now.getTime() + LEASE_MS);
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE run_page SET state = 'running', reason = '', attempt = attempt + 1, leased_until = ${leasedUntil}, started_at = COALESCE(started_at, ${now})
    WHERE id = (
      SELECT page.id FROM run_page page JOIN run ON run.id = page.run_id JOIN document ON document.id = run.document_id
        LEFT JOIN deployment ON deployment.id = run.deployment_id
        LEFT JOIN environment ON environment.id = deployment.environment_id
        LEFT JOIN cluster ON cluster.id = environment.cluster_id
      WHERE run.state IN ('queued', 'running') AND run.batch_id IS NULL
        AND (document.held_by IS NULL OR document.held_by = ${processId}::uuid)
        AND ((page.state = 'queued' AND (page.leased_until IS NULL OR page.leased_until <= ${now})) OR (page.state = 'running' AND page.leased_until <= ${now}))
        AND (SELECT count(*) FROM run_page other JOIN run held ON held.id = other.run_id
             WHERE held.deployment_id IS NOT DISTINCT FROM run.deployment_id AND other.state = 'running' AND other.leased_until > ${now})
            < CASE WHEN cluster.kind = 'linked' THEN ${GPU_SLOTS}::int ELSE ${CPU_SLOTS}::int END
      ORDER BY page.number, run.created_at
      FOR UPDATE OF page SKIP LOCKED
      LIMIT 1
    )
    RETURNING id`;
  return rows[0]?.id ?? null;
}

type Claim = { id: string; attempt: number; readId: string | null };

/** The page while this claim of this reading holds: a worker that was thought dead changes nothing of a later one. */
export function held({ id, attempt, readId }: Claim): Claim & { state: "running" } {
  return { id, attempt, readId, state: "running" };
}

/** Puts a page back, not to be tried before `after`. */
export async function requeue(db: Db, page: Claim, at: { after: Date; reason: string }): Promise<void> {
  await db.runPage.updateMany({ where: held(page), data: { state: "queued", leasedUntil: at.after, reason: at.reason } });
}
