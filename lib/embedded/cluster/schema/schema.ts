import "server-only";
import types from "../data/api-types.json";
import type { Resource } from "../data/resources";
import { isAtomic, isSetField, listKeys } from "./topology";

export type ScalarType = "string" | "number" | "boolean" | "date" | "intOrString" | "quantity";

/** The shape of a value and how two owners share it. */
export type Schema =
  | { kind: "any" }
  | { kind: "scalar"; type: ScalarType }
  | { kind: "struct"; name: string; atomic: boolean }
  | { kind: "map"; element: Schema; atomic: boolean }
  | { kind: "list"; element: Schema; keys: string[] | undefined; set: boolean };

const table: Record<string, Record<string, string>> = types;
const cache = new Map<string, Schema>();

const quantityMaps =
  /\.(limits|requests|capacity|allocatable|hard|used|max|min|default|defaultRequest|maxLimitRequestRatio|overhead|allocatedResources|podFixed)$/;
const quantities =
  /^(V1EmptyDirVolumeSource\.sizeLimit|V1ResourceFieldSelector\.divisor|V2Metric(Target|ValueStatus)\.(averageValue|value))$/;

function scalar(type: string, field: string): Schema {
  if (quantityMaps.test(field) || quantities.test(field)) return { kind: "scalar", type: "quantity" };
  if (type === "string" || type === "number" || type === "boolean") return { kind: "scalar", type };
  if (type === "IntOrString") return { kind: "scalar", type: "intOrString" };
  if (type === "Date" || type === "V1MicroTime") return { kind: "scalar", type: "date" };
  return { kind: "any" };
}

function build(type: string, field: string): Schema {
  if (type.startsWith("[]")) {
    return { kind: "list", element: build(type.slice(2), ""), keys: listKeys(field), set: isSetField(field) };
  }
  if (type.startsWith("{}")) return { kind: "map", element: build(type.slice(2), field), atomic: isAtomic(field, type) };
  if (table[type]) return { kind: "struct", name: type, atomic: isAtomic(field, type) };
  return scalar(type, field);
}

/** The schema of one field of a struct type; undefined when the API does not declare it. */
export function fieldSchema(typeName: string, field: string): Schema | undefined {
  const path = `${typeName}.${field}`;
  const known = cache.get(path);
  if (known) return known;
  const type = table[typeName]?.[field];
  if (type === undefined) return undefined;
  const made = build(type, path);
  cache.set(path, made);
  return made;
}

export function fieldsOf(typeName: string): string[] {
  return Object.keys(table[typeName] ?? {});
}

export function typeNames(): string[] {
  return Object.keys(table);
}

/** The model name of a kind: `V1Deployment`, `CoreV1Event`. */
export function typeName(resource: Resource): string {
  const version = resource.version.charAt(0).toUpperCase() + resource.version.slice(1);
  const plain = `${version}${resource.kind}`;
  if (resource.kind === "Event") return resource.group === "" ? "CoreV1Event" : "EventsV1Event";
  return plain;
}

export function rootSchema(resource: Resource): Schema {
  return { kind: "struct", name: typeName(resource), atomic: false };
}
