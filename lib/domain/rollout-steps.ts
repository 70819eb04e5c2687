import { condition, eventTime, type LiveDeployment, type LiveEvent, type LivePod, type LiveReplicaSet } from "./rollout-objects";

export const stepIds = ["applied", "scheduled", "node", "image", "weights", "ready"] as const;
export type StepId = (typeof stepIds)[number];

/** One step of a rollout. `since` is when it came into this state, as the cluster tells it; null where it does not. */
export type RolloutStep = { id: StepId; state: "waiting" | "active" | "done" | "failed"; since: string | null };

export type StepInput = {
  deployment: LiveDeployment | null;
  isObserved: boolean;
  current: LiveReplicaSet | undefined;
  pods: readonly LivePod[];
  events: readonly LiveEvent[];
  state: "working" | "ready" | "failed" | "stopped" | "timed_out";
};

/** The step that the pods are at: that of the pod which is furthest behind. */
export function podStep(pods: readonly LivePod[]): StepId {
  if (pods.length === 0) return "scheduled";
  return stepIds[Math.min(...pods.map((pod) => stepIds.indexOf(stepOf(pod))))] ?? "scheduled";
}

/** All steps in order, with their states. When stopped, nothing is active. */
export function rolloutSteps(input: StepInput): RolloutStep[] {
  const at = input.isObserved ? stepIds.indexOf(podStep(input.pods)) : 0;
  const isEnd = input.state === "failed" || input.state === "timed_out";
  const times = stepTimes(input);
  return stepIds.map((id, index): RolloutStep => {
    if (input.state === "ready" || index < at) return { id, state: "done", since: times[id] };
    if (index > at || input.state === "stopped") return { id, state: "waiting", since: null };
    return { id, state: isEnd ? "failed" : "active", since: startOf(id, times) };
  });
}

function stepOf(pod: LivePod): StepId {
  if (condition(pod.status?.conditions, "PodScheduled")?.status !== "True" && !pod.spec?.nodeName) return "scheduled";
  const statuses = pod.status?.containerStatuses ?? [];
  if (statuses.length === 0) return "node";
  const hasRun = statuses.some((status) => status.state?.running ?? status.state?.terminated ?? status.lastState?.terminated);
  if (!hasRun) return "image";
  return condition(pod.status?.conditions, "Ready")?.status === "True" ? "ready" : "weights";
}

type StepTimes = Record<StepId, string | null>;

/** When each step was done. */
function stepTimes({ deployment, current, pods, events }: StepInput): StepTimes {
  const pod = pods[0];
  const status = pod?.status;
  const started = status?.containerStatuses?.[0];
  return {
    applied: current?.metadata.creationTimestamp ?? deployment?.metadata.creationTimestamp ?? null,
    scheduled: timeOf(pod, "PodScheduled"),
    node: eventOf(events, pod, "Pulling") ?? status?.startTime ?? null,
    image: eventOf(events, pod, "Pulled") ?? started?.state?.running?.startedAt ?? started?.lastState?.terminated?.startedAt ?? null,
    weights: timeOf(pod, "ContainersReady"),
    ready: timeOf(pod, "Ready"),
  };
}

/** A step begins when the one before it is done. */
function startOf(id: StepId, times: StepTimes): string | null {
  const before = stepIds[stepIds.indexOf(id) - 1];
  return before === undefined ? null : times[before];
}

function timeOf(pod: LivePod | undefined, type: string): string | null {
  const found = condition(pod?.status?.conditions, type);
  return found?.status === "True" ? (found.lastTransitionTime ?? null) : null;
}

function eventOf(events: readonly LiveEvent[], pod: LivePod | undefined, reason: string): string | null {
  const uid = pod?.metadata.uid;
  const found = events.filter(
    (event) =>
      event.reason === reason &&
      (event.involvedObject.uid ? event.involvedObject.uid === uid : event.involvedObject.name === pod?.metadata.name),
  );
  return (
    found
      .map(eventTime)
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null
  );
}
