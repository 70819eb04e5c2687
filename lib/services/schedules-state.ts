import "server-only";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { idleOf, type Idle } from "@/lib/domain/idle";
import { isOnAt } from "@/lib/domain/schedule";
import type { EngineUse, Schedule } from "@/lib/generated/prisma/client";
import type { Db } from "@/lib/platform/db";
import { effectiveOf, environmentSchedules, IDLE_AFTER_WAKE_MINUTES, type Effective } from "./schedules-plan";

type Row = { id: string; name: string; environmentId: string; state: string; stateSince: Date; spec: unknown; schedule: Schedule | null; engineUse: EngineUse | null };
type Pages = { deploymentId: string; lastAt: Date | null; waiting: number };

/** One deployment as the scheduler sees it. `idleMinutes` null: it is never stopped for idleness. */
export type Scheduled = { row: Row; effective: Effective; isRunning: boolean; idleMinutes: number | null; idle: Idle | null; pagesWaiting: number };

/** Every deployment with a cluster under it, with what holds for it and how much it has to do. */
export async function scheduledDeployments(db: Db, { now, where = {} }: { now: Date; where?: { id?: string; environmentId?: string | { in: string[] } } }): Promise<Scheduled[]> {
  const rows: Row[] = await db.deployment.findMany({
    where: { ...where, deletedAt: null, environment: { clusterId: { not: null } } },
    select: { id: true, name: true, environmentId: true, state: true, stateSince: true, spec: true, schedule: true, engineUse: true },
    orderBy: { createdAt: "asc" },
  });
  const [inherited, pages, woken] = await Promise.all([environmentSchedules(db), pagesOf(db), wokenSince(db)]);
  return rows.map((row) => {
    const effective = effectiveOf(row.schedule, inherited.get(row.environmentId) ?? null);
    const own = pages.get(row.id) ?? { lastAt: null, waiting: 0 };
    const isRunning = DeploymentSpec.parse(row.spec).replicas > 0;
    const idleMinutes = effective.idleMinutes ?? (isBorrowed(effective, { now, wokenAt: woken.get(row.id) }) ? IDLE_AFTER_WAKE_MINUTES : null);
    return { row, effective, isRunning, idleMinutes, idle: idleIn(row, { idleMinutes, effective, isRunning, pages: own, now }), pagesWaiting: own.waiting };
  });
}

/** Running only because somebody woke it outside its hours. */
function isBorrowed({ plan }: Effective, { now, wokenAt }: { now: Date; wokenAt: Date | undefined }): boolean {
  return wokenAt !== undefined && plan !== null && !isOnAt(plan, now.getTime());
}

type Known = { idleMinutes: number | null; effective: Effective; isRunning: boolean; pages: Omit<Pages, "deploymentId">; now: Date };

function idleIn(row: Row, { idleMinutes, effective, isRunning, pages, now }: Known): Idle | null {
  if (idleMinutes === null || !isRunning || row.state !== "ready") return null;
  const { engineUse } = row;
  const engine = engineUse ? { at: engineUse.at.getTime(), busyAt: engineUse.busyAt.getTime(), running: engineUse.running, waiting: engineUse.waiting } : null;
  const work = { readySince: row.stateSince.getTime(), lastPageAt: pages.lastAt?.getTime() ?? null, hasPagesWaiting: pages.waiting > 0, engine, keepUntil: effective.keepUntil };
  return idleOf(work, { idleMinutes, now: now.getTime() });
}

/** The portal's own work by deployment: pages that wait or are read, and when the last one was. */
async function pagesOf(db: Db): Promise<Map<string, Pages>> {
  const rows = await db.$queryRaw<Pages[]>`
    SELECT run.deployment_id::text AS "deploymentId", max(COALESCE(page.ended_at, page.started_at)) AS "lastAt",
      count(*) FILTER (WHERE page.state IN ('queued', 'running') AND run.state IN ('queued', 'running'))::int AS waiting
    FROM run JOIN run_page page ON page.run_id = run.id
    WHERE run.deployment_id IS NOT NULL AND (run.state IN ('queued', 'running') OR run.ended_at > now() - interval '2 days')
    GROUP BY run.deployment_id`;
  return new Map(rows.map((row) => [row.deploymentId, row]));
}

/** When deployments were woken that have not slept since. */
async function wokenSince(db: Db): Promise<Map<string, Date>> {
  const rows = await db.$queryRaw<{ deploymentId: string; at: Date }[]>`
    SELECT wake.deployment_id::text AS "deploymentId", max(wake.ended_at) AS at FROM wake
    WHERE wake.state = 'awake' AND NOT EXISTS (SELECT FROM sleep WHERE sleep.deployment_id = wake.deployment_id AND sleep.ended_at > wake.ended_at)
    GROUP BY wake.deployment_id`;
  return new Map(rows.map((row) => [row.deploymentId, row.at]));
}
