import "server-only";
import { isObject, type Json, type JsonObject } from "../json";
import type { Schema } from "../schema/schema";
import { difference, emptySet, fromFieldsV1, intersection, isEmptySet, outside, paths, setsEqual, union, type FieldSet } from "./field-set";
import { isSameManager, readEntries, tracked, writeEntries, type Entry, type Manager } from "./managed-fields";
import { compare, merge, ownedBy, without } from "./typed";

export type Conflict = { manager: string; field: string };
export type Write = { live: JsonObject | undefined; schema: Schema; manager: Manager; time: string };

/** Server-side apply of a configuration: what it no longer lists and nobody else owns goes away, the rest is merged in. */
export function applyConfiguration(write: Write & { configuration: JsonObject; force: boolean }): {
  object: JsonObject;
  conflicts: Conflict[];
} {
  const { live, configuration, schema, manager, force, time } = write;
  const entries = readEntries(live);
  const others = entries.filter((entry) => !isSameManager(entry, manager));
  const mine = entries.find((entry) => isSameManager(entry, manager));
  const owned = ownedBy(tracked(configuration, manager.subresource), schema);
  const merged = mergeAndPrune(write, owned, { mine, others });
  const { changed, removed } = compare(tracked(live, manager.subresource), tracked(merged, manager.subresource), schema);
  const conflicts = live ? findConflicts(others, intersection(changed, owned)) : [];
  if (conflicts.length > 0 && !force) return { object: merged, conflicts };
  const lost = union(changed, removed);
  const kept = others.map((entry) => ({ ...entry, fields: difference(entry.fields, lost) }));
  const isUnchanged = mine !== undefined && setsEqual(mine.fields, owned) && isEmptySet(lost);
  const own: Entry = { ...manager, fields: owned, time: isUnchanged ? mine.time : time };
  return { object: withEntries(merged, [...kept, own]), conflicts: [] };
}

function mergeAndPrune(
  { live, configuration, schema }: Write & { configuration: JsonObject },
  owned: FieldSet,
  { mine, others }: { mine: Entry | undefined; others: Entry[] },
): JsonObject {
  const merged = asObject(merge(live, configuration, schema));
  if (!mine) return merged;
  const elsewhere = others.reduce((sum, entry) => union(sum, entry.fields), emptySet());
  const given = outside(mine.fields, union(owned, elsewhere));
  return asObject(without(merged, given, schema) ?? {});
}

function findConflicts(others: Entry[], changed: FieldSet): Conflict[] {
  return others.flatMap((entry) => paths(intersection(entry.fields, changed)).map((field) => ({ manager: describe(entry), field })));
}

function describe(entry: Entry): string {
  if (entry.operation === "Apply") return JSON.stringify(entry.name);
  const subresource = entry.subresource === "" ? "" : ` with subresource ${JSON.stringify(entry.subresource)}`;
  return `${JSON.stringify(entry.name)}${subresource} using ${entry.apiVersion}`;
}

/** A plain write (POST, PUT, other patches): the writer owns what it changed, everybody loses what was changed or removed. */
export function trackUpdate({ live, schema, manager, time }: Write, next: JsonObject): JsonObject {
  const entries = live ? readEntries(next) : [];
  const { changed, removed } = compare(tracked(live, manager.subresource), tracked(next, manager.subresource), schema);
  const lost = union(changed, removed);
  const others = entries.filter((entry) => !isSameManager(entry, manager));
  const mine = entries.find((entry) => isSameManager(entry, manager));
  const fields = union(difference(mine?.fields ?? emptySet(), removed), changed);
  const isUnchanged = mine !== undefined && setsEqual(mine.fields, fields) && isEmptySet(lost);
  const kept = others.map((entry) => ({ ...entry, fields: difference(entry.fields, lost) }));
  return withEntries(next, [...kept, { ...manager, fields, time: isUnchanged ? mine.time : time }]);
}

/** A write through the scale subresource: it takes `.spec.replicas`, and a count of zero is owned by nobody. */
export function trackScale({ live, manager, time }: Write, next: JsonObject, replicas: number): JsonObject {
  const path = fromFieldsV1({ "f:spec": { "f:replicas": {} } });
  const others = readEntries(live).filter((entry) => !isSameManager(entry, manager));
  const kept = others.map((entry) => ({ ...entry, fields: difference(entry.fields, path) }));
  return withEntries(next, [...kept, { ...manager, fields: replicas === 0 ? emptySet() : path, time }]);
}

function withEntries(object: JsonObject, entries: Entry[]): JsonObject {
  const metadata: JsonObject = { ...(isObject(object.metadata) ? object.metadata : {}) };
  const written = writeEntries(entries);
  if (written.length > 0) metadata.managedFields = written;
  else delete metadata.managedFields;
  return { ...object, metadata };
}

function asObject(value: Json): JsonObject {
  return isObject(value) ? value : {};
}
