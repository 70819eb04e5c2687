import { condition, eventTime, type LiveEvent, type LiveNode, type LivePod } from "./rollout-objects";

/** How an instant is known: seen as it happened, told by the cluster's own events or objects, or inferred between two looks. */
export type InstantSource = "observed" | "event" | "inferred";
export type Known = { at: Date; source: InstantSource };

/** A pod that holds GPUs of a node. Instants are the cluster's own. */
export type PodHold = { podUid: string; podName: string; node: string; instance: string; gpus: number; startedAt: Date };

const GPU = "nvidia.com/gpu";

/** What a pod holds from its placement until it is gone or has ended; null when it holds nothing. */
export function holdOf(pod: LivePod): PodHold | null {
  const node = pod.spec?.nodeName;
  const podUid = pod.metadata.uid;
  const instance = pod.metadata.labels?.["app.kubernetes.io/instance"];
  const isOver = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  if (!node || !podUid || !instance || isOver) return null;
  const placed = condition(pod.status?.conditions, "PodScheduled");
  const startedAt = instantOf(placed?.status === "True" ? placed.lastTransitionTime : pod.metadata.creationTimestamp);
  return startedAt && { podUid, podName: pod.metadata.name, node, instance, gpus: gpusOf(pod), startedAt };
}

function gpusOf(pod: LivePod): number {
  const counts = pod.spec?.containers?.map(({ resources }) => Number(resources?.limits?.[GPU] ?? resources?.requests?.[GPU] ?? 0)) ?? [];
  return counts.reduce((sum, count) => sum + count, 0);
}

/** To the full second, as objects tell their times; events that tell microseconds would differ from them. */
function instantOf(text: string | null | undefined): Date | null {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : new Date(Math.floor(at / 1000) * 1000);
}

/** The share of a node's GPUs that a pod holds: 1 when the pod asks for none, or the node's number is not known. */
export function shareOf(gpus: number, nodeGpus: number | null): number {
  if (gpus === 0 || !nodeGpus) return 1;
  return Math.min(1, gpus / nodeGpus);
}

export function gpusOfNode(node: LiveNode | undefined): number | null {
  const count = Number(node?.status?.allocatable?.[GPU] ?? 0);
  return count > 0 ? count : null;
}

/** Reasons that the cluster gives when a pod begins to end. */
const ENDINGS = new Set(["Killing", "Preempted", "Evicted", "TaintManagerEviction", "NodeNotReady"]);

/**
 * When a pod ended of which only events are left: the moment at which its containers were told to stop. Null when no event says.
 * A restart within the pod is told by the same reason, so a later sign of life takes it back.
 */
export function endFromEvents(podUid: string, events: readonly LiveEvent[]): Date | null {
  const own = events.filter((event) => event.involvedObject.uid === podUid);
  const last = own.map((event) => ({ at: instantOf(eventTime(event)), reason: event.reason ?? "" })).sort((a, b) => Number(a.at) - Number(b.at));
  const ending = last.findLast((event) => ENDINGS.has(event.reason));
  const isAlive = last.some((event) => event.at && ending?.at && event.at > ending.at && ["Started", "Pulled", "Created"].includes(event.reason));
  return isAlive ? null : (ending?.at ?? null);
}

const ASSIGNED = /^Successfully assigned \S+ to (\S+)$/;

/** Pods that events tell of and that are no longer there: they came and went while nobody looked. */
export function lostHolds(events: readonly LiveEvent[], known: ReadonlySet<string>): { podUid: string; podName: string; node: string; startedAt: Date; end: Known }[] {
  return events.flatMap((event) => {
    const podUid = event.involvedObject.uid;
    const node = ASSIGNED.exec(event.message ?? "")?.[1];
    const startedAt = instantOf(eventTime(event));
    if (event.reason !== "Scheduled" || event.involvedObject.kind !== "Pod" || !podUid || !node || !startedAt || known.has(podUid)) return [];
    return [{ podUid, podName: event.involvedObject.name, node, startedAt, end: lostEnd(podUid, events, startedAt) }];
  });
}

function lostEnd(podUid: string, events: readonly LiveEvent[], startedAt: Date): Known {
  const told = endFromEvents(podUid, events);
  if (told) return { at: told, source: "event" };
  const signs = events.flatMap((event) => (event.involvedObject.uid === podUid ? (instantOf(eventTime(event)) ?? []) : []));
  return { at: signs.reduce((latest, at) => (at > latest ? at : latest), startedAt), source: "inferred" };
}

export type EndContext = { podUid: string; startedAt: Date; lastSeenAt: Date; now: Date; wasWatched: boolean; events: readonly LiveEvent[] };

/** When a pod that is gone ended. What was watched is exact; what fell into an outage is told by events, else put where it was last seen. */
export function endOfHold({ podUid, startedAt, lastSeenAt, now, wasWatched, events }: EndContext): Known {
  const found = wasWatched ? { at: now, source: "observed" as const } : outageEnd({ told: endFromEvents(podUid, events), lastSeenAt });
  // A clock that was set back must not end an interval before it began.
  return found.at < startedAt ? { ...found, at: startedAt } : found;
}

function outageEnd({ told, lastSeenAt }: { told: Date | null; lastSeenAt: Date }): Known {
  return told ? { at: told, source: "event" } : { at: lastSeenAt, source: "inferred" };
}

const SPOT_LABELS: [string, string][] = [
  ["karpenter.sh/capacity-type", "spot"],
  ["eks.amazonaws.com/capacityType", "SPOT"],
  ["cloud.google.com/gke-spot", "true"],
  ["kubernetes.azure.com/scalesetpriority", "spot"],
];
/** Clouds do not label committed nodes: whoever runs the pool says so with this label. */
export const PURCHASE_LABEL = "lectern.dev/purchase";

/** Where and how a node is bought, by its labels. */
export function purchaseOf(node: LiveNode | undefined): { region: string; zone: string; mode: "on_demand" | "spot" | "commit_1y" | "commit_3y" } {
  const labels = node?.metadata.labels ?? {};
  const said = labels[PURCHASE_LABEL];
  const isSpot = SPOT_LABELS.some(([name, value]) => labels[name] === value);
  const mode = said === "commit_1y" || said === "commit_3y" ? said : isSpot ? "spot" : "on_demand";
  return { region: labels["topology.kubernetes.io/region"] ?? "", zone: labels["topology.kubernetes.io/zone"] ?? "", mode };
}

/** The deployment whose pods have this name: `<name>-<hash>-<suffix>`; the longest name wins. */
export function instanceOfPodName(podName: string, instances: readonly string[]): string | undefined {
  const base = podName.split("-").slice(0, -2).join("-");
  return instances.filter((name) => base === name).sort((a, b) => b.length - a.length)[0];
}
