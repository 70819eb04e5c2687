import "server-only";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { findingsOf, type Finding, type FindingInput } from "@/lib/domain/finding";
import { rolloutOf, type Rollout } from "@/lib/domain/rollout";
import { engineFacts } from "@/lib/domain/rollout-facts";
import { currentReplicaSet, podsOf } from "@/lib/domain/rollout-objects";
import type { Db, Tx } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { startLog } from "./findings-log";
import { publish } from "./live";
import type { Mirror } from "./namespace-mirror";
import type { NodeMirror } from "./node-log-mirror";
import type { ObjectResult } from "./rollout-progress";

/** One environment as it is followed: where it is, and what helps to explain it. */
export type Watched = { environmentId: string; namespace: string; kube: Kube; mirror: Mirror; nodes: NodeMirror; crashLogs: (pods: FindingInput["pods"]) => Promise<Record<string, string>>; onReady?: (deploymentId: string) => void };
/** A finding of a rollout with the time at which it was first seen. */
export type SeenFinding = Finding & { firstSeenAt: string };

type Row = { id: string; name: string; environmentId: string; state: string; message: string; status: unknown; findings: unknown };
type News = { rollout: Rollout; findings: Finding[]; facts: object | null };

/** What the cluster says of each deployment, written down and passed on where it has changed. Answers whether any is on its way or in trouble. */
export async function recordRollouts(db: Db, watched: Watched): Promise<boolean> {
  const rows = await db.deployment.findMany({
    where: { environmentId: watched.environmentId, deletedAt: null },
    select: { id: true, name: true, environmentId: true, state: true, message: true, status: true, findings: true },
  });
  let isUnsettled = false;
  for (const row of rows) {
    const snapshot = snapshotOf(watched, row.name);
    if (isBehind(row.status, snapshot.deployment?.metadata.generation ?? 0)) {
      isUnsettled = true;
      continue;
    }
    const rollout = rolloutOf(snapshot);
    const isWell = rollout.state === "ready" || rollout.state === "stopped";
    isUnsettled ||= !isWell;
    const findings = isWell ? [] : findingsOf({ ...snapshot, logs: await watched.crashLogs(snapshot.pods) });
    if (!isNews(row, rollout, findings)) continue;
    const facts = rollout.state === "ready" && row.state !== "ready" ? await factsOf(watched, snapshot) : null;
    await record(db, row, { rollout, findings, facts });
    if (rollout.state === "ready" && row.state !== "ready") watched.onReady?.(row.id);
  }
  return isUnsettled;
}

const Awaited = z.union([z.object({ isApplying: z.literal(true) }), z.object({ awaitedGeneration: z.number() })]);

/** Until the watch has brought what was applied, it tells of the revision before: that would be a false "ready". */
function isBehind(status: unknown, generation: number): boolean {
  const awaited = Awaited.safeParse(status).data;
  if (!awaited) return false;
  return "isApplying" in awaited || generation < awaited.awaitedGeneration;
}

function snapshotOf({ mirror, nodes }: Watched, name: string): FindingInput {
  const isOfDeployment = (object: { metadata: { labels?: Record<string, string> } }) => object.metadata.labels?.["app.kubernetes.io/instance"] === name;
  const replicaSets = [...mirror.replicaSets.values()].filter(isOfDeployment);
  const pods = [...mirror.pods.values()].filter(isOfDeployment);
  const claims = [...mirror.claims.values()].filter(isOfDeployment);
  const names = new Set([name, ...[...replicaSets, ...pods, ...claims].map((object) => object.metadata.name)]);
  const events = [...mirror.events.values()].filter((event) => names.has(event.involvedObject.name));
  return { deployment: mirror.deployments.get(name) ?? null, replicaSets, pods, claims, events, nodes: nodes.isSynced() ? [...nodes.nodes.values()] : null };
}

/** What the engine logged about its own memory, once it is ready. */
async function factsOf({ kube, namespace }: Watched, { deployment, replicaSets, pods }: FindingInput): Promise<object | null> {
  const [pod] = deployment ? podsOf(currentReplicaSet(deployment, replicaSets), pods) : [];
  const container = pod?.status?.containerStatuses?.[0]?.name;
  if (!pod || container === undefined) return null;
  return engineFacts(await startLog(kube, { namespace, name: pod.metadata.name, container }));
}

/** One sentence for lists: the cause where it is known, else the cluster's words, else ours. */
function messageOf(rollout: Rollout, findings: readonly Finding[]): string {
  return findings[0]?.cause ?? rollout.message ?? rollout.sentence;
}

function isNews(row: Row, rollout: Rollout, findings: Finding[]): boolean {
  const isSame = row.state === rollout.state && row.message === messageOf(rollout, findings) && isDeepStrictEqual(row.status, asJson(rollout)) && isDeepStrictEqual(row.findings, asJson(findings));
  // A refused apply is the person's news until something is applied again: the cluster knows nothing of it.
  const isUnknown = row.state === "failed" && rollout.state === "working" && Object.keys(row.status ?? {}).length === 0;
  return !isSame && !isUnknown;
}

function asJson(value: unknown) {
  return JSON.parse(JSON.stringify(value));
}

async function record(db: Db, row: Row, news: News): Promise<void> {
  const now = new Date();
  const { rollout, findings } = news;
  const hasChangedState = row.state !== rollout.state;
  await db.$transaction(async (tx) => {
    await tx.deployment.update({
      where: { id: row.id },
      data: { state: rollout.state, message: messageOf(rollout, findings), status: asJson(rollout), findings: asJson(findings), observedAt: now, ...(hasChangedState ? { stateSince: now } : {}) },
    });
    await recordRollout(tx, row.id, { ...news, now });
    await publish(tx, `deployment:${row.id}`, { data: { state: rollout.state } });
    if (hasChangedState) await publish(tx, `environment:${row.environmentId}`, { data: { deploymentId: row.id, state: rollout.state } });
  });
}

/** The history of the newest rollout: its steps, every finding that it had, and its end. One that failed in the cluster may still recover. */
async function recordRollout(tx: Tx, deploymentId: string, { rollout, findings, facts, now }: News & { now: Date }): Promise<void> {
  const open = await tx.rollout.findFirst({ where: { revision: { deploymentId }, state: { in: ["watching", "failed", "timed_out"] } }, orderBy: { startedAt: "desc" } });
  const objects = (open?.objects ?? []) as ObjectResult[]; // written by rollout-progress.ts
  if (!open || objects.some((object) => object.outcome === "failed" || object.outcome === "not tried")) return;
  const before = open.findings as SeenFinding[]; // written here
  const fresh = findings.filter((finding) => before.every((known) => known.id !== finding.id)).map((finding) => ({ ...finding, firstSeenAt: now.toISOString() }));
  const ended = { state: rollout.state === "stopped" ? "ready" : rollout.state, message: messageOf(rollout, findings), endedAt: now };
  await tx.rollout.update({
    where: { id: open.id },
    data: { steps: asJson(rollout.steps), findings: asJson([...before, ...fresh]), ...(facts ? { facts } : {}), ...(rollout.state === "working" ? {} : ended) },
  });
}
