import type { Finding, FindingInput } from "./finding";
import { condition, type LivePod } from "./rollout-objects";

/** What the deployment's own conditions tell: pods that may not be created, and time that ran out. */
export function deploymentFindings({ deployment, events }: FindingInput, pods: readonly LivePod[]): Finding[] {
  const conditions = deployment?.status?.conditions;
  const refused = condition(conditions, "ReplicaFailure");
  if (refused?.status === "True") return [creationFinding(refused.message ?? refused.reason ?? "")];
  const progressing = condition(conditions, "Progressing");
  const isLate = progressing?.reason === "ProgressDeadlineExceeded";
  const unready = pods.find((pod) => pod.status?.containerStatuses?.some((status) => status.state?.running && !status.ready));
  if (!isLate || !unready) return [];
  const probes = events
    .filter((event) => event.reason === "Unhealthy" && event.involvedObject.name === unready.metadata.name)
    .map((event) => event.message ?? "");
  return [
    {
      id: "never-ready",
      cause: "The model server runs but did not become ready in time.",
      evidence: [...probes, progressing.message ?? ""],
      remedy: "Read the pod's log: a download that stalls and a GPU that another process holds look like this.",
      severity: "blocker",
    },
  ];
}

function creationFinding(raw: string): Finding {
  if (/exceeded quota/.test(raw)) {
    const [, name, asked, limited] = /exceeded quota: ([^,]+), requested: ([^ ]+?),? .*limited: (.+)$/.exec(raw) ?? [];
    const cause =
      name === undefined
        ? "A quota of the namespace forbids the pod."
        : `The quota "${name}" of the namespace forbids the pod: it asks for ${asked ?? ""}, and ${limited ?? ""} is the limit.`;
    return {
      id: "quota",
      cause,
      evidence: [raw],
      remedy: "Ask the cluster's administrator for a larger quota, or stop another deployment of the namespace.",
      severity: "blocker",
    };
  }
  if (/violates PodSecurity/.test(raw)) {
    return {
      id: "pod-security",
      cause: "The namespace's Pod Security level refuses the pod.",
      evidence: [raw],
      remedy: "Use Lectern's own security settings: they pass the level “restricted”.",
      severity: "blocker",
    };
  }
  if (/failed calling webhook|admission webhook/.test(raw)) {
    return {
      id: "admission",
      cause: "An admission webhook of the cluster refuses the pod or does not answer.",
      evidence: [raw],
      remedy: "Read the webhook's text below; its owner can say which rule it is.",
      severity: "blocker",
    };
  }
  return {
    id: "pod-refused",
    cause: "The cluster refuses to create the pod.",
    evidence: [raw],
    remedy: "Read the cluster's text below.",
    severity: "blocker",
  };
}
