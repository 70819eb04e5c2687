import "server-only";
import { isObject, listAt, textAt, type Json, type JsonObject } from "../json";
import { fromFieldsV1, isEmptySet, toFieldsV1, type FieldSet } from "./field-set";

export type Operation = "Apply" | "Update";
export type Manager = { name: string; operation: Operation; apiVersion: string; subresource: string };
export type Entry = Manager & { time: string; fields: FieldSet };

export function readEntries(object: JsonObject | undefined): Entry[] {
  return listAt(object, "metadata", "managedFields").map((entry) => ({
    name: textAt(entry, "manager") ?? "",
    operation: textAt(entry, "operation") === "Apply" ? "Apply" : "Update",
    apiVersion: textAt(entry, "apiVersion") ?? "",
    subresource: textAt(entry, "subresource") ?? "",
    time: textAt(entry, "time") ?? "",
    fields: fromFieldsV1(isObject(entry) ? entry.fieldsV1 : undefined),
  }));
}

export function isSameManager(a: Manager, b: Manager): boolean {
  return a.name === b.name && a.operation === b.operation && a.apiVersion === b.apiVersion && a.subresource === b.subresource;
}

/** Entries in the API's order: applies first, then by time and name. */
export function writeEntries(entries: Entry[]): Json[] {
  const order = (entry: Entry): string => [entry.operation, entry.time, entry.name, entry.apiVersion, entry.subresource].join("\u0000");
  return entries
    .filter((entry) => !isEmptySet(entry.fields))
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map(toJson);
}

function toJson({ name, operation, apiVersion, time, fields, subresource }: Entry): JsonObject {
  const entry: JsonObject = { manager: name, operation, apiVersion, time, fieldsType: "FieldsV1", fieldsV1: toFieldsV1(fields) };
  if (subresource !== "") entry.subresource = subresource;
  return entry;
}

const untrackedMetadata = [
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "generation",
  "managedFields",
  "resourceVersion",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
];

/** The part of an object that owners are tracked for: no identity, and only the side that the endpoint may write. */
export function tracked(object: JsonObject | undefined, subresource: string): JsonObject {
  if (!object) return {};
  const metadata = { ...(isObject(object.metadata) ? object.metadata : {}) };
  for (const key of untrackedMetadata) delete metadata[key];
  const rest: JsonObject = { ...object, metadata };
  delete rest.apiVersion;
  delete rest.kind;
  if (subresource === "status") delete rest.spec;
  else delete rest.status;
  for (const [key, value] of Object.entries(rest)) if (isObject(value) && Object.keys(value).length === 0) delete rest[key];
  return rest;
}
