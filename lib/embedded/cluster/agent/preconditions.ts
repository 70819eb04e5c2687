import "server-only";
import { at, listAt, objectAt, textAt, type Json } from "../json";
import { isDeleting, nameOf, namespaceOf, uidOf, type KubeObject } from "../object";
import type { FaultName } from "../faults";
import type { Store } from "../store/store";
import { crashOf, portCrash, type Crash } from "./startup-log";
import { claimsOf } from "../controllers/volumes";

/** A Secret or ConfigMap key that the environment needs and that is not there, in the kubelet's words. */
export function configError(store: Store, pod: KubeObject): string | undefined {
  for (const container of listAt(pod, "spec", "containers")) {
    for (const variable of listAt(container, "env")) {
      const problem = missingKey(store, pod, variable);
      if (problem !== undefined) return problem;
    }
    if (mustNotBeRoot(pod, container)) {
      const name = textAt(container, "name") ?? "";
      return `container has runAsNonRoot and image will run as root (pod: "${nameOf(pod)}_${namespaceOf(pod)}(${uidOf(pod)})", container: ${name})`;
    }
  }
  return undefined;
}

function missingKey(store: Store, pod: KubeObject, variable: Json): string | undefined {
  const source = objectAt(variable, "valueFrom");
  for (const [field, id, word] of [
    ["secretKeyRef", "/secrets", "secret"],
    ["configMapKeyRef", "/configmaps", "configmap"],
  ] as const) {
    const name = textAt(source, field, "name");
    const key = textAt(source, field, "key") ?? "";
    if (name === undefined || at(source, field, "optional") === true) continue;
    const found = store.get(id, namespaceOf(pod), name);
    if (!found) return `${word} "${name}" not found`;
    const what = word === "secret" ? "Secret" : "ConfigMap";
    if (objectAt(found, "data")[key] === undefined) return `couldn't find key ${key} in ${what} ${namespaceOf(pod)}/${name}`;
  }
  return undefined;
}

/** The vLLM image starts as root, so that `runAsNonRoot` without a numeric user is refused. */
function mustNotBeRoot(pod: KubeObject, container: Json): boolean {
  const setting = (field: string): Json | undefined => at(container, "securityContext", field) ?? at(pod, "spec", "securityContext", field);
  return setting("runAsNonRoot") === true && setting("runAsUser") === undefined;
}

/** The volume that a pod on another node still holds, when it can be on one node only. */
export function heldVolume(store: Store, pod: KubeObject): { volume: string; holder: string } | undefined {
  for (const name of claimsOf(pod)) {
    const claim = store.get("/persistentvolumeclaims", namespaceOf(pod), name);
    if (!claim || listAt(claim, "spec", "accessModes").includes("ReadWriteMany")) continue;
    const holder = store
      .list("/pods", namespaceOf(pod))
      .find((other) => other !== pod && uidOf(other) !== uidOf(pod) && isElsewhere(other, pod) && claimsOf(other).includes(name));
    if (holder) return { volume: textAt(claim, "spec", "volumeName") ?? name, holder: nameOf(holder) };
  }
  return undefined;
}

function isElsewhere(other: KubeObject, pod: KubeObject): boolean {
  const node = textAt(other, "spec", "nodeName");
  const isEnded = ["Succeeded", "Failed"].includes(textAt(other, "status", "phase") ?? "");
  const holdsIt = isDeleting(other) || textAt(other, "status", "podIP") !== undefined;
  return node !== undefined && node !== textAt(pod, "spec", "nodeName") && !isEnded && holdsIt;
}

/** What ends the container while it starts: the Service name trap, or an injected fault. */
export function startCrash(store: Store, pod: KubeObject, fault: FaultName | undefined): Crash | undefined {
  const linksServices = objectAt(pod, "spec").enableServiceLinks !== false;
  return linksServices && store.get("/services", namespaceOf(pod), "vllm") ? portCrash : crashOf(fault);
}
