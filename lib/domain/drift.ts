import { diffObject } from "./diff";
import { isRecord } from "./diff-path";

/** One field that is not as the revision in force says. `wanted` null: the revision does not have it; `found` null: it is gone; `isOverride`: it was set past Lectern's own manifests. */
export type DriftChange = { path: string; wanted: string | null; found: string | null; owner: string | null; isOverride: boolean };

/** Controllers that write fields of our objects as part of their work; source: managedFields of API server 1.36. */
const CONTROLLERS = ["kube-controller-manager", "kube-scheduler", "kubelet", "deployment-controller", "keda", "keda-operator", "horizontal-pod-autoscaler", "cloud-controller-manager", "pv-controller", "persistent-volume-binder"];
export const OURS = "lectern";

export const isController = (manager: string): boolean => CONTROLLERS.includes(manager);
/** Written by tools beside what a person asked for. */
const BOOKKEEPING = ["kubectl.kubernetes.io/last-applied-configuration", "deployment.kubernetes.io/revision", "lectern/revision", "kubectl.kubernetes.io/restartedAt"];
const BOUND_BY_CLUSTER = [".spec.volumeName", ".spec.clusterIP", ".spec.clusterIPs", ".metadata.finalizers", ".metadata.annotations.pv.kubernetes.io", ".metadata.annotations.volume.kubernetes.io"];

/**
 * Where a live object is not as it was applied: fields that applying again would change, and fields that somebody else added. `proposed` is the answer
 * of a forced dry run of the applied object. Status, defaults, controllers' bookkeeping and replicas that an autoscaler owns are not drift.
 */
export function driftOf(live: unknown, proposed: unknown): DriftChange[] {
  const changed = diffObject(live, proposed)
    .filter((change) => !isAutoscaled(change.path, change.owner))
    .map(({ path, before, after, owner, isOverride }) => ({ path, wanted: after, found: before, owner, isOverride }));
  const added = foreignFields(live).filter((field) => changed.every((change) => change.path !== field.path));
  return [...changed, ...added];
}

function isAutoscaled(path: string, owner: string | null): boolean {
  return path === ".spec.replicas" && (owner ?? "").split(", ").some((name) => CONTROLLERS.includes(name));
}

/** Fields that somebody owns who is neither Lectern nor a controller, and that Lectern does not own as well. */
function foreignFields(live: unknown): DriftChange[] {
  const metadata = isRecord(live) && isRecord(live.metadata) ? live.metadata : {};
  const entries = Array.isArray(metadata.managedFields) ? metadata.managedFields.filter(isRecord) : [];
  const isMain = (entry: Record<string, unknown>) => entry.subresource === undefined || entry.subresource === "";
  const ours = new Set(entries.filter((entry) => entry.manager === OURS && isMain(entry)).flatMap((entry) => leaves(entry.fieldsV1, live, "").map(({ path }) => path)));
  const theirs = entries.filter((entry) => isMain(entry) && typeof entry.manager === "string" && entry.manager !== OURS && !CONTROLLERS.includes(entry.manager));
  return theirs.flatMap((entry) =>
    leaves(entry.fieldsV1, live, "")
      .filter(({ path }) => !ours.has(path) && !BOOKKEEPING.some((key) => path.includes(key)) && !BOUND_BY_CLUSTER.some((each) => path.startsWith(each)))
      .map(({ path, value }) => ({ path, wanted: null, found: textOf(value), owner: String(entry.manager), isOverride: false })),
  );
}

/** The fields of a `fieldsV1` tree with their values, written as the API server writes paths. */
function leaves(tree: unknown, value: unknown, path: string): { path: string; value: unknown }[] {
  if (!isRecord(tree)) return [];
  const inner = Object.entries(tree).filter(([key]) => key !== ".");
  if (inner.length === 0) return path === "" || value === undefined ? [] : [{ path, value }];
  return inner.flatMap(([key, below]) => {
    if (key.startsWith("f:")) return leaves(below, isRecord(value) ? value[key.slice(2)] : undefined, `${path}.${key.slice(2)}`);
    if (key.startsWith("k:")) return leaves(below, itemOf(value, key.slice(2)), `${path}[${keyText(key.slice(2))}]`);
    return []; // v: an item of a set, shown by the list's own change
  });
}

function itemOf(list: unknown, keys: string): unknown {
  const wanted = JSON.parse(keys) as Record<string, unknown>; // fieldsV1 keys are JSON objects
  return Array.isArray(list) ? list.find((item) => isRecord(item) && Object.entries(wanted).every(([key, value]) => item[key] === value)) : undefined;
}

function keyText(keys: string): string {
  return Object.entries(JSON.parse(keys) as Record<string, unknown>) // as above
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(",");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/**
 * The applied object with the values that the live one has now, for the fields that it names: what a revision would say that takes the
 * changes over. Fields that somebody else added stay theirs.
 */
export function adopted<T>(applied: T, live: unknown): T {
  if (Array.isArray(applied)) return adoptedList(applied, live) as T; // the same shape, with other values
  if (!isRecord(applied) || !isRecord(live)) return (live === undefined ? applied : live) as T; // a leaf
  const entries = Object.entries(applied).flatMap(([key, value]) => (live[key] === undefined ? (isEmpty(value) ? [[key, value]] : []) : [[key, adopted(value, live[key])]]));
  return Object.fromEntries(entries) as T; // as above
}

/** The API server drops empty maps and lists: that is no change. */
function isEmpty(value: unknown): boolean {
  return (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0);
}

function adoptedList(applied: unknown[], live: unknown): unknown[] {
  if (!Array.isArray(live)) return applied;
  const isNamed = applied.every((item) => isRecord(item) && typeof item.name === "string");
  if (!isNamed) return live.length === applied.length ? applied.map((item, index) => adopted(item, live[index])) : live;
  return applied.flatMap((item) => {
    const match = live.find((other) => isRecord(other) && isRecord(item) && other.name === item.name);
    return match === undefined ? [] : [adopted(item, match)];
  });
}
