import type { DeploymentStatus } from "@/lib/domain/deployment";
import type { State } from "./status";

const looks: Record<DeploymentStatus, State> = {
  working: "working",
  ready: "ready",
  failed: "failed",
  stopped: "asleep",
  timed_out: "failed",
  deleting: "waiting",
  unknown: "unknown",
};

/** How a deployment's state looks: icon and colour are the same on every screen. */
export function deploymentStatusLook(state: DeploymentStatus): State {
  return looks[state];
}
