import "server-only";
import type { Db } from "@/lib/platform/db";

/** How long a claimed page stays with its worker without a sign of life; then another may take it. */
export const LEASE_MS = 60_000;
export const MAX_ATTEMPTS = 3;

/**
 * Claims the next page that waits, or whose worker has died, oldest run first. A page of a run that has as many pages under way
 * as its engine has slots must wait. One statement: two workers never get the same page.
 */
export async function claimPage(db: Db, now: Date, slots: number): Promise<string | null> {
  const leasedUntil = new Date(now.getTime() + LEASE_MS);
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE run_page SET state = 'running', attempt = attempt + 1, leased_until = ${leasedUntil}, started_at = COALESCE(started_at, ${now})
    WHERE id = (
      SELECT page.id FROM run_page page JOIN run ON run.id = page.run_id
      WHERE run.state IN ('queued', 'running')
        AND ((page.state = 'queued' AND (page.leased_until IS NULL OR page.leased_until <= ${now})) OR (page.state = 'running' AND page.leased_until <= ${now}))
        AND (SELECT count(*) FROM run_page other JOIN run held ON held.id = other.run_id
             WHERE held.deployment_id IS NOT DISTINCT FROM run.deployment_id AND other.state = 'running' AND other.leased_until > ${now}) < ${slots}
      ORDER BY run.created_at, page.number
      FOR UPDATE OF page SKIP LOCKED
      LIMIT 1
    )
    RETURNING id`;
  return rows[0]?.id ?? null;
}

/** Tells that the page is still being worked on; false when it is no longer this worker's, because it was cancelled or taken over. */
export async function keepLease(db: Db, page: { id: string; attempt: number }, now: Date): Promise<boolean> {
  const kept = await db.runPage.updateMany({
    where: { id: page.id, attempt: page.attempt, state: "running" },
    data: { leasedUntil: new Date(now.getTime() + LEASE_MS) },
  });
  return kept.count === 1;
}

/** Puts a page back, not to be tried before `after`. */
export async function requeue(db: Db, page: { id: string; attempt: number }, at: { after: Date; reason: string }): Promise<void> {
  await db.runPage.updateMany({ where: { id: page.id, attempt: page.attempt, state: "running" }, data: { state: "queued", leasedUntil: at.after, reason: at.reason } });
}
