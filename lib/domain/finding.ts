import { deploymentFindings } from "./finding-deployment";
import { podFindings } from "./finding-pod";
import { schedulingFinding } from "./finding-scheduling";
import {
  currentReplicaSet,
  podsOf,
  type LiveClaim,
  type LiveDeployment,
  type LiveEvent,
  type LiveNode,
  type LivePod,
  type LiveReplicaSet,
} from "./rollout-objects";

/** A diagnosed cause. `evidence` holds the cluster's own lines, word for word, with the facts that were computed from nodes first. */
export type Finding = { id: string; cause: string; evidence: string[]; remedy: string; severity: "blocker" | "warning"; about?: FindingAbout };

/** What a change of the spec would need to know: taints that are not tolerated, sizes that the cluster has. */
export type FindingAbout = { taints?: { key: string; value?: string; effect: string }[]; skuIds?: string[] };

/** What the mappers read. `nodes` is null when the credential may not list them: then only messages speak, and findings say so. */
export type FindingInput = {
  deployment: LiveDeployment | null;
  replicaSets: readonly LiveReplicaSet[];
  pods: readonly LivePod[];
  events: readonly LiveEvent[];
  claims: readonly LiveClaim[];
  nodes: readonly LiveNode[] | null;
  /** Tails of logs by pod name, of the previous container where one crashed. */
  logs?: Readonly<Record<string, string>>;
};

/**
 * Why a deployment is not ready: the likeliest cause first, each once. Empty for one that is ready, stopped, or merely slow.
 * Text that no mapper knows is shown as it is, never as "error".
 */
export function findingsOf(input: FindingInput): Finding[] {
  const { deployment } = input;
  // A cluster always has nodes: none in the hand means that they were not read.
  const seen = input.nodes?.length === 0 ? { ...input, nodes: null } : input;
  if (!deployment || deployment.metadata.deletionTimestamp) return [];
  const pods = podsOf(currentReplicaSet(deployment, input.replicaSets), input.pods);
  const found = [
    ...pods.flatMap((pod) => schedulingFinding(pod, seen) ?? []),
    ...pods.flatMap((pod) => podFindings(pod, input)),
    ...deploymentFindings(input, pods),
  ];
  return found.filter((finding, index) => found.findIndex((other) => other.id === finding.id) === index);
}
