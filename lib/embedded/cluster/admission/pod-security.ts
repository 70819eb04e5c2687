import "server-only";
import { forbidden } from "../api/status";
import type { Resource } from "../data/resources";
import { at, listAt, objectAt, textAt, type Json, type JsonObject } from "../json";
import { labelsOf, nameOf, namespaceOf } from "../object";
import type { Store } from "../store/store";

type Rule = (pod: JsonObject, containers: Json[]) => string | undefined;

function quoted(containers: Json[]): string {
  const names = containers.map((container) => JSON.stringify(textAt(container, "name") ?? "")).join(", ");
  return `${containers.length === 1 ? "container" : "containers"} ${names}`;
}

function must(title: string, bad: Json[], demand: string): string | undefined {
  return bad.length === 0 ? undefined : `${title} (${demand})`;
}

const allowsEscalation: Rule = (_pod, containers) => {
  const bad = containers.filter((container) => at(container, "securityContext", "allowPrivilegeEscalation") !== false);
  return must("allowPrivilegeEscalation != false", bad, `${quoted(bad)} must set securityContext.allowPrivilegeEscalation=false`);
};

const keepsCapabilities: Rule = (_pod, containers) => {
  const bad = containers.filter((container) => !listAt(container, "securityContext", "capabilities", "drop").includes("ALL"));
  return must("unrestricted capabilities", bad, `${quoted(bad)} must set securityContext.capabilities.drop=["ALL"]`);
};

const mayBeRoot: Rule = (pod, containers) => {
  const ofPod = at(pod, "spec", "securityContext", "runAsNonRoot");
  const bad = containers.filter((container) => (at(container, "securityContext", "runAsNonRoot") ?? ofPod) !== true);
  return must("runAsNonRoot != true", bad, `pod or ${quoted(bad)} must set securityContext.runAsNonRoot=true`);
};

const hasNoSeccomp: Rule = (pod, containers) => {
  const ofPod = textAt(pod, "spec", "securityContext", "seccompProfile", "type");
  const allowed = ["RuntimeDefault", "Localhost"];
  const bad = containers.filter(
    (container) => !allowed.includes(textAt(container, "securityContext", "seccompProfile", "type") ?? ofPod ?? ""),
  );
  return must(
    "seccompProfile",
    bad,
    `pod or ${quoted(bad)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  );
};

const isPrivileged: Rule = (_pod, containers) => {
  const bad = containers.filter((container) => at(container, "securityContext", "privileged") === true);
  return must("privileged", bad, `${quoted(bad)} must not set securityContext.privileged=true`);
};

const sharesHost: Rule = (pod) => {
  const used = ["hostNetwork", "hostPID", "hostIPC"].filter((name) => at(pod, "spec", name) === true);
  return used.length === 0 ? undefined : `host namespaces (${used.map((name) => `${name}=true`).join(", ")})`;
};

const usesHostPath: Rule = (pod) => {
  const bad = listAt(pod, "spec", "volumes").filter((volume) => at(volume, "hostPath") !== undefined);
  const names = bad.map((volume) => JSON.stringify(textAt(volume, "name") ?? "")).join(", ");
  return bad.length === 0 ? undefined : `hostPath volumes (${bad.length === 1 ? "volume" : "volumes"} ${names})`;
};

const baseline: Rule[] = [sharesHost, usesHostPath, isPrivileged];
const levels: Record<string, Rule[]> = {
  baseline,
  restricted: [...baseline, allowsEscalation, keepsCapabilities, mayBeRoot, hasNoSeccomp],
};

/** Pod Security admission: the level of the namespace's `enforce` label, or the fault that pretends it is `restricted`. */
export function checkPodSecurity(
  store: Store,
  { resource, pod, isForced }: { resource: Resource; pod: JsonObject; isForced: boolean },
): void {
  const namespace = store.get("/namespaces", "", namespaceOf(pod));
  const labels = namespace ? labelsOf(namespace) : {};
  const level = isForced ? "restricted" : (textAt(labels, "pod-security.kubernetes.io/enforce") ?? "privileged");
  const version = textAt(labels, "pod-security.kubernetes.io/enforce-version") ?? "latest";
  const containers = [...listAt(objectAt(pod, "spec"), "initContainers"), ...listAt(objectAt(pod, "spec"), "containers")];
  const faults = (levels[level] ?? []).map((rule) => rule(pod, containers)).filter((fault) => fault !== undefined);
  if (isForced && faults.length === 0) faults.push("restricted volume types (sandbox fault)");
  if (faults.length > 0) throw forbidden(resource, nameOf(pod), `violates PodSecurity "${level}:${version}": ${faults.join(", ")}`);
}
