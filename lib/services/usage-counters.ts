import "server-only";
import { counterGain, successesIn } from "@/lib/domain/usage-metrics";
import type { LivePod } from "@/lib/domain/rollout-objects";
import type { Db, Tx } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { resourcePath } from "@/lib/platform/kube/path";
import { log } from "@/lib/platform/log";
import { readText } from "@/lib/platform/send-body";
import { kubeOf } from "./clusters";

const ENGINE_PORT = 8000;
const MOST_METRIC_BYTES = 2_000_000;
const HOUR_MS = 3_600_000;

type Place = { environmentId: string; deploymentId: string; name: string; namespace: string; clusterId: string };

/** Reads the request counter of every pod of every running deployment, through its cluster. One that does not answer is read next time: its counter waits. */
export async function readCounters(db: Db, now: Date): Promise<void> {
  const rows = await db.deployment.findMany({ where: { deletedAt: null, state: { in: ["ready", "working"] }, environment: { clusterId: { not: null } } }, include: { environment: { select: { namespace: true, clusterId: true } } } });
  for (const { id, name, environmentId, environment } of rows) {
    if (!environment.clusterId) continue;
    const place = { environmentId, deploymentId: id, name, namespace: environment.namespace, clusterId: environment.clusterId };
    await readDeployment(db, place, now).catch((error: unknown) => log().info({ deploymentId: id, kind: error instanceof Error ? error.name : typeof error }, "engine counters not read"));
  }
}

async function readDeployment(db: Db, place: Place, now: Date): Promise<void> {
  const kube = await kubeOf(db, place.clusterId);
  const { items } = await kube.list<LivePod & { metadata: { resourceVersion?: string } }>({ apiVersion: "v1", resource: "pods", namespace: place.namespace }, { labelSelector: `app.kubernetes.io/instance=${place.name}` });
  for (const pod of items) {
    if (pod.status?.phase !== "Running" || !pod.metadata.uid) continue;
    const value = successesIn(await metricsOf(kube, { namespace: place.namespace, pod: pod.metadata.name }));
    if (value !== null) await writeReading(db, { ...place, podUid: pod.metadata.uid, value, now });
  }
}

async function metricsOf(kube: Kube, { namespace, pod }: { namespace: string; pod: string }): Promise<string> {
  const path = `${resourcePath({ apiVersion: "v1", resource: "pods", namespace, name: `${pod}:${ENGINE_PORT}`, subresource: "proxy" })}/metrics`;
  const answer = await kube.send({ method: "GET", path });
  const text = await readText(answer, MOST_METRIC_BYTES);
  return answer.status === 200 ? text : "";
}

type Reading = Place & { podUid: string; value: bigint; now: Date };

/** The gain since the last reading, beside the portal's own pages of the same time: what is more came from elsewhere. */
async function writeReading(db: Db, { podUid, environmentId, deploymentId, value, now }: Reading): Promise<void> {
  await db.$transaction(async (tx) => {
    const before = await tx.engineCounter.findUnique({ where: { podUid } });
    const latest = await tx.engineCounter.aggregate({ where: { deploymentId }, _max: { at: true } });
    const own = await ownRequests(tx, deploymentId, { from: latest._max.at ?? new Date(0), to: now });
    const gain = { requests: counterGain(before?.value ?? null, value), own };
    await tx.engineCounter.upsert({ where: { podUid }, create: { podUid, environmentId, deploymentId, value, at: now }, update: { value, at: now } });
    if (gain.requests === 0n && gain.own === 0n) return;
    const key = { environmentId, deploymentId, hour: new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS) };
    await tx.engineHour.upsert({ where: { environmentId_deploymentId_hour: key }, create: { ...key, ...gain }, update: { requests: { increment: gain.requests }, own: { increment: gain.own } } });
  });
}

/** The portal's own requests that an engine has answered: every try at a page, pages that were counted without tries, and sample pages after rollouts. */
async function ownRequests(tx: Tx, deploymentId: string, { from, to }: { from: Date; to: Date }): Promise<bigint> {
  const [row] = await tx.$queryRaw<{ own: bigint }[]>`
    SELECT ((SELECT COUNT(*) FROM run_attempt a JOIN run_page p ON p.id = a.page_id JOIN run r ON r.id = p.run_id
             WHERE r.deployment_id = ${deploymentId}::uuid AND a.outcome IN ('read', 'loop', 'truncated', 'no_boxes')
               AND a.started_at + make_interval(secs => a.seconds) > ${from} AND a.started_at + make_interval(secs => a.seconds) <= ${to})
          + (SELECT COALESCE(SUM(u.pages), 0) FROM usage_entry u
             WHERE u.deployment_id = ${deploymentId}::uuid AND u.at > ${from} AND u.at <= ${to}
               AND NOT EXISTS (SELECT 1 FROM run_attempt a WHERE a.page_id = u.id OR a.read_id = u.id))
          + (SELECT COUNT(*) FROM rollout o JOIN revision v ON v.id = o.revision_id
             WHERE v.deployment_id = ${deploymentId}::uuid AND o.facts -> 'smoke' ->> 'state' = 'read'
               AND (o.facts -> 'smoke' ->> 'at')::timestamptz > ${from} AND (o.facts -> 'smoke' ->> 'at')::timestamptz <= ${to}))::bigint AS own`;
  return row?.own ?? 0n;
}
