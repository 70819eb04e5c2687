import "server-only";
import { isObject, type Json, type JsonObject } from "../json";

/**
 * A set of field paths as FieldsV1 spells them: `f:name` for a field, `k:{…}` for a list item by key, `v:…` for a set member.
 * `self` says that the path itself belongs to the set, not only something below it.
 */
export type FieldSet = { self: boolean; children: Map<string, FieldSet> };

export function emptySet(self = false): FieldSet {
  return { self, children: new Map() };
}

export function isEmptySet(set: FieldSet): boolean {
  return !set.self && set.children.size === 0;
}

function withChildren(self: boolean, children: Iterable<[string, FieldSet]>): FieldSet {
  return { self, children: new Map([...children].filter(([, child]) => !isEmptySet(child))) };
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  const keys = new Set([...a.children.keys(), ...b.children.keys()]);
  return withChildren(
    a.self || b.self,
    [...keys].map((key) => [key, union(a.children.get(key) ?? emptySet(), b.children.get(key) ?? emptySet())]),
  );
}

/** The paths of `a` that are not in `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return withChildren(
    a.self && !b.self,
    [...a.children].map(([key, child]) => [key, difference(child, b.children.get(key) ?? emptySet())]),
  );
}

/** The paths of `a` at and below which `b` has nothing: what holds a path of `b` stays with it. */
export function outside(a: FieldSet, b: FieldSet): FieldSet {
  return withChildren(
    a.self && isEmptySet(b),
    [...a.children].map(([key, child]) => [key, outside(child, b.children.get(key) ?? emptySet())]),
  );
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const shared = [...a.children].filter(([key]) => b.children.has(key));
  return withChildren(
    a.self && b.self,
    shared.map(([key, child]) => [key, intersection(child, b.children.get(key) ?? emptySet())]),
  );
}

/** Removes from `a` every path of `b` and all that lies below it. */
export function withoutSubtrees(a: FieldSet, b: FieldSet): FieldSet {
  if (b.self) return emptySet();
  return withChildren(
    a.self,
    [...a.children].map(([key, child]) => [key, withoutSubtrees(child, b.children.get(key) ?? emptySet())]),
  );
}

export function setsEqual(a: FieldSet, b: FieldSet): boolean {
  if (a.self !== b.self || a.children.size !== b.children.size) return false;
  return [...a.children].every(([key, child]) => {
    const other = b.children.get(key);
    return other !== undefined && setsEqual(child, other);
  });
}

export function toFieldsV1(set: FieldSet): JsonObject {
  const out: JsonObject = {};
  if (set.self && set.children.size > 0) out["."] = {};
  for (const key of [...set.children.keys()].sort()) {
    const child = set.children.get(key);
    if (child) out[key] = toFieldsV1(child);
  }
  return out;
}

export function fromFieldsV1(fields: Json | undefined, root = true): FieldSet {
  if (!isObject(fields)) return emptySet();
  const keys = Object.keys(fields).filter((key) => key !== ".");
  const self = !root && ("." in fields || keys.length === 0);
  return { self, children: new Map(keys.map((key) => [key, fromFieldsV1(fields[key], false)])) };
}

/** All member paths in the form that conflict messages use, e.g. `.spec.containers[name="vllm"].image`. */
export function paths(set: FieldSet, prefix = ""): string[] {
  const own = set.self ? [prefix] : [];
  const below = [...set.children].flatMap(([key, child]) => paths(child, prefix + pathElement(key)));
  return [...own, ...below];
}

function pathElement(key: string): string {
  const rest = key.slice(2);
  if (key.startsWith("f:")) return `.${rest}`;
  if (key.startsWith("v:")) return `[=${rest}]`;
  const keys: Json = JSON.parse(rest);
  if (!isObject(keys)) return `[${rest}]`;
  return `[${Object.entries(keys)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(",")}]`;
}
