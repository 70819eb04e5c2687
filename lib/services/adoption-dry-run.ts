import "server-only";
import { diffObject, type Change, type FieldConflict } from "@/lib/domain/diff";
import { foreignManagers, handedOver } from "@/lib/domain/field-owners";
import type { Json, KubeObject } from "@/lib/domain/manifest/kube-object";
import { deploymentLabel } from "@/lib/domain/manifest/metadata";
import { fieldManager, type Kube } from "@/lib/platform/kube";
import { resourcePath } from "@/lib/platform/kube/path";
import { callJson } from "@/lib/platform/kube/request";
import { KubeStatusError } from "@/lib/platform/kube/status";
import { gitOpsKeyOf, liveOf, refOf, type LiveObject } from "./deployment-live";
import { keyOf } from "./rendering";

/** Kinds that are taken over whole: what Lectern does not name goes. */
const WHOLE = ["Deployment", "Service"];
/** Fields of a Service that the cluster has given; a change is refused. */
const GIVEN = ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"];

/** Whether an object was applied past Lectern and may become this deployment's. What a GitOps tool keeps may not. */
export function isAdoptable(object: KubeObject, live: LiveObject, deploymentId: string): boolean {
  const owner = live.metadata.labels?.[deploymentLabel];
  return WHOLE.includes(object.kind) && (owner === undefined || owner === deploymentId) && gitOpsKeyOf(live) === undefined;
}

type Adopting = { object: KubeObject; live: LiveObject; takeOver: readonly { key: string; manager: string }[] };
type AdoptionRun = { state: "changed" | "unchanged"; changes: Change[]; conflicts: FieldConflict[]; refusal: string | null };

/**
 * What taking an object over would make of it. An apply by itself would leave fields that Lectern does not name (a container of another
 * name, say), so the cluster is asked for the object with Lectern's spec in place of its own.
 */
export async function dryRunAdoption(kube: Kube, { object, live, takeOver }: Adopting): Promise<AdoptionRun> {
  const key = keyOf(object);
  const managers = foreignManagers(live);
  const left = managers.filter((manager) => !takeOver.some((each) => each.key === key && each.manager === manager));
  const conflicts = managers.map((manager): FieldConflict => ({ field: ".", manager }));
  try {
    const proposed = await patch(kube, object, { operations: replacing(object, live), dryRun: true });
    const changes = diffObject(live, proposed, conflicts.filter(({ manager }) => left.includes(manager)));
    const refusal = left[0] === undefined ? null : `${left[0]} wrote the ${object.kind} ${object.metadata.name}. Take its fields over, or leave it as it is.`;
    return { state: changes.length > 0 || managers.length > 0 ? "changed" : "unchanged", changes, conflicts, refusal };
  } catch (error) {
    if (!(error instanceof KubeStatusError) || error.status >= 500 || error.status === 401) throw error;
    return { state: "changed", changes: [], conflicts, refusal: error.message };
  }
}

/**
 * Before an object is applied that is taken over: what the given managers own becomes Lectern's, so that the apply removes what it does
 * not name. No value changes, so no pod restarts. Source: kubernetes.io/docs/reference/using-api/server-side-apply, "Upgrading from client-side apply".
 */
export async function handOverFields(kube: Kube, object: KubeObject, managers: readonly string[]): Promise<void> {
  const live = await liveOf(kube, object);
  if (!live || managers.length === 0) return;
  // A default that nobody owns would stay beside `Recreate`, which the cluster refuses.
  const rolling = object.kind === "Deployment" ? { "f:spec": { "f:strategy": { "f:rollingUpdate": { ".": {}, "f:maxSurge": {}, "f:maxUnavailable": {} } } } } : {};
  const value = handedOver(live, managers, rolling);
  await patch(kube, object, { operations: [{ op: "replace", path: "/metadata/managedFields", value: value as unknown as Json }, same(live)], dryRun: false }); // read from JSON
}

type Operation = { op: "replace" | "add" | "test"; path: string; value: Json };

function same(live: LiveObject): Operation {
  return { op: "replace", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion };
}

function replacing(object: KubeObject, live: LiveObject): Operation[] {
  const given = object.kind === "Service" ? Object.fromEntries(Object.entries(live.spec ?? {}).filter(([field]) => GIVEN.includes(field))) : {};
  const kept = Object.fromEntries(Object.entries(live.metadata.annotations ?? {}).filter(([key]) => key.startsWith("deployment.kubernetes.io/")));
  return [
    { op: "replace", path: "/spec", value: { ...given, ...object.spec } },
    { op: "add", path: "/metadata/labels", value: object.metadata.labels },
    { op: "add", path: "/metadata/annotations", value: { ...kept, ...object.metadata.annotations } },
    same(live),
  ];
}

async function patch(kube: Kube, object: KubeObject, { operations, dryRun }: { operations: Operation[]; dryRun: boolean }): Promise<LiveObject> {
  const path = resourcePath(refOf(object), { fieldManager, fieldValidation: "Strict", dryRun: dryRun ? "All" : undefined });
  return (await callJson<LiveObject>(kube.send, { method: "PATCH", path, headers: { "content-type": "application/json-patch+json" }, body: JSON.stringify(operations) })).body;
}
