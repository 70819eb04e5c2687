import "server-only";
import type { Caller } from "@/lib/domain/caller";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import { SYSTEM } from "@/lib/domain/policy";
import type { Db } from "@/lib/platform/db";
import { deploymentsStart, deploymentsStop } from "./deployment-running";
import { publish } from "./live";
import { execute } from "./pipeline";
import type { Due } from "./schedules-due";

/** A process that dies with a claimed slot leaves it to another one after so long. */
const LEASE_MS = 60_000;
const MAX_ATTEMPTS = 20;

/** Claims a slot in the database, so that of any number of schedulers one acts on it. Returns the attempt, or null when it is another's or done. */
export async function claim(db: Db, due: Due, now: Date): Promise<number | null> {
  const leasedUntil = new Date(now.getTime() + LEASE_MS);
  const rows = await db.$queryRaw<{ attempts: number }[]>`
    INSERT INTO schedule_firing AS firing (id, deployment_id, slot, action, cause, leased_until)
    VALUES (${due.id}, ${due.deploymentId}::uuid, ${due.slot}, ${due.action}, ${due.cause}, ${leasedUntil})
    ON CONFLICT (id) DO UPDATE SET attempts = firing.attempts + 1, leased_until = EXCLUDED.leased_until
      WHERE firing.state = 'claimed' AND firing.leased_until <= ${now} AND firing.attempts < ${MAX_ATTEMPTS}
    RETURNING attempts`;
  return rows[0]?.attempts ?? null;
}

/** Starts or stops through the same operation as a person, as the scheduler; a cluster that is away is asked again when the lease ends. */
export async function fire(db: Db, due: Due, { now, attempt }: { now: Date; attempt: number }): Promise<void> {
  const row = await db.deployment.findFirst({ where: { id: due.deploymentId, deletedAt: null }, select: { spec: true, environmentId: true } });
  if (!row) return;
  const runs = DeploymentSpec.parse(row.spec).replicas > 0;
  if (runs === (due.action === "start")) return end(db, due, { state: "nothing", message: "", environmentId: row.environmentId, now });
  const caller: Caller = { actor: { ...SYSTEM, name: `scheduler (${due.cause})` }, origin: "scheduler", requestId: due.id, ip: "", userAgent: "", sessionId: null, tokenId: null };
  try {
    await execute(due.action === "start" ? deploymentsStart : deploymentsStop, { db, caller, input: { id: due.deploymentId }, now });
    await end(db, due, { state: "done", message: "", environmentId: row.environmentId, now });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const state = error.code === "unavailable" && attempt < MAX_ATTEMPTS ? "claimed" : "failed";
    await end(db, due, { state, message: error.message, environmentId: row.environmentId, now });
  }
}

async function end(db: Db, due: Due, { state, message, environmentId, now }: { state: string; message: string; environmentId: string; now: Date }): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.scheduleFiring.update({ where: { id: due.id }, data: { state, message, endedAt: state === "claimed" ? null : now } });
    await publish(tx, `environment:${environmentId}`, { data: { deploymentId: due.deploymentId } });
  });
}
