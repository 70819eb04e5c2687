import "server-only";
import type { Db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { kubeOf } from "./clusters";
import { loadCatalog } from "./catalog-additions";
import { carryOnWaiting } from "./deployment-apply";
import { createCrashLogs } from "./findings-log";
import { mirrorNamespace } from "./namespace-mirror";
import { recordNodes, type Look } from "./node-log";
import { mirrorNodes, type NodeMirror } from "./node-log-mirror";
import { recordRollouts, type Watched } from "./rollout-record";
import { smokeTest } from "./rollout-smoke";
import { readCounters } from "./usage-counters";

/** Environments that came, went or were moved to another cluster are noticed this often; open intervals are marked as seen. */
const REVIEW_MS = 10_000;
/** The engines' own counters are read this often. */
const COUNTERS_MS = 60_000;
/** Changes that come together are looked at together. */
const GATHER_MS = 15;
/** While a deployment is on its way or in trouble, causes outside its namespace (nodes, logs) are looked at this often. */
const UNSETTLED_MS = 1_000;

type Followed = { key: string; stop(): Promise<void> };
type Place = { environmentId: string; clusterId: string; namespace: string; fingerprint: string };

/** Follows every environment's namespace and writes down what happens there, until it is stopped. `now` is the clock that the clusters share. */
export function startClusterWatch(db: Db, now: () => Date = () => new Date()): { stop(): Promise<void> } {
  const followed = new Map<string, Followed>();
  let isStopped = false;
  const review = async () => {
    await loadCatalog(db);
    const places = await placesOf(db);
    for (const [id, one] of followed) {
      if (places.some((place) => place.environmentId === id && keyOf(place) === one.key)) continue;
      followed.delete(id);
      await one.stop();
    }
    for (const place of places) if (!followed.has(place.environmentId) && !isStopped) followed.set(place.environmentId, followPlace(db, place, now));
  };
  const run = () => void review().catch(report);
  run();
  const timer = setInterval(run, REVIEW_MS);
  const counters = setInterval(() => void readCounters(db, now()).catch(report), COUNTERS_MS);
  return {
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      clearInterval(counters);
      await Promise.all([...followed.values()].map((one) => one.stop()));
    },
  };
}

async function placesOf(db: Db): Promise<Place[]> {
  const rows = await db.environment.findMany({ where: { clusterId: { not: null } }, include: { cluster: { select: { id: true, fingerprint: true } } } });
  return rows.flatMap((row) => (row.cluster ? [{ environmentId: row.id, clusterId: row.cluster.id, namespace: row.namespace, fingerprint: row.cluster.fingerprint }] : []));
}

function keyOf(place: Place): string {
  return `${place.clusterId} ${place.fingerprint} ${place.namespace}`;
}

function followPlace(db: Db, place: Place, now: () => Date): Followed {
  const end = new AbortController();
  let watched: Watched | undefined;
  // Something may have been missed since the last look: at first, and after every interruption.
  let wasWatched = false;
  let recording = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;
  const look = () => {
    timer = undefined;
    if (end.signal.aborted || !watched?.mirror.isSynced()) return;
    // The mirror goes on while this look waits for its turn: what it saw belongs to its own instant.
    const seen = { watched, now: now(), wasWatched, mirror: { pods: new Map(watched.mirror.pods), events: new Map(watched.mirror.events) }, nodes: snapshotOf(watched.nodes) };
    wasWatched = true;
    recording = recording
      .then(() => recordAll(db, seen))
      .then((isUnsettled) => void (isUnsettled && !end.signal.aborted && (later ??= setTimeout(again, UNSETTLED_MS))))
      .catch(report);
  };
  const soon = () => {
    timer ??= setTimeout(look, GATHER_MS);
  };
  const again = () => {
    later = undefined;
    soon();
  };
  const beat = setInterval(soon, REVIEW_MS);
  const onState = ({ isCurrent, error }: { isCurrent: boolean; error?: unknown }) => {
    if (!isCurrent) wasWatched = false;
    if (error !== undefined) log().warn({ environmentId: place.environmentId, kind: error instanceof Error ? error.name : typeof error }, "cluster watch interrupted");
  };
  void kubeOf(db, place.clusterId).then((kube) => {
    const { environmentId, namespace } = place;
    const nodes = mirrorNodes(kube, { signal: end.signal, onChange: soon, onState });
    const mirror = mirrorNamespace(kube, { namespace, signal: end.signal, onChange: soon, onState });
    // Beside the looks and never in their way: ready means that a real page was read.
    const onReady = (deploymentId: string) => void smokeTest(db, deploymentId, end.signal).catch(report);
    watched = { environmentId, namespace, kube, mirror, nodes, crashLogs: createCrashLogs(kube, namespace), onReady };
  }, report);
  return {
    key: keyOf(place),
    stop: async () => {
      end.abort();
      clearInterval(beat);
      clearTimeout(timer);
      clearTimeout(later);
      await recording;
    },
  };
}

function snapshotOf(nodes: NodeMirror | null): NodeMirror | null {
  if (!nodes) return null;
  const isSynced = nodes.isSynced();
  return { nodes: new Map(nodes.nodes), isSynced: () => isSynced };
}

type Seen = Look & { watched: Watched };

async function recordAll(db: Db, { watched, ...look }: Seen): Promise<boolean> {
  await carryOnWaiting(db, watched.environmentId);
  await recordNodes(db, watched.environmentId, look);
  return recordRollouts(db, watched);
}

function report(error: unknown): void {
  log().error({ kind: error instanceof Error ? error.name : typeof error, error: error instanceof Error ? error.message : "" }, "cluster watch");
}
