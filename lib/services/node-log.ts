import "server-only";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { endOfHold, gpusOfNode, holdOf, instanceOfPodName, lostHolds, purchaseOf, shareOf } from "@/lib/domain/node-interval";
import { sku, type PriceBook } from "@/lib/domain/price-book";
import type { LiveEvent, LiveNode } from "@/lib/domain/rollout-objects";
import type { NodeInterval } from "@/lib/generated/prisma/client";
import type { Db, Tx } from "@/lib/platform/db";
import { publish } from "./live";
import type { Mirror } from "./namespace-mirror";
import { recordKept } from "./node-log-kept";
import type { NodeMirror } from "./node-log-mirror";
import { priceBook } from "./prices-book";

/** Open intervals are marked as seen this often; after an outage the mark is where an end that nobody tells of lies. */
const SEEN_EVERY_MS = 30_000;

/** What a look at the cluster has before it. `wasWatched`: nothing was missed since the look before. */
export type Look = { mirror: Pick<Mirror, "pods" | "events">; nodes: NodeMirror | null; now: Date; wasWatched: boolean };
type DeploymentRef = { id: string; name: string; spec: unknown };
type Start = { podUid: string; node: string; deploymentId: string; skuId: string; region: string; mode: string; share: number; startedAt: Date; startSource: string; endedAt?: Date; endSource?: string };

/** Writes down which node is paid for which deployment, from when to when, by the pods and nodes that the cluster shows. */
export async function recordNodes(db: Db, environmentId: string, look: Look): Promise<void> {
  const { mirror, now } = look;
  const deployments = await db.deployment.findMany({ where: { environmentId }, select: { id: true, name: true, spec: true }, orderBy: { createdAt: "asc" } });
  const holds = [...mirror.pods.values()].flatMap((pod) => holdOf(pod) ?? []);
  const open = await db.nodeInterval.findMany({ where: { environmentId, endedAt: null, use: "held", podUid: { not: null } } });
  const ended = open.filter((interval) => !holds.some((hold) => hold.podUid === interval.podUid));
  const unmarked = open.filter((interval) => !ended.includes(interval) && now.getTime() - interval.lastSeenAt.getTime() > SEEN_EVERY_MS);
  if (unmarked.length > 0) await db.nodeInterval.updateMany({ where: { id: { in: unmarked.map((each) => each.id) } }, data: { lastSeenAt: now } });
  const isNew = holds.some((hold) => !open.some((interval) => interval.podUid === hold.podUid));
  const book = isNew || !look.wasWatched ? await priceBook(db) : null;
  const present = book ? holds.flatMap((hold) => startOf({ ...hold, startSource: "observed" }, { deployments, look, book }) ?? []) : [];
  const lost = book && !look.wasWatched ? await lostStarts(db, { deployments, look, book }) : [];
  const starts = [...present.filter((each) => !open.some((interval) => interval.podUid === each.podUid)), ...lost];
  await db.$transaction(async (tx) => {
    await begin(tx, starts, { environmentId, now });
    for (const interval of ended) await end(tx, interval, look);
    const kept = await recordKept(tx, environmentId, look);
    if (starts.length + ended.length + kept > 0) await publish(tx, `usage:${environmentId}`, { data: { nodes: holds.length } });
  });
}

async function begin(tx: Tx, starts: Start[], { environmentId, now }: { environmentId: string; now: Date }): Promise<void> {
  if (starts.length === 0) return;
  await tx.nodeInterval.createMany({ data: starts.map((each) => ({ ...each, environmentId, lastSeenAt: each.endedAt ?? now })), skipDuplicates: true });
}

async function end(tx: Tx, { id, podUid, startedAt, lastSeenAt }: NodeInterval, { mirror, now, wasWatched }: Look): Promise<void> {
  const known = endOfHold({ podUid: podUid ?? "", startedAt, lastSeenAt, now, wasWatched, events: eventsOf(mirror) });
  await tx.nodeInterval.update({ where: { id }, data: { endedAt: known.at, endSource: known.source } });
}

function eventsOf(mirror: Pick<Mirror, "events">): LiveEvent[] {
  return [...mirror.events.values()];
}

type Known = { deployments: DeploymentRef[]; look: Look; book: PriceBook };
type Placed = { podUid: string; node: string; instance: string; gpus: number; startedAt: Date; startSource: string };

function startOf({ podUid, node, instance, gpus, startedAt, startSource }: Placed, { deployments, look, book }: Known): Start | null {
  const deployment = deployments.findLast((each) => each.name === instance);
  if (!deployment) return null;
  const { skuId } = DeploymentSpec.parse(deployment.spec);
  const live = look.nodes?.nodes.get(node);
  const nodeGpus = gpusOfNode(live) ?? sku(book, skuId)?.gpu_count ?? null;
  return { podUid, node, deploymentId: deployment.id, skuId, ...boughtAs(live, skuId, book), share: shareOf(gpus, nodeGpus), startedAt, startSource };
}

/** Region and purchase mode by the node's labels; some price lists name zones, and then the zone is the region. */
function boughtAs(node: LiveNode | undefined, skuId: string, book: PriceBook): { region: string; mode: string } {
  const { region, zone, mode } = purchaseOf(node);
  const isListed = (place: string) => sku(book, skuId)?.prices.some((price) => price.region === place) ?? false;
  return { region: !isListed(region) && isListed(zone) ? zone : region, mode };
}

/** Pods that came and went in an outage, as the cluster's events tell; those that are written down already are left alone. */
async function lostStarts(db: Db, known: Known): Promise<Start[]> {
  const { mirror } = known.look;
  const present = new Set([...mirror.pods.values()].flatMap((pod) => pod.metadata.uid ?? []));
  const lost = lostHolds(eventsOf(mirror), present);
  if (lost.length === 0) return [];
  const written = await db.nodeInterval.findMany({ where: { podUid: { in: lost.map((each) => each.podUid) } }, select: { podUid: true } });
  const names = known.deployments.map((each) => each.name);
  return lost.flatMap((each) => {
    const instance = instanceOfPodName(each.podName, names);
    if (!instance || written.some((row) => row.podUid === each.podUid)) return [];
    const start = startOf({ ...each, instance, gpus: 0, startSource: "event" }, known);
    return start ? [{ ...start, endedAt: each.end.at, endSource: each.end.source }] : [];
  });
}
