import type { KubeObject } from "./manifest/kube-object";
import { addonLines, growth, ingressLine, policyLine, storageLines } from "./preflight-cluster";
import type { PreflightFacts, PreflightLine } from "./preflight-facts";
import { gpuLines, taintLine } from "./preflight-gpu";
import { namespaceLines } from "./preflight-namespace";
import { driverLine, roomLine, runtimeLine } from "./preflight-node";
import { workloadLines, workloadOf } from "./preflight-workload";
import type { LivePod } from "./rollout-objects";

/** The tolerations that Lectern's manifests have by themselves on one cloud or another. */
const defaults: LivePod = { metadata: { name: "defaults" }, spec: { tolerations: [{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }, { key: "sku", operator: "Equal", value: "gpu", effect: "NoSchedule" }] } };

const rank = { blocker: 0, warning: 1, fine: 2 };

/**
 * One answer before a deploy: what the cluster has, and, with the manifests of a deployment, whether it can run there. Worst first, each with
 * its evidence and remedy. Pure; what could not be read is said and never taken for absent.
 */
export function preflight(facts: PreflightFacts, objects?: readonly KubeObject[]): PreflightLine[] {
  const workload = objects ? workloadOf(objects, facts.namespace) : null;
  const { canGrow, line } = growth(facts);
  const lines = [
    ...gpuLines(facts, canGrow),
    ...(workload ? workloadLines(facts, workload, canGrow) : [taintLine(facts, defaults)]),
    roomLine(facts),
    driverLine(facts.nodes),
    runtimeLine(facts, workload?.runtimeClassName),
    ...storageLines(facts),
    ...namespaceLines(facts, workload),
    policyLine(facts),
    ingressLine(facts),
    line,
    ...addonLines(facts),
  ];
  return lines.sort((left, right) => rank[left.level] - rank[right.level]);
}
