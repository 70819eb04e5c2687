import {
  condition,
  currentReplicaSet,
  podsOf,
  type LiveCondition,
  type LiveDeployment,
  type LiveEvent,
  type LivePod,
  type LiveReplicaSet,
} from "./rollout-objects";
import { podStep, rolloutSteps, type RolloutStep } from "./rollout-steps";

export type RolloutState = "working" | "ready" | "failed" | "stopped" | "timed_out";

export type RolloutSnapshot = {
  deployment: LiveDeployment | null;
  replicaSets: readonly LiveReplicaSet[];
  pods: readonly LivePod[];
  events: readonly LiveEvent[];
};

/** Where a rollout stands. `sentence` is ours; `message` is the cluster's own text, word for word, when it gave one. */
export type Rollout = {
  state: RolloutState;
  sentence: string;
  message: string | null;
  steps: RolloutStep[];
  replicas: { wanted: number; updated: number; ready: number; available: number };
};

type Verdict = Pick<Rollout, "state" | "sentence" | "message">;

/** Container states from which a pod does not recover without a change; the kubelet's own names. */
const fatalWaiting = new Set([
  "CrashLoopBackOff",
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
]);

/**
 * The state of a deployment, from its live objects alone. The order of the tests is that of kubectl's `rollout status`: nothing counts
 * before the controller has seen the newest generation, so "ready" is never the readiness of the revision before.
 */
export function rolloutOf(snapshot: RolloutSnapshot): Rollout {
  const { deployment } = snapshot;
  const status = deployment?.status;
  const current = deployment ? currentReplicaSet(deployment, snapshot.replicaSets) : undefined;
  const pods = podsOf(current, snapshot.pods);
  const verdict = deployment ? judge(deployment, current, pods) : working("Waiting for the cluster to show the deployment.");
  const isObserved = deployment !== null && isSeen(deployment);
  return {
    ...verdict,
    steps: rolloutSteps({ deployment, isObserved, current, pods, events: snapshot.events, state: verdict.state }),
    replicas: {
      wanted: deployment?.spec?.replicas ?? 0,
      updated: status?.updatedReplicas ?? 0,
      ready: status?.readyReplicas ?? 0,
      available: status?.availableReplicas ?? 0,
    },
  };
}

function judge(deployment: LiveDeployment, current: LiveReplicaSet | undefined, pods: readonly LivePod[]): Verdict {
  const { status } = deployment;
  if (deployment.metadata.deletionTimestamp) return working("The deployment is being deleted.");
  if (!isSeen(deployment)) return working("Waiting for the cluster's controller to see the new revision.");
  const progressing = condition(status?.conditions, "Progressing");
  if (progressing?.reason === "ProgressDeadlineExceeded" && isAbout(progressing, current)) {
    return {
      state: "timed_out",
      sentence: "The rollout made no progress within its deadline; nothing was rolled back, and the pod may still come up.",
      message: text(progressing),
    };
  }
  const failure = condition(status?.conditions, "ReplicaFailure");
  if (failure?.status === "True") return { state: "failed", sentence: "The cluster refuses to create the pod.", message: text(failure) };
  return judgeReplicas(deployment, pods);
}

function judgeReplicas(deployment: LiveDeployment, pods: readonly LivePod[]): Verdict {
  const wanted = deployment.spec?.replicas ?? 1;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = deployment.status ?? {};
  if (wanted === 0) {
    if (replicas > 0 || pods.length > 0) return working("Pods are ending.");
    return { state: "stopped", sentence: "Stopped: no pod runs, and the volume is kept.", message: null };
  }
  const broken = brokenPod(pods);
  if (broken) return broken;
  if (updatedReplicas < wanted) return working(`Creating pod ${updatedReplicas + 1} of ${wanted}.`);
  if (replicas > updatedReplicas) return working("The pods of the revision before are ending.");
  if (availableReplicas < updatedReplicas) return starting(pods);
  return { state: "ready", sentence: wanted === 1 ? "Ready." : `Ready: all ${wanted} pods.`, message: null };
}

function brokenPod(pods: readonly LivePod[]): Verdict | undefined {
  for (const pod of pods) {
    const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
    const waiting = statuses.map((status) => status.state?.waiting).find((each) => fatalWaiting.has(each?.reason ?? ""));
    if (waiting)
      return {
        state: "failed",
        sentence: `The pod cannot start: ${waiting.reason ?? ""}.`,
        message: waiting.message ?? waiting.reason ?? null,
      };
    if (pod.status?.phase === "Failed")
      return { state: "failed", sentence: "The pod failed.", message: pod.status.message ?? pod.status.reason ?? null };
  }
  return undefined;
}

const startingSentences = {
  applied: "Creating the pod.",
  scheduled: "Waiting for a node with a free GPU.",
  node: "The node is preparing the pod.",
  image: "Pulling the image: about 11 GB on a new node.",
  weights: "Loading the model.",
  ready: "Waiting for the pod to count as available.",
};

function starting(pods: readonly LivePod[]): Verdict {
  const unscheduled = pods.map((pod) => condition(pod.status?.conditions, "PodScheduled")).find((each) => each?.status === "False");
  if (unscheduled) return { state: "working", sentence: startingSentences.scheduled, message: text(unscheduled) };
  return working(startingSentences[podStep(pods)]);
}

function isSeen(deployment: LiveDeployment): boolean {
  return (deployment.metadata.generation ?? 0) <= (deployment.status?.observedGeneration ?? 0);
}

/** A rollback inherits the condition of the revision before for a moment; the message names the replica set that it is about. */
function isAbout(progressing: LiveCondition, current: LiveReplicaSet | undefined): boolean {
  const named = /^ReplicaSet "([^"]+)"/.exec(progressing.message ?? "")?.[1];
  return named === undefined || current === undefined || named === current.metadata.name;
}

function text(from: LiveCondition): string | null {
  return from.message ?? from.reason ?? null;
}

function working(sentence: string): Verdict {
  return { state: "working", sentence, message: null };
}
