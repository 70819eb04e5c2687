import "server-only";
import { clone, isObject, listAt, numberAt, textAt, type Json, type JsonObject } from "../json";
import { nameOf, type KubeObject } from "../object";

export type Condition = { type: string; status: "True" | "False"; reason: string; message: string };

export function conditionsOf(deployment: KubeObject): JsonObject[] {
  return clone<Json[]>(listAt(deployment, "status", "conditions")).filter(isObject);
}

/** Sets a condition as the deployment controller does: unchanged when status and reason are, else moved to the end. */
export function setCondition(conditions: JsonObject[], next: Condition, time: string): JsonObject[] {
  const before = conditions.find((condition) => condition.type === next.type);
  if (before && before.status === next.status && before.reason === next.reason) return conditions;
  const lastTransitionTime = before && before.status === next.status ? (before.lastTransitionTime ?? time) : time;
  const { type, status, reason, message } = next;
  const made: JsonObject = { type, status, lastUpdateTime: time, lastTransitionTime, reason, message };
  return [...conditions.filter((condition) => condition.type !== next.type), made];
}

export function sumOf(sets: KubeObject[], ...path: string[]): number {
  return sets.reduce((sum, set) => sum + (numberAt(set, ...path) ?? 0), 0);
}

export type RolloutLimits = { maxSurge: number; maxUnavailable: number };

function resolve(value: Json | undefined, replicas: number, round: (value: number) => number): number {
  if (typeof value === "number") return value;
  const percent = typeof value === "string" ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? 0 : round((Number(percent) * replicas) / 100);
}

export function limitsOf(deployment: KubeObject): RolloutLimits {
  const replicas = numberAt(deployment, "spec", "replicas") ?? 1;
  if (textAt(deployment, "spec", "strategy", "type") !== "RollingUpdate") return { maxSurge: 0, maxUnavailable: 0 };
  const rolling = isObject(deployment.spec) && isObject(deployment.spec.strategy) ? deployment.spec.strategy.rollingUpdate : undefined;
  const given = isObject(rolling) ? rolling : {};
  const maxSurge = resolve(given.maxSurge, replicas, Math.ceil);
  const maxUnavailable = resolve(given.maxUnavailable, replicas, Math.floor);
  if (maxSurge === 0 && maxUnavailable === 0) return { maxSurge, maxUnavailable: 1 };
  return { maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
}

export type Rollout = { deployment: KubeObject; newSet: KubeObject | undefined; sets: KubeObject[] };

/** Counts over the ReplicaSets; zeros are left out, as the API does. */
export function countReplicas({ deployment, newSet, sets }: Rollout): JsonObject {
  const available = sumOf(sets, "status", "availableReplicas");
  const counts: Record<string, number> = {
    replicas: sumOf(sets, "status", "replicas"),
    updatedReplicas: newSet ? (numberAt(newSet, "status", "replicas") ?? 0) : 0,
    readyReplicas: sumOf(sets, "status", "readyReplicas"),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sumOf(sets, "spec", "replicas") - available),
  };
  const status: JsonObject = { observedGeneration: numberAt(deployment, "metadata", "generation") ?? 1 };
  for (const [name, count] of Object.entries(counts)) if (count > 0) status[name] = count;
  status.terminatingReplicas = sumOf(sets, "status", "terminatingReplicas");
  return status;
}

export function availability(deployment: KubeObject, status: JsonObject): Condition {
  const wanted = numberAt(deployment, "spec", "replicas") ?? 1;
  const isEnough = (numberAt(status, "availableReplicas") ?? 0) >= wanted - limitsOf(deployment).maxUnavailable;
  return isEnough
    ? { type: "Available", status: "True", reason: "MinimumReplicasAvailable", message: "Deployment has minimum availability." }
    : {
        type: "Available",
        status: "False",
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
      };
}

function isComplete(deployment: KubeObject, status: JsonObject): boolean {
  const wanted = numberAt(deployment, "spec", "replicas") ?? 1;
  const counts = ["updatedReplicas", "replicas", "availableReplicas"].map((name) => numberAt(status, name) ?? 0);
  return counts.every((count) => count === wanted);
}

function hasProgressed(deployment: KubeObject, status: JsonObject): boolean {
  const before = (name: string): number => numberAt(deployment, "status", name) ?? 0;
  const now = (name: string): number => numberAt(status, name) ?? 0;
  const grew = ["updatedReplicas", "readyReplicas", "availableReplicas"].some((name) => now(name) > before(name));
  return grew || now("replicas") - now("updatedReplicas") < before("replicas") - before("updatedReplicas");
}

/** Milliseconds until the progress deadline; undefined when none is running. */
export function deadlineIn(deployment: KubeObject, conditions: JsonObject[], now: number): number | undefined {
  const progressing = conditions.find((condition) => condition.type === "Progressing");
  const seconds = numberAt(deployment, "spec", "progressDeadlineSeconds");
  const updated = textAt(progressing, "lastUpdateTime");
  if (!progressing || seconds === undefined || updated === undefined) return undefined;
  if (progressing.reason === "NewReplicaSetAvailable" || progressing.reason === "ProgressDeadlineExceeded") return undefined;
  return Date.parse(updated) + seconds * 1000 - now;
}

/** The Progressing condition after this look: complete, progressing, timed out, or as it was. */
export function progress(
  rollout: Rollout,
  status: JsonObject,
  { conditions, now, time }: { conditions: JsonObject[]; now: number; time: string },
): JsonObject[] {
  const { deployment, newSet } = rollout;
  const current = conditions.find((condition) => condition.type === "Progressing");
  const isSettled = status.replicas === status.updatedReplicas && current?.reason === "NewReplicaSetAvailable";
  if (isSettled) return conditions;
  const subject = newSet ? `ReplicaSet "${nameOf(newSet)}"` : `Deployment "${nameOf(deployment)}"`;
  const make = (value: "True" | "False", reason: string, words: string): Condition => ({
    type: "Progressing",
    status: value,
    reason,
    message: `${subject} ${words}`,
  });
  if (isComplete(deployment, status))
    return setCondition(conditions, make("True", "NewReplicaSetAvailable", "has successfully progressed."), time);
  if (hasProgressed(deployment, status)) {
    const next = make("True", "ReplicaSetUpdated", "is progressing.");
    const lastTransitionTime = current?.status === "True" ? (current.lastTransitionTime ?? time) : time;
    const { type, status: value, reason, message } = next;
    const rest = conditions.filter((condition) => condition.type !== "Progressing");
    return [...rest, { type, status: value, lastUpdateTime: time, lastTransitionTime, reason, message }];
  }
  const left = deadlineIn(deployment, conditions, now);
  return left !== undefined && left <= 0
    ? setCondition(conditions, make("False", "ProgressDeadlineExceeded", "has timed out progressing."), time)
    : conditions;
}
