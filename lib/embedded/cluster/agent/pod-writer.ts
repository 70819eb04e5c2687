import "server-only";
import type { ControlContext } from "../controllers/context";
import { isObject, listAt, objectAt, put, textAt, type JsonObject } from "../json";
import type { KubeObject } from "../object";
import { writePodStatus, type ContainerState } from "./pod-status";

const options = { manager: "kubelet", subresource: "status" } as const;

/** The pod has reached its node: address and start time. */
export function writeAddress({ registry }: ControlContext, pod: KubeObject, address: string): KubeObject {
  return registry.modify(
    pod,
    (draft) => {
      const status = { hostIP: "127.0.0.1", podIP: address, podIPs: [{ ip: address }], startTime: registry.now() };
      draft.status = { ...objectAt(draft, "status"), ...status };
    },
    options,
  );
}

/** All containers of a pod share one state here; a phase is given only when the pod has ended. */
export function writeState({ registry }: ControlContext, pod: KubeObject, { phase, ...state }: ContainerState & { phase?: string }): void {
  registry.modify(
    pod,
    (draft) => {
      const names = listAt(draft, "spec", "containers").map((container) => textAt(container, "name") ?? "");
      writePodStatus(draft, new Map(names.map((name) => [name, state])), registry.now());
      writeInit(draft, state.state, registry.now());
      if (phase !== undefined) put(draft, ["status", "phase"], phase);
    },
    options,
  );
}

/** Init containers are done as soon as a main container has left `PodInitializing`. */
function writeInit(draft: KubeObject, state: JsonObject, now: string): void {
  const containers = listAt(draft, "spec", "initContainers").filter(isObject);
  if (containers.length === 0) return;
  const isDone = objectAt(state, "waiting").reason !== "PodInitializing";
  const done = { terminated: { exitCode: 0, reason: "Completed", startedAt: now, finishedAt: now } };
  const running = { running: { startedAt: now } };
  const statuses = containers.map(({ name, image }) => ({
    name,
    image,
    imageID: "",
    state: isDone ? done : running,
    lastState: {},
    ready: isDone,
    restartCount: 0,
    started: !isDone,
  }));
  put(draft, ["status", "initContainerStatuses"], statuses);
}
