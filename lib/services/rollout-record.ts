import "server-only";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { rolloutOf, type Rollout } from "@/lib/domain/rollout";
import type { Db } from "@/lib/platform/db";
import { publish } from "./live";
import type { Mirror } from "./namespace-mirror";

type Row = { id: string; name: string; environmentId: string; state: string; message: string; status: unknown };

/** What the cluster says of each deployment, written down and passed on where it has changed. */
export async function recordRollouts(db: Db, environmentId: string, mirror: Mirror): Promise<void> {
  const rows = await db.deployment.findMany({ where: { environmentId, deletedAt: null }, select: { id: true, name: true, environmentId: true, state: true, message: true, status: true } });
  for (const row of rows) {
    const snapshot = snapshotOf(mirror, row.name);
    if (isBehind(row.status, snapshot.deployment?.metadata.generation ?? 0)) continue;
    const rollout = rolloutOf(snapshot);
    if (isNews(row, rollout)) await record(db, row, rollout);
  }
}

const Awaited = z.union([z.object({ isApplying: z.literal(true) }), z.object({ awaitedGeneration: z.number() })]);

/** Until the watch has brought what was applied, it tells of the revision before: that would be a false "ready". */
function isBehind(status: unknown, generation: number): boolean {
  const awaited = Awaited.safeParse(status).data;
  if (!awaited) return false;
  return "isApplying" in awaited || generation < awaited.awaitedGeneration;
}

function snapshotOf(mirror: Mirror, name: string) {
  const isOfDeployment = (object: { metadata: { labels?: Record<string, string> } }) => object.metadata.labels?.["app.kubernetes.io/instance"] === name;
  return {
    deployment: mirror.deployments.get(name) ?? null,
    replicaSets: [...mirror.replicaSets.values()].filter(isOfDeployment),
    pods: [...mirror.pods.values()].filter(isOfDeployment),
    events: [...mirror.events.values()],
  };
}

function messageOf(rollout: Rollout): string {
  return rollout.message ?? rollout.sentence;
}

function isNews(row: Row, rollout: Rollout): boolean {
  return row.state !== rollout.state || row.message !== messageOf(rollout) || !isDeepStrictEqual(row.status, asJson(rollout));
}

function asJson(rollout: Rollout) {
  return JSON.parse(JSON.stringify(rollout));
}

async function record(db: Db, row: Row, rollout: Rollout): Promise<void> {
  const now = new Date();
  // A refused apply is the person's news until something is applied again: the cluster knows nothing of it.
  if (row.state === "failed" && rollout.state === "working" && Object.keys(row.status ?? {}).length === 0) return;
  const hasChangedState = row.state !== rollout.state;
  await db.$transaction(async (tx) => {
    await tx.deployment.update({
      where: { id: row.id },
      data: { state: rollout.state, message: messageOf(rollout), status: asJson(rollout), observedAt: now, ...(hasChangedState ? { stateSince: now } : {}) },
    });
    const open = { revision: { deploymentId: row.id }, endedAt: null, state: "watching" };
    const ended = { state: rollout.state === "stopped" ? "ready" : rollout.state, message: rollout.message ?? "", endedAt: now };
    await tx.rollout.updateMany({ where: open, data: { steps: asJson(rollout).steps, ...(rollout.state === "working" ? {} : ended) } });
    await publish(tx, `deployment:${row.id}`, { data: { state: rollout.state } });
    if (hasChangedState) await publish(tx, `environment:${row.environmentId}`, { data: { deploymentId: row.id, state: rollout.state } });
  });
}
