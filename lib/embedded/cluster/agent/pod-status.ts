import "server-only";
import { isObject, listAt, objectAt, put, textAt, type Json, type JsonObject } from "../json";
import type { KubeObject } from "../object";

export function conditionOf(object: JsonObject | undefined, type: string): Json | undefined {
  return listAt(object, "status", "conditions").find((condition) => textAt(condition, "type") === type);
}

export function isPodReady(pod: JsonObject): boolean {
  return textAt(conditionOf(pod, "Ready"), "status") === "True";
}

export type ContainerState = { state: JsonObject; lastState?: JsonObject; ready: boolean; started: boolean; restartCount: number };

/** Writes a container's state, and what follows from it for the pod's phase and conditions. */
export function writePodStatus(pod: KubeObject, states: Map<string, ContainerState>, time: string): void {
  const status = objectAt(pod, "status");
  const containers = listAt(pod, "spec", "containers").filter(isObject);
  status.containerStatuses = containers.map((container) => containerStatus(container, states.get(textAt(container, "name") ?? "")));
  const unready = containers.map((container) => textAt(container, "name") ?? "").filter((name) => states.get(name)?.ready !== true);
  const readiness: Omit<Condition, "type"> =
    unready.length === 0
      ? { status: "True" }
      : { status: "False", reason: "ContainersNotReady", message: `containers with unready status: [${unready.join(" ")}]` };
  setPodCondition(status, { type: "PodScheduled", status: "True" }, time);
  setPodCondition(status, { type: "Initialized", status: "True" }, time);
  setPodCondition(status, { type: "ContainersReady", ...readiness }, time);
  setPodCondition(status, { type: "Ready", ...readiness }, time);
  const hasRun = [...states.values()].some(({ state, restartCount }) => restartCount > 0 || state.waiting === undefined);
  status.phase = hasRun ? "Running" : "Pending";
  pod.status = status;
}

function containerStatus(container: JsonObject, known: ContainerState | undefined): JsonObject {
  const {
    state,
    lastState = {},
    ready,
    started,
    restartCount,
  } = known ?? { state: { waiting: { reason: "ContainerCreating" } }, ready: false, started: false, restartCount: 0 };
  return { name: container.name, state, lastState, ready, restartCount, image: container.image, imageID: "", started };
}

export type Condition = { type: string; status: "True" | "False"; reason?: string; message?: string; observedGeneration?: number };

/** Sets a pod condition; its transition time moves only when its status does. */
export function setPodCondition(status: JsonObject, condition: Condition, time: string): void {
  const conditions = listAt(status, "conditions").filter(isObject);
  const index = conditions.findIndex((item) => item.type === condition.type);
  const before = conditions[index];
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? time) : time;
  const { type, status: value, ...rest } = condition;
  const next: JsonObject = { type, status: value, lastProbeTime: null, lastTransitionTime, ...rest };
  if (index < 0) conditions.push(next);
  else conditions[index] = next;
  put(status, ["conditions"], conditions);
}
