import { blocker, fine, unread, warning, type PreflightFacts, type PreflightLine } from "./preflight-facts";
import { askedBy } from "./preflight-gpu";
import { ownPods, type Workload } from "./preflight-workload";
import { parseQuantity } from "./quantity";
import type { LivePod } from "./rollout-objects";

/** Quotas, limits and the Pod Security level of the namespace, against the workload when there is one. */
export function namespaceLines(facts: PreflightFacts, workload: Workload | null): PreflightLine[] {
  return [quotaLine(facts, workload), limitLine(facts, workload), securityLine(facts, workload)];
}

/** What the workload adds to an entry of a quota. */
function adds(name: string, workload: Workload): number {
  if (name === "pods" || name === "count/pods") return workload.replicas;
  if (name === "count/deployments.apps" || name === "services" || name === "count/services") return 1;
  if (name === "persistentvolumeclaims" || name === "count/persistentvolumeclaims") return workload.claim ? 1 : 0;
  if (name === "requests.storage") return workload.claim ? parseQuantity(workload.claim.storage) : 0;
  return workload.replicas * ofPod(name, workload.pod);
}

/** `requests.cpu` and `cpu` are requests, `limits.memory` is a limit. */
function ofPod(name: string, pod: LivePod): number {
  const [side = "", ...rest] = name.split(".");
  if (side === "limits") return (pod.spec?.containers ?? []).reduce((sum, { resources }) => sum + parseQuantity(resources?.limits?.[rest.join(".")] ?? "0"), 0);
  const resource = side === "requests" ? rest.join(".") : name;
  return ["cpu", "memory", "ephemeral-storage"].includes(resource) || resource.includes("/") ? askedBy(pod, resource) : 0;
}

function quotaLine(facts: PreflightFacts, workload: Workload | null): PreflightLine {
  if (facts.quotas === null) return unread("quota", "quotas of the namespace");
  if (facts.quotas.length === 0) return fine("quota", "The namespace has no quota.");
  const own = workload ? ownPods(facts, workload) : [];
  const rows = facts.quotas.flatMap((quota) =>
    Object.entries(quota.status?.hard ?? quota.spec?.hard ?? {}).map(([name, hard]) => {
      const held = own.length === 0 ? 0 : /pods$/.test(name) ? own.length : own.reduce((sum, pod) => sum + ofPod(name, pod), 0);
      const used = Math.max(0, parseQuantity(quota.status?.used?.[name] ?? "0") - held);
      const isKept = own.length > 0 && /storage|persistentvolumeclaims|services|deployments/.test(name);
      const added = workload && !isKept ? adds(name, workload) : 0;
      return { text: `${quota.metadata.name}: ${name} ${quota.status?.used?.[name] ?? "0"} of ${hard} used`, isOver: used + added > parseQuantity(hard), isFull: used >= parseQuantity(hard) };
    }),
  );
  const over = rows.filter((row) => (workload ? row.isOver : row.isFull));
  if (over.length === 0) return fine("quota", workload ? "The quota has room for the deployment." : "The quota has room.", rows.map((row) => row.text));
  const rest = { evidence: over.map((row) => row.text), remedy: "Ask for a larger quota, or stop another deployment of this namespace." };
  return workload ? blocker("quota", "The deployment would exceed the namespace's quota, and its pods would be refused.", rest) : warning("quota", "The namespace's quota is used up.", rest);
}

function limitLine({ limits }: PreflightFacts, workload: Workload | null): PreflightLine {
  if (limits === null) return unread("limits", "limit ranges of the namespace");
  const all = limits.flatMap((each) => (each.spec?.limits ?? []).map((limit) => ({ name: each.metadata.name, ...limit })));
  if (all.length === 0) return fine("limits", "The namespace has no limit range.");
  const evidence = all.map((limit) => `${limit.name}: ${limit.type}, at most ${JSON.stringify(limit.max ?? {})}`);
  const broken = workload ? all.flatMap((limit) => Object.entries(limit.max ?? {}).flatMap(([name, most]) => (asked(limit.type, name, workload) > parseQuantity(most) ? [`${limit.name} allows a ${limit.type} at most ${name} ${most}.`] : []))) : [];
  if (broken.length > 0) return blocker("limits", "The deployment asks for more than the namespace's limit range allows, and would be refused.", { evidence: broken, remedy: "Ask for less, or have the limit range raised." });
  return fine("limits", workload ? "The deployment keeps to the namespace's limit range." : "The namespace has a limit range.", evidence);
}

function asked(type: string, name: string, { pod, claim }: Workload): number {
  if (type === "PersistentVolumeClaim") return name === "storage" ? parseQuantity(claim?.storage ?? "0") : 0;
  const each = (pod.spec?.containers ?? []).map(({ resources }) => parseQuantity(resources?.limits?.[name] ?? resources?.requests?.[name] ?? "0"));
  return type === "Pod" ? each.reduce((sum, value) => sum + value, 0) : Math.max(0, ...each);
}

type Secured = { securityContext?: { runAsNonRoot?: boolean; seccompProfile?: { type?: string } }; hostNetwork?: boolean; containers?: { name: string; securityContext?: { allowPrivilegeEscalation?: boolean; privileged?: boolean; capabilities?: { drop?: string[] } } }[] };

/** What keeps the pod from the level "restricted" (Kubernetes, Pod Security Standards). */
function violations(pod: LivePod): string[] {
  const spec = (pod.spec ?? {}) as Secured; // the security fields of a PodSpec, all optional here
  const { runAsNonRoot, seccompProfile } = spec.securityContext ?? {};
  return [
    ...(runAsNonRoot === true ? [] : ["runAsNonRoot is not true"]),
    ...(seccompProfile?.type === "RuntimeDefault" || seccompProfile?.type === "Localhost" ? [] : ["no seccomp profile"]),
    ...(spec.hostNetwork ? ["hostNetwork"] : []),
    ...(spec.containers ?? []).flatMap(({ name, securityContext: own = {} }) => [
      ...(own.allowPrivilegeEscalation === false ? [] : [`${name} may escalate its privileges`]),
      ...(own.privileged ? [`${name} is privileged`] : []),
      ...(own.capabilities?.drop?.includes("ALL") ? [] : [`${name} does not drop all capabilities`]),
    ]),
  ];
}

function securityLine({ namespaceLabels, namespace }: PreflightFacts, workload: Workload | null): PreflightLine {
  if (namespaceLabels === null) return unread("pod-security", "the namespace's labels");
  if (namespaceLabels === "absent") return fine("pod-security", `The namespace ${namespace} does not exist yet; Lectern makes it with the Pod Security level restricted, if it may.`);
  const level = namespaceLabels["pod-security.kubernetes.io/enforce"] ?? "privileged";
  const against = workload ? violations(workload.pod) : [];
  if (level === "restricted" && against.length > 0) return blocker("pod-security", "The namespace enforces the Pod Security level restricted, and the pod would be refused.", { evidence: against, remedy: "Take Lectern's own security context, which keeps to it." });
  if (level === "restricted") return fine("pod-security", "The namespace enforces the Pod Security level restricted; Lectern's pods keep to it.");
  return warning("pod-security", `The namespace enforces the Pod Security level ${level}: pods with more rights than Lectern's may run beside them.`, { remedy: "Label the namespace pod-security.kubernetes.io/enforce=restricted." });
}
