import "server-only";
import { preconditionFailed } from "../api/status";
import { timestamp } from "../clock";
import type { Resource } from "../data/resources";
import { clone, listAt, numberAt, put, textAt, type JsonObject } from "../json";
import { isDeleting, nameOf, namespaceOf, uidOf, type KubeObject } from "../object";
import type { Registry } from "./registry";

export type DeleteOptions = {
  propagation?: "Orphan" | "Background" | "Foreground";
  graceSeconds?: number;
  uid?: string;
  resourceVersion?: string;
  dryRun?: boolean;
};

/** What a delete did: the object is gone, or it stays, marked, until what holds it lets go. */
export type Deletion = { object: KubeObject; isGone: boolean };

const finalizerOf = { Orphan: "orphan", Foreground: "foregroundDeletion" } as const;

/** Deletes by the API's rules: preconditions, propagation by finalizer, grace for pods, namespaces emptied first. */
export function deleteObject(registry: Registry, resource: Resource, options: DeleteOptions & { object: KubeObject }): Deletion {
  const { object } = options;
  checkPreconditions(resource, object, options);
  const grace = graceOf(object, options);
  const finalizers = finalizersAfter(object, options);
  const staysForGrace = object.kind === "Pod" && grace > 0;
  const staysForContent = object.kind === "Namespace";
  if (finalizers.length === 0 && !staysForGrace && !staysForContent) {
    return { object: options.dryRun === true ? object : registry.store.remove(resource.id, object), isGone: true };
  }
  const marked = mark(registry, object, { grace, finalizers });
  if (options.dryRun !== true && marked !== object) registry.store.put(resource.id, marked);
  return { object: marked, isGone: false };
}

function checkPreconditions(resource: Resource, object: KubeObject, { uid, resourceVersion }: DeleteOptions): void {
  if (uid !== undefined && uid !== uidOf(object)) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${uidOf(object)}). The object might have been deleted and then recreated`;
    throw preconditionFailed(resource, nameOf(object), why);
  }
  if (resourceVersion === undefined || resourceVersion === object.metadata.resourceVersion) return;
  const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${object.metadata.resourceVersion}). The object might have been modified`;
  throw preconditionFailed(resource, nameOf(object), why);
}

function graceOf(object: KubeObject, { graceSeconds }: DeleteOptions): number {
  if (object.kind !== "Pod") return 0;
  const phase = textAt(object, "status", "phase");
  if (textAt(object, "spec", "nodeName") === undefined || phase === "Succeeded" || phase === "Failed") return 0;
  return graceSeconds ?? numberAt(object, "spec", "terminationGracePeriodSeconds") ?? 30;
}

function finalizersAfter(object: KubeObject, { propagation }: DeleteOptions): string[] {
  const own = listAt(object, "metadata", "finalizers").filter((name) => typeof name === "string");
  if (propagation !== "Orphan" && propagation !== "Foreground") return own;
  const added = finalizerOf[propagation];
  return own.includes(added) ? own : [...own, added];
}

function mark(registry: Registry, object: KubeObject, { grace, finalizers }: { grace: number; finalizers: string[] }): KubeObject {
  if (isDeleting(object) && grace >= (numberAt(object, "metadata", "deletionGracePeriodSeconds") ?? 0)) return object;
  const next = clone(object);
  const { metadata } = next;
  metadata.deletionTimestamp = timestamp(registry.context.clock.now() + grace * 1000);
  if (object.kind === "Namespace") put(next, ["status", "phase"], "Terminating");
  else metadata.deletionGracePeriodSeconds = grace;
  if (typeof metadata.generation === "number") metadata.generation += 1;
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  return next;
}

/** The finished answer of a delete. */
export function deletionStatus(resource: Resource, object: KubeObject): JsonObject {
  const details: JsonObject = { name: nameOf(object) };
  if (resource.group !== "") details.group = resource.group;
  details.kind = resource.plural;
  details.uid = uidOf(object);
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}

/** Ends a pod whose containers have stopped. */
export function removePod(registry: Registry, pod: KubeObject): void {
  const live = registry.store.get("/pods", namespaceOf(pod), nameOf(pod));
  if (live && uidOf(live) === uidOf(pod)) registry.store.remove("/pods", live);
}
