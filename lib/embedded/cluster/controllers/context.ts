import "server-only";
import type { LogBook } from "../agent/log-book";
import type { SandboxClock } from "../clock";
import type { FaultSwitch } from "../faults";
import type { Registry } from "../registry/registry";
import type { Store } from "../store/store";
import type { EventRecorder } from "./event-recorder";

/** What controllers, scheduler and node agent work with. */
export type ControlContext = {
  store: Store;
  registry: Registry;
  clock: SandboxClock;
  events: EventRecorder;
  faults: FaultSwitch;
  logs: LogBook;
  /** The CA that pods of a namespace find in kube-root-ca.crt. */
  caCertificate: string;
};

export const CONTROLLER_MANAGER = "kube-controller-manager";
