import "server-only";
import { DeploymentSpec } from "@/lib/domain/deployment";
import type { Db, Tx } from "@/lib/platform/db";

/** A scheduler's stop that is this recent is the cause of a sleep that begins. */
const CAUSE_MS = 60_000;

/** Writes down when deployments fall asleep and wake up, with the cause: hours, idleness, or a person. */
export async function recordSleeps(db: Db, now: Date): Promise<void> {
  const rows = await db.deployment.findMany({
    where: { OR: [{ deletedAt: null }, { sleeps: { some: { endedAt: null } } }] },
    select: { id: true, spec: true, state: true, stateSince: true, deletedAt: true, sleeps: { where: { endedAt: null }, take: 1 }, revisions: { orderBy: { number: "desc" }, take: 1, select: { spec: true } } },
  });
  for (const row of rows) {
    const [open] = row.sleeps;
    const [revision] = row.revisions;
    const sleeps = row.deletedAt === null && DeploymentSpec.parse(row.spec).replicas === 0;
    if (open && !sleeps) await db.sleep.update({ where: { id: open.id }, data: { endedAt: row.deletedAt ?? now } });
    if (open || !sleeps || !revision) continue;
    const { replicas } = DeploymentSpec.parse(revision.spec);
    if (replicas > 0) await db.sleep.createMany({ data: [{ deploymentId: row.id, cause: await causeOf(db, row.id, now), replicas, startedAt: now }], skipDuplicates: true });
  }
}

/** Why a deployment has no replicas: as its open sleep says, or, before one is written, by the scheduler's last stop. */
export async function causeOfSleep(db: Db | Tx, deploymentId: string, now: Date): Promise<string> {
  const open = await db.sleep.findFirst({ where: { deploymentId, endedAt: null }, select: { cause: true } });
  return open?.cause ?? causeOf(db, deploymentId, now);
}

async function causeOf(db: Db | Tx, deploymentId: string, now: Date): Promise<string> {
  const since = new Date(now.getTime() - CAUSE_MS);
  const firing = await db.scheduleFiring.findFirst({ where: { deploymentId, action: "stop", state: "done", endedAt: { gte: since } }, orderBy: { endedAt: "desc" } });
  return firing?.cause ?? "person";
}
