import "server-only";
import { DeploymentSpec } from "@/lib/domain/deployment";
import type { LivePod } from "@/lib/domain/rollout-objects";
import type { Db } from "@/lib/platform/db";
import { publish } from "./live";
import type { Mirror } from "./namespace-mirror";

/** Open intervals are marked as seen this often; after an outage the mark is where the inferred end lies. */
const SEEN_EVERY_MS = 30_000;

type Held = { podUid: string; node: string; deploymentId: string; skuId: string; startedAt: Date };

/** Writes down which node is paid for which deployment, from when to when, by the pods that the cluster shows now. */
export async function recordNodes(db: Db, environmentId: string, mirror: Mirror): Promise<void> {
  const now = new Date();
  const deployments = await db.deployment.findMany({ where: { environmentId }, select: { id: true, name: true, spec: true, deletedAt: true }, orderBy: { createdAt: "asc" } });
  const held = [...mirror.pods.values()].flatMap((pod) => heldBy(pod, deployments) ?? []);
  const open = await db.nodeInterval.findMany({ where: { environmentId, endedAt: null, podUid: { not: null } } });
  const isHeld = (podUid: string | null) => held.some((each) => each.podUid === podUid);
  const started = held.filter((each) => !open.some((interval) => interval.podUid === each.podUid));
  const ended = open.filter((interval) => !isHeld(interval.podUid));
  const unmarked = open.filter((interval) => isHeld(interval.podUid) && now.getTime() - interval.lastSeenAt.getTime() > SEEN_EVERY_MS);
  if (started.length + ended.length === 0) {
    if (unmarked.length > 0) await db.nodeInterval.updateMany({ where: { id: { in: unmarked.map((each) => each.id) } }, data: { lastSeenAt: now } });
    return;
  }
  await db.$transaction(async (tx) => {
    await tx.nodeInterval.createMany({ data: started.map((each) => ({ ...each, environmentId, lastSeenAt: now })), skipDuplicates: true });
    for (const interval of ended) await tx.nodeInterval.update({ where: { id: interval.id }, data: endOf(interval, now) });
    await publish(tx, `usage:${environmentId}`, { data: { nodes: held.length } });
  });
}

/** An end that was seen is exact; one that fell into an outage is put where the pod was last seen, and says so. */
function endOf(interval: { lastSeenAt: Date }, now: Date) {
  const wasWatched = now.getTime() - interval.lastSeenAt.getTime() <= SEEN_EVERY_MS * 3;
  return wasWatched ? { endedAt: now, endSource: "observed" } : { endedAt: interval.lastSeenAt, endSource: "inferred" };
}

type DeploymentRef = { id: string; name: string; spec: unknown; deletedAt: Date | null };

/** The node that a pod holds: from its placement until it is gone or has ended. */
function heldBy(pod: LivePod, deployments: DeploymentRef[]): Held | null {
  const node = pod.spec?.nodeName;
  const podUid = pod.metadata.uid;
  const isOver = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  const name = pod.metadata.labels?.["app.kubernetes.io/instance"];
  const deployment = deployments.findLast((each) => each.name === name);
  if (!node || !podUid || isOver || !deployment) return null;
  const placed = pod.status?.conditions?.find((each) => each.type === "PodScheduled" && each.status === "True")?.lastTransitionTime;
  const startedAt = new Date(placed ?? pod.metadata.creationTimestamp ?? Date.now());
  return { podUid, node, deploymentId: deployment.id, skuId: DeploymentSpec.parse(deployment.spec).skuId, startedAt };
}
