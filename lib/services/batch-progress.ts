import "server-only";
import type { BatchProgress, RecentPages } from "@/lib/domain/batch";
import type { Db, Tx } from "@/lib/platform/db";

/** How the pages of a batch stand. */
export async function progressOf(db: Db | Tx, batchId: string): Promise<BatchProgress> {
  const rows = await db.runPage.groupBy({ by: ["state"], where: { run: { batchId } }, _count: { _all: true } });
  const of = (state: string) => rows.find((row) => row.state === state)?._count._all ?? 0;
  const total = rows.reduce((sum, row) => sum + row._count._all, 0);
  return { total, done: of("done"), truncated: of("truncated"), failed: of("failed"), cancelled: of("cancelled"), running: of("running") };
}

const WINDOW = 500;

/** The last pages that were read, as a pace. */
export async function recentOf(db: Db, batchId: string): Promise<RecentPages> {
  const [row] = await db.$queryRaw<{ pages: number; ended: number | null; begun: number | null }[]>`
    SELECT count(*)::int AS pages, EXTRACT(EPOCH FROM max(ended_at) - min(ended_at))::float8 AS ended, EXTRACT(EPOCH FROM max(ended_at) - min(started_at))::float8 AS begun FROM (
      SELECT page.ended_at, page.started_at FROM run_page page JOIN run ON run.id = page.run_id
      WHERE run.batch_id = ${batchId}::uuid AND page.state IN ('done', 'truncated', 'failed') ORDER BY page.ended_at DESC LIMIT ${WINDOW}) AS latest`;
  const pages = row?.pages ?? 0;
  const isFromStart = pages < WINDOW;
  return { pages, spanSeconds: (isFromStart ? row?.begun : row?.ended) ?? 0, isFromStart };
}
