import "server-only";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import { engineHealth, gainOf, PodCounters } from "@/lib/domain/health";
import type { LivePod } from "@/lib/domain/rollout-objects";
import type { Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { resourcePath } from "@/lib/platform/kube/path";
import { readText } from "@/lib/platform/send-body";
import { kubeOf } from "./clusters";

/** One row of history covers so long. */
export const BUCKET_MS = 5 * 60_000;
const KEPT_MS = 30 * 86_400_000;
const COUNTERS_KEPT_MS = 2 * 86_400_000;
const ALERTS_KEPT_MS = 400 * 86_400_000;
const ENGINE_PORT = 8000;
const MOST_BYTES = 2_000_000;
const TIMEOUT_MS = 5_000;
const AT_ONCE = 8;

type Pod = LivePod & { metadata: { resourceVersion?: string } };
type Target = { id: string; name: string; namespace: string; clusterId: string };

/** Reads every running deployment's pods and engines once, and adds what they say to its history. One that does not answer leaves a gap. */
export async function recordAllHealth(db: Db, now: Date): Promise<void> {
  const rows = await db.deployment.findMany({ where: { deletedAt: null, state: { not: "stopped" }, environment: { clusterId: { not: null } } }, select: { id: true, name: true, spec: true, environment: { select: { namespace: true, clusterId: true } } } });
  const queue: Target[] = rows.flatMap(({ id, name, spec, environment }) => (environment.clusterId && DeploymentSpec.parse(spec).replicas > 0 ? [{ id, name, namespace: environment.namespace, clusterId: environment.clusterId }] : []));
  const work = async () => {
    for (let target = queue.shift(); target; target = queue.shift()) {
      await recordHealth(db, target, now).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

export async function recordHealth(db: Db, target: Target, now: Date): Promise<void> {
  const kube = await kubeOf(db, target.clusterId);
  const { items } = await kube.list<Pod>({ apiVersion: "v1", resource: "pods", namespace: target.namespace }, { labelSelector: `app.kubernetes.io/instance=${target.name}` });
  const read = await Promise.all(items.map((pod) => readPod(db, kube, { pod, target, now })));
  const seen = read.filter((each) => each !== null);
  if (seen.length === 0) return;
  const sum = (key: "restarts" | "oomKills" | "pages" | "truncated" | "running" | "waiting" | "latencySum" | "latencyCount") => seen.reduce((all, each) => all + each[key], 0);
  const kvUse = seen.reduce<number | null>((most, { kvUse: one }) => (one === null ? most : Math.max(most ?? 0, one)), null);
  const seconds = Math.max(...seen.map((each) => each.seconds));
  const at = new Date(Math.floor(now.getTime() / BUCKET_MS) * BUCKET_MS);
  await db.$executeRaw`
    INSERT INTO health_sample AS h (deployment_id, at, restarts, oom_kills, pages, truncated, running, waiting, kv_use, latency_sum, latency_count, seconds)
    VALUES (${target.id}::uuid, ${at}, ${sum("restarts")}, ${sum("oomKills")}, ${sum("pages")}, ${sum("truncated")}, ${sum("running")}, ${sum("waiting")}, ${kvUse}, ${sum("latencySum")}, ${sum("latencyCount")}, ${seconds})
    ON CONFLICT (deployment_id, at) DO UPDATE SET restarts = h.restarts + EXCLUDED.restarts, oom_kills = h.oom_kills + EXCLUDED.oom_kills, pages = h.pages + EXCLUDED.pages,
      truncated = h.truncated + EXCLUDED.truncated, running = GREATEST(h.running, EXCLUDED.running), waiting = GREATEST(h.waiting, EXCLUDED.waiting),
      kv_use = GREATEST(h.kv_use, EXCLUDED.kv_use), latency_sum = h.latency_sum + EXCLUDED.latency_sum, latency_count = h.latency_count + EXCLUDED.latency_count, seconds = h.seconds + EXCLUDED.seconds`;
}

type Seen = PodCounters & { oomKills: number; running: number; waiting: number; kvUse: number | null; seconds: number };

/** A pod's gain since its last reading. Two processes that read the same pod at once: the later one's gain is what is left. */
async function readPod(db: Db, kube: Kube, { pod, target, now }: { pod: Pod; target: Target; now: Date }): Promise<Seen | null> {
  const { uid, name } = pod.metadata;
  if (!uid) return null;
  const engine = pod.status?.phase === "Running" ? await askPod(kube, { namespace: target.namespace, name }) : null;
  const containers = pod.status?.containerStatuses ?? [];
  const restarts = containers.reduce((sum, each) => sum + (each.restartCount ?? 0), 0);
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${uid}))`;
    const row = await tx.healthCounter.findUnique({ where: { podUid: uid } });
    const before = row ? PodCounters.parse(row.counters) : null;
    const kept = before ?? { pages: 0, truncated: 0, latencySum: 0, latencyCount: 0, restarts: 0 };
    const counters: PodCounters = engine ? { pages: engine.pages, truncated: engine.truncated, latencySum: engine.latencySum, latencyCount: engine.latencyCount, restarts } : { ...kept, restarts };
    await tx.healthCounter.upsert({ where: { podUid: uid }, create: { podUid: uid, deploymentId: target.id, counters, at: now }, update: { counters, at: now } });
    const since = row?.at.getTime() ?? 0;
    const oomKills = containers.filter(({ lastState }) => lastState?.terminated?.reason === "OOMKilled" && Date.parse(lastState.terminated.finishedAt ?? "") > since).length;
    const gain = gainOf(before, counters);
    return { ...gain, oomKills: gain.restarts > 0 || before === null ? oomKills : 0, running: engine?.running ?? 0, waiting: engine?.waiting ?? 0, kvUse: engine?.kvUse ?? null, seconds: engine && row ? Math.max(0, (now.getTime() - since) / 1000) : 0 };
  });
}

async function askPod(kube: Kube, { namespace, name }: { namespace: string; name: string }) {
  try {
    const path = `${resourcePath({ apiVersion: "v1", resource: "pods", namespace, name: `${name}:${ENGINE_PORT}`, subresource: "proxy" })}/metrics`;
    const answer = await kube.send({ method: "GET", path, timeoutMs: TIMEOUT_MS });
    const text = await readText(answer, MOST_BYTES);
    return answer.status === 200 ? engineHealth(text) : null;
  } catch (error) {
    if (error instanceof DomainError) return null; // loading still, or Lectern may not ask pods
    throw error;
  }
}

/** Deletes history that is older than a month, and what follows from it. Returns how many rows went. */
export async function pruneHealth(db: Db, now: Date): Promise<number> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const gone = await Promise.all([
    db.healthSample.deleteMany({ where: { at: { lt: before(KEPT_MS) } } }),
    db.healthCounter.deleteMany({ where: { at: { lt: before(COUNTERS_KEPT_MS) } } }),
    db.alert.deleteMany({ where: { endedAt: { lt: before(ALERTS_KEPT_MS) } } }),
  ]);
  return gone.reduce((sum, { count }) => sum + count, 0);
}
