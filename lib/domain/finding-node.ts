import type { LiveNode, LiveNodeExpression, LivePod } from "./rollout-objects";

/** Whether a node carries the labels that the pod's selector and required node affinity ask for. */
export function matchesSelector(node: LiveNode, pod: LivePod): boolean {
  const labels = node.metadata.labels ?? {};
  const terms = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return (
    Object.entries(pod.spec?.nodeSelector ?? {}).every(([key, value]) => labels[key] === value) &&
    (terms === undefined || terms.some((term) => (term.matchExpressions ?? []).every((each) => matchesExpression(labels[each.key], each))))
  );
}

function matchesExpression(value: string | undefined, { operator, values = [] }: LiveNodeExpression): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return Number(value) > Number(values[0]);
    case "Lt":
      return Number(value) < Number(values[0]);
    default:
      return false;
  }
}

/** Whether the pod may run in spite of a taint; PreferNoSchedule keeps nobody away. */
export function isTolerated(taint: { key: string; value?: string; effect: string }, pod: LivePod): boolean {
  if (taint.effect === "PreferNoSchedule") return true;
  return (pod.spec?.tolerations ?? []).some((toleration) => {
    if (toleration.effect && toleration.effect !== taint.effect) return false;
    if (toleration.operator === "Exists") return !toleration.key || toleration.key === taint.key;
    return toleration.key === taint.key && (toleration.value ?? "") === (taint.value ?? "");
  });
}

/** One line per node with what it can give of the named resources. */
export function nodeFacts(nodes: readonly LiveNode[], ...resources: string[]): string[] {
  return nodes.map(
    (node) =>
      `Node ${node.metadata.name} can give ${resources.map((resource) => `${resource} ${node.status?.allocatable?.[resource] ?? "0"}`).join(", ")}.`,
  );
}
