import "server-only";
import { badRequest } from "../api/status";
import { clone, equal, isObject, type Json, type JsonObject } from "../json";
import { fieldSchema, type Schema } from "../schema/schema";

/** RFC 7386. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const out: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else if (value !== undefined) out[key] = mergePatch(out[key], value);
  }
  return out;
}

/**
 * Kubernetes' strategic merge patch: like a merge patch, but lists with a merge key are merged item by item.
 * Its merge keys have one field: the first of the list's keys (`containerPort` for ports).
 */
export function strategicMergePatch(target: Json | undefined, patch: Json, schema: Schema): Json {
  if (Array.isArray(patch)) return schema.kind === "list" ? mergeList(Array.isArray(target) ? target : [], patch, schema) : patch;
  if (!isObject(patch)) return patch;
  if (patch.$patch === "replace") {
    const { $patch: _directive, ...rest } = patch;
    return rest;
  }
  const out: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete out[key];
    else if (key.startsWith("$deleteFromPrimitiveList/")) removeItems(out, key.slice(key.indexOf("/") + 1), value);
    else if (!key.startsWith("$")) out[key] = strategicMergePatch(out[key], value, innerSchema(schema, key));
  }
  return out;
}

function removeItems(out: JsonObject, field: string, gone: Json): void {
  const list = out[field];
  if (Array.isArray(list) && Array.isArray(gone)) out[field] = list.filter((item) => !gone.some((other) => equal(item, other)));
}

function innerSchema(schema: Schema, key: string): Schema {
  if (schema.kind === "map") return schema.element;
  return (schema.kind === "struct" ? fieldSchema(schema.name, key) : undefined) ?? { kind: "any" };
}

function mergeList(target: Json[], patch: Json[], schema: Extract<Schema, { kind: "list" }>): Json[] {
  const key = schema.keys?.[0];
  if (schema.set) return [...target, ...patch.filter((item) => !target.some((other) => equal(item, other)))];
  if (key === undefined) return patch;
  const same = (a: Json, b: Json): boolean => isObject(a) && isObject(b) && equal(a[key], b[key]);
  let out = [...target];
  for (const item of patch) {
    if (isObject(item) && item.$patch === "delete") out = out.filter((other) => !same(other, item));
    else if (isObject(item) && item.$patch === "replace") out = patch.filter((other) => other !== item);
    else {
      const index = out.findIndex((other) => same(other, item));
      if (index < 0) out.push(item);
      else out[index] = strategicMergePatch(out[index], item, schema.element);
    }
  }
  return out;
}

/** RFC 6902. */
export function jsonPatch(target: JsonObject, patch: Json): JsonObject {
  if (!Array.isArray(patch)) throw badRequest("json: cannot unmarshal object into Go value of type jsonpatch.Patch");
  let document: Json = clone<Json>(target);
  for (const operation of patch) {
    if (!isObject(operation)) throw badRequest("each operation of a JSON patch is an object");
    document = runOperation(document, operation);
  }
  return isObject(document) ? document : {};
}

function runOperation(document: Json, operation: JsonObject): Json {
  const path = pointer(operation.path);
  switch (operation.op) {
    case "add":
    case "replace":
      return edit(document, path, { op: operation.op, value: clone(operation.value ?? null) });
    case "remove":
      return edit(document, path, { op: "remove" });
    case "test":
      if (!equal(read(document, path), operation.value)) throw badRequest(`testing value ${String(operation.path)} failed: test failed`);
      return document;
    case "copy":
    case "move": {
      const from = pointer(operation.from);
      const value = clone(read(document, from) ?? null);
      const rest = operation.op === "move" ? edit(document, from, { op: "remove" }) : document;
      return edit(rest, path, { op: "add", value });
    }
    default:
      throw badRequest(`Unexpected kind: ${String(operation.op)}`);
  }
}

function pointer(path: Json | undefined): string[] {
  if (typeof path !== "string") throw badRequest("a JSON patch operation needs a path");
  return path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function read(document: Json | undefined, path: string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (here, key) => (Array.isArray(here) ? here[Number(key)] : isObject(here) ? here[key] : undefined),
    document,
  );
}

type Edit = { op: "add" | "replace"; value: Json } | { op: "remove" };

function edit(document: Json, path: string[], change: Edit): Json {
  const key = path.at(-1);
  if (key === undefined) return change.op === "remove" ? null : change.value;
  const parent = read(document, path.slice(0, -1));
  if (Array.isArray(parent)) editList(parent, key, change);
  else if (isObject(parent)) editObject(parent, key, change);
  else throw badRequest(`add operation does not apply: doc is missing path: "/${path.join("/")}": missing value`);
  return document;
}

function editList(list: Json[], key: string, change: Edit): void {
  const index = key === "-" ? list.length : Number(key);
  if (change.op === "remove") list.splice(index, 1);
  else list.splice(index, change.op === "replace" ? 1 : 0, change.value);
}

function editObject(parent: JsonObject, key: string, change: Edit): void {
  if (change.op !== "add" && parent[key] === undefined)
    throw badRequest(`${change.op} operation does not apply: doc is missing key: /${key}: missing value`);
  if (change.op === "remove") delete parent[key];
  else parent[key] = change.value;
}
