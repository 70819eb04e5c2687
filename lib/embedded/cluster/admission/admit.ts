import "server-only";
import { forbidden, notFound } from "../api/status";
import type { SandboxClock } from "../clock";
import { needResource, type Resource } from "../data/resources";
import { FAULT_ANNOTATION, isFaultName, type FaultName, type FaultSwitch } from "../faults";
import { textAt, type JsonObject } from "../json";
import { annotationsOf, isDeleting, nameOf, namespaceOf } from "../object";
import type { Store } from "../store/store";
import { admitClaim } from "./claims";
import { applyLimitRanges } from "./limit-ranges";
import { completePod } from "./pods";
import { checkPodSecurity } from "./pod-security";
import { checkQuota } from "./quota";

export type AdmissionContext = {
  store: Store;
  clock: SandboxClock;
  faults: FaultSwitch;
  pluralOf(apiVersion: string, kind: string): string;
};

/** The fault asked for by a pod's annotation, its namespace's annotation, or the switch, in this order. */
export function faultOf(context: Pick<AdmissionContext, "store" | "faults">, pod: JsonObject): FaultName | undefined {
  const own = annotationsOf(pod)[FAULT_ANNOTATION];
  if (isFaultName(own)) return own;
  const namespace = context.store.get("/namespaces", "", namespaceOf(pod));
  const shared = namespace ? annotationsOf(namespace)[FAULT_ANNOTATION] : undefined;
  return isFaultName(shared) ? shared : context.faults.get(namespaceOf(pod));
}

/** The built-in admission plug-ins on create: namespace lifecycle, pod completion, Pod Security, limits and quota, claim defaults. */
export function admitCreate(context: AdmissionContext, resource: Resource, object: JsonObject): void {
  if (resource.namespaced) checkNamespace(context.store, resource, object);
  if (resource.id === "/persistentvolumeclaims") admitClaim(context.store, object);
  if (resource.id !== "/pods") return checkQuota(context.store, { resource, object, isForced: false });
  const fault = faultOf(context, object);
  completePod(context.store, resource, object);
  applyLimitRanges(context.store, object);
  checkPodSecurity(context.store, { resource, pod: object, isForced: fault === "pod-security" });
  checkQuota(context.store, { resource, object, isForced: fault === "quota-exceeded" });
}

function checkNamespace(store: Store, resource: Resource, object: JsonObject): void {
  const name = namespaceOf(object);
  const namespace = store.get("/namespaces", "", name);
  if (!namespace) throw notFound(needResource("/namespaces"), name);
  if (!isDeleting(namespace) && textAt(namespace, "status", "phase") !== "Terminating") return;
  throw forbidden(resource, nameOf(object), `unable to create new content in namespace ${name} because it is being terminated`);
}
