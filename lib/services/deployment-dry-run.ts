import "server-only";
import { diffObject, type Change, type FieldConflict } from "@/lib/domain/diff";
import { DomainError } from "@/lib/domain/errors";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import { deploymentLabel } from "@/lib/domain/manifest/metadata";
import type { Kube } from "@/lib/platform/kube";
import { KubeStatusError } from "@/lib/platform/kube/status";
import { dryRunAdoption, isAdoptable } from "./adoption-dry-run";
import { gitOpsKeyOf, liveOf, markOf, type LiveMark, type LiveObject } from "./deployment-live";
import { keyOf } from "./rendering";

/** A manager whose fields of one object are taken over by force, with consent; `isWhole`: those that Lectern does not name as well, which then go. */
export type TakeOver = { key: string; manager: string; isWhole?: boolean };

export type DryRun = {
  key: string;
  kind: string;
  name: string;
  state: "new" | "changed" | "unchanged";
  changes: Change[];
  conflicts: FieldConflict[];
  /** Why the object may not be applied as it is: the cluster's own words, or a rule of Lectern. */
  refusal: string | null;
  mark: LiveMark;
};

/** `adopts`: objects that nobody's Lectern applied may be taken over. */
export type DryRunOptions = { deploymentId: string; takeOver: readonly TakeOver[]; isNamespaceNew: boolean; adopts: boolean };

/** What the cluster would make of an object, without storing anything. Rejects only when the cluster cannot be asked. */
export async function dryRun(kube: Kube, object: KubeObject, options: DryRunOptions): Promise<DryRun> {
  const key = keyOf(object);
  const base = { key, kind: object.kind, name: object.metadata.name };
  if (options.isNamespaceNew) return { ...base, state: "new", changes: [], conflicts: [], refusal: null, mark: markOf(key, null) };
  const live = await liveOf(kube, object);
  const mark = markOf(key, live);
  if (options.adopts && live && isAdoptable(object, live, options.deploymentId)) return { ...base, ...(await dryRunAdoption(kube, { object, live, takeOver: options.takeOver })), mark };
  const answer = await tryApply(kube, object);
  const rule = ruleAgainst(object, live, options.deploymentId);
  if ("refusal" in answer) return { ...base, state: live ? "changed" : "new", changes: [], conflicts: [], refusal: rule ?? answer.refusal, mark };
  const changes = diffObject(live, answer.proposed, answer.conflicts);
  const open = answer.conflicts.filter(({ manager }) => !options.takeOver.some((each) => each.key === key && each.manager === manager));
  return {
    ...base,
    state: live === null ? "new" : changes.length > 0 || answer.conflicts.length > 0 ? "changed" : "unchanged",
    changes,
    conflicts: answer.conflicts,
    refusal: rule ?? conflictText(key, open),
    mark,
  };
}

type Answer = { proposed: LiveObject; conflicts: FieldConflict[] } | { refusal: string };

async function tryApply(kube: Kube, object: KubeObject): Promise<Answer> {
  try {
    return { proposed: (await kube.apply<LiveObject>(object, { dryRun: true })).object, conflicts: [] };
  } catch (error) {
    if (!(error instanceof KubeStatusError) || error.status >= 500 || error.status === 401) throw error;
    const conflicts = conflictsOf(error);
    if (conflicts.length === 0) return { refusal: (error.status === 404 && unserved(object)) || error.message };
    // The merged object is needed for the diff; whether it may be forced is decided by the person.
    return { proposed: (await kube.apply<LiveObject>(object, { dryRun: true, force: true })).object, conflicts };
  }
}

const broughtBy: Record<string, string> = { ScaledObject: "KEDA", PodMonitor: "the Prometheus operator" };

/** A kind that comes with another tool, and is not there. */
function unserved({ kind }: KubeObject): string | null {
  const tool = broughtBy[kind];
  return tool === undefined ? null : `The cluster does not serve ${kind}: install ${tool}, or leave the option out.`;
}

/** The fields that other managers own, from the causes of a 409. */
export function conflictsOf(error: KubeStatusError): FieldConflict[] {
  return error.causes
    .filter((cause) => cause.reason === "FieldManagerConflict")
    .map((cause) => ({ field: cause.field ?? "", manager: /conflict with "([^"]*)"/.exec(cause.message ?? "")?.[1] ?? "" }));
}

function conflictText(key: string, conflicts: readonly FieldConflict[]): string | null {
  const [first] = conflicts;
  return first ? `${first.manager} owns ${first.field} of ${key.replace("/", " ")}. Take the field over, or leave it to ${first.manager}.` : null;
}

function ruleAgainst(object: KubeObject, live: LiveObject | null, deploymentId: string): string | null {
  if (!live) return null;
  const what = `${object.kind} ${object.metadata.name}`;
  const gitOps = gitOpsKeyOf(live);
  if (gitOps) return `${what} is kept by a GitOps tool (${gitOps}): it would revert what Lectern applies. Change it in its repository, or take it out there first.`;
  const owner = live.metadata.labels?.[deploymentLabel];
  if (owner === undefined) return `A ${what} that Lectern did not create stands in the namespace already. Choose another name.`;
  if (owner !== deploymentId && object.kind !== "PersistentVolumeClaim") return `The ${what} belongs to another deployment of Lectern. Choose another name.`;
  return null;
}

/** Whether the namespace must be created first. Without the right to read namespaces it is taken as there. */
export async function isNamespaceNew(kube: Kube, name: string): Promise<boolean> {
  try {
    await kube.get({ apiVersion: "v1", resource: "namespaces", name });
    return false;
  } catch (error) {
    if (error instanceof KubeStatusError && error.status === 404) return true;
    if (error instanceof KubeStatusError && error.status === 403) return false;
    throw error;
  }
}

/** Whether an error means that the cluster could not be asked, and not that it said no. */
export function isOutOfReach(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.code === "unavailable" || error.code === "upstream_failed");
}
