import "server-only";
import type { NodeInterval } from "@/lib/generated/prisma/client";
import type { Tx } from "@/lib/platform/db";
import type { Look } from "./node-log";

/** A node that was made this little before its first pod was made for it. */
const LEAD_IN_MS = 15 * 60_000;
/** Nodes whose last pod went longer ago are another's by now. */
const RECENT_MS = 48 * 3_600_000;

/**
 * Nodes that are paid although no pod holds them: still there after their pods have gone, or made for a pod that was not placed yet.
 * Only where the cluster's nodes can be seen. Returns how many intervals began or ended.
 */
export async function recordKept(tx: Tx, environmentId: string, look: Look): Promise<number> {
  if (!look.nodes?.isSynced()) return 0;
  const last = await lastUses(tx, environmentId, look);
  let count = 0;
  for (const one of last) {
    const node = look.nodes.nodes.get(one.node);
    if (one.endedAt !== null && one.use === "held" && one.environmentId === environmentId && node) {
      await tx.nodeInterval.create({ data: keptAfter(one, { made: madeAt(look, one.node), now: look.now }) });
      count += 1;
    }
  }
  return count + (await endKept(tx, environmentId, { look, last })) + (await recordLeadIns(tx, environmentId, look));
}

function madeAt(look: Look, node: string): number {
  return Date.parse(look.nodes?.nodes.get(node)?.metadata.creationTimestamp ?? "") || 0;
}

type LastUse = Pick<NodeInterval, "environmentId" | "deploymentId" | "node" | "skuId" | "region" | "mode" | "use" | "startedAt" | "endedAt" | "endSource">;

/** The latest interval of each node, by whichever environment of the cluster; a hold before a kept one that began with its end. */
async function lastUses(tx: Tx, environmentId: string, { now }: Look): Promise<LastUse[]> {
  const since = new Date(now.getTime() - RECENT_MS);
  return tx.$queryRaw<LastUse[]>`
    SELECT DISTINCT ON (node) environment_id::text AS "environmentId", deployment_id::text AS "deploymentId", node, sku_id AS "skuId", region, mode, use,
      started_at AS "startedAt", ended_at AS "endedAt", end_source AS "endSource"
    FROM node_interval
    WHERE environment_id IN (SELECT id FROM environment WHERE cluster_id = (SELECT cluster_id FROM environment WHERE id = ${environmentId}::uuid))
      AND import_id IS NULL AND (ended_at IS NULL OR ended_at > ${since})
    ORDER BY node, (ended_at IS NULL AND use = 'held') DESC, started_at DESC, use DESC`;
}

/** Ends kept intervals whose node is gone or was taken by a pod. */
async function endKept(tx: Tx, environmentId: string, { look, last }: { look: Look; last: LastUse[] }): Promise<number> {
  const kept = await tx.nodeInterval.findMany({ where: { environmentId, endedAt: null, use: "kept" } });
  let count = 0;
  for (const { id, node, startedAt, lastSeenAt } of kept) {
    const taken = last.find((one) => one.node === node && one.use === "held" && one.endedAt === null);
    const data = taken ? { endedAt: later(taken.startedAt, startedAt) } : look.nodes?.nodes.has(node) ? null : goneAt(look, lastSeenAt);
    await tx.nodeInterval.update({ where: { id }, data: data ?? { lastSeenAt: later(look.now, lastSeenAt) } });
    if (data) count += 1;
  }
  return count;
}

function goneAt({ wasWatched, now }: Look, lastSeenAt: Date) {
  return wasWatched ? { endedAt: now, endSource: "observed" } : { endedAt: lastSeenAt, endSource: "inferred" };
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}

function keptAfter({ environmentId, deploymentId, node, skuId, region, mode, endedAt, endSource }: LastUse, { made, now }: { made: number; now: Date }) {
  // A node of the same name may have come after the pod went: it is paid from its own beginning.
  const from = later(endedAt ?? now, new Date(made));
  return { environmentId, deploymentId, node, skuId, region, mode, share: 1, use: "kept", startedAt: from, startSource: endSource, lastSeenAt: now };
}

/** From a node's creation to the placement of the first pod that was waiting for it. */
async function recordLeadIns(tx: Tx, environmentId: string, look: Look): Promise<number> {
  const since = new Date(look.now.getTime() - LEAD_IN_MS);
  const begun = await tx.nodeInterval.findMany({ where: { environmentId, endedAt: null, use: "held", podUid: { not: null }, startedAt: { gt: since } } });
  let count = 0;
  for (const { deploymentId, node, skuId, region, mode, startedAt } of begun) {
    const made = madeAt(look, node);
    const lead = startedAt.getTime() - made;
    if (made === 0 || lead <= 0 || lead > LEAD_IN_MS) continue;
    const before = await tx.nodeInterval.count({ where: { node, environmentId, startedAt: { lt: startedAt } } });
    if (before > 0) continue;
    const times = { startedAt: new Date(made), endedAt: startedAt, lastSeenAt: startedAt };
    await tx.nodeInterval.create({ data: { environmentId, deploymentId, node, skuId, region, mode, use: "kept", ...times } });
    count += 1;
  }
  return count;
}
