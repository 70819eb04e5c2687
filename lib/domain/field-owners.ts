import { isRecord } from "./diff-path";
import { isController, OURS } from "./drift";

type Tree = Record<string, unknown>;
/** An entry of `metadata.managedFields`. */
export type OwnerEntry = { manager?: string; operation?: string; apiVersion?: string; subresource?: string; fieldsV1?: unknown; [key: string]: unknown };

const isOfObject = (entry: OwnerEntry) => entry.subresource === undefined || entry.subresource === "";

function entriesOf(live: unknown): OwnerEntry[] {
  const metadata = isRecord(live) && isRecord(live.metadata) ? live.metadata : {};
  return Array.isArray(metadata.managedFields) ? metadata.managedFields.filter(isRecord) : [];
}

/** Who besides Lectern and the cluster's own controllers has written fields of an object, by manager. */
export function foreignManagers(live: unknown): string[] {
  const names = entriesOf(live).filter(isOfObject).map((entry) => entry.manager ?? "");
  return [...new Set(names)].filter((name) => name !== OURS && !isController(name)).sort();
}

/**
 * `managedFields` in which what some managers owned is Lectern's by server-side apply, so that the next apply removes what it does not
 * name. As client-go moves the fields of client-side apply (csaupgrade); `extra` is a `fieldsV1` tree that becomes Lectern's as well.
 */
export function handedOver(live: unknown, managers: readonly string[], extra: Tree = {}): OwnerEntry[] {
  const entries = entriesOf(live);
  const isOurs = (entry: OwnerEntry) => entry.manager === OURS && entry.operation === "Apply" && isOfObject(entry);
  const isMoved = (entry: OwnerEntry) => isOfObject(entry) && (managers.includes(entry.manager ?? "") || (entry.manager === OURS && entry.operation !== "Apply"));
  const moved = entries.filter(isMoved);
  const ours = entries.find(isOurs);
  const [pattern] = ours ? [ours] : moved;
  if (!pattern) return entries;
  const fieldsV1 = [...moved, ...(ours ? [ours] : [])].reduce((sum, entry) => union(sum, isRecord(entry.fieldsV1) ? entry.fieldsV1 : {}), extra);
  return [{ ...pattern, manager: OURS, operation: "Apply", fieldsV1 }, ...entries.filter((entry) => !isMoved(entry) && !isOurs(entry))];
}

function union(left: Tree, right: Tree): Tree {
  const merged: Tree = { ...left };
  for (const [key, value] of Object.entries(right)) {
    const before = merged[key];
    merged[key] = isRecord(before) && isRecord(value) ? union(before, value) : value;
  }
  return merged;
}
