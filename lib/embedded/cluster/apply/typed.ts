import "server-only";
import { equal, isObject, type Json, type JsonObject } from "../json";
import { fieldSchema, type Schema } from "../schema/schema";
import { keyDefaults } from "../schema/topology";
import { emptySet, type FieldSet } from "./field-set";

type Composite = Extract<Schema, { kind: "struct" | "map" | "list" }>;

/** Whether owners share the inside of this value; otherwise it is owned as a whole. */
export function isGranular(schema: Schema): schema is Composite {
  if (schema.kind === "struct" || schema.kind === "map") return !schema.atomic;
  return schema.kind === "list" && (schema.set || schema.keys !== undefined);
}

export type Member = { key: string; value: Json; schema: Schema };

/** The path element of a list item: its key fields, or its value in a set. */
export function itemKey(item: Json, schema: Extract<Schema, { kind: "list" }>): string {
  if (!schema.keys) return `v:${JSON.stringify(item)}`;
  const source = isObject(item) ? item : {};
  const keys = [...schema.keys].sort().map((key) => [key, source[key] ?? keyDefaults[key] ?? null]);
  return `k:${JSON.stringify(Object.fromEntries(keys))}`;
}

export function members(value: Json | undefined, schema: Composite): Member[] {
  if (schema.kind === "list") {
    const items = Array.isArray(value) ? value : [];
    return items.map((item) => ({ key: itemKey(item, schema), value: item, schema: schema.element }));
  }
  if (!isObject(value)) return [];
  const found: Member[] = [];
  for (const [key, item] of Object.entries(value)) {
    const inner = schema.kind === "map" ? schema.element : fieldSchema(schema.name, key);
    if (item !== undefined && item !== null && inner) found.push({ key: `f:${key}`, value: item, schema: inner });
  }
  return found;
}

/** What an applied configuration owns: its leaves, its list items, and containers that it leaves empty. */
export function ownedBy(value: Json, schema: Schema): FieldSet {
  if (!isGranular(schema)) return emptySet(true);
  const inside = members(value, schema);
  if (inside.length === 0) return emptySet(true);
  const children = new Map(inside.map((member) => [member.key, ownedBy(member.value, member.schema)]));
  if (schema.kind === "list") for (const child of children.values()) child.self = true;
  return { self: false, children };
}

/** Every path of a value, containers included: what a plain write that adds this value owns. */
export function allPaths(value: Json, schema: Schema): FieldSet {
  if (!isGranular(schema)) return emptySet(true);
  return { self: true, children: new Map(members(value, schema).map((member) => [member.key, allPaths(member.value, member.schema)])) };
}

export type Comparison = { changed: FieldSet; removed: FieldSet };

/** Fields that exist as empty structs even when nothing was written, so that no write owns the container itself. */
const alwaysThere = new Set(
  [
    "metadata",
    "spec",
    "status",
    "template",
    "strategy",
    "containers",
    "resources",
    "loadBalancer",
    "scaleTargetRef",
    "podSelector",
    "backend",
    "nodeInfo",
  ].map((name) => `f:${name}`),
);

export function compare(before: Json | undefined, after: Json | undefined, schema: Schema): Comparison {
  if (!isGranular(schema)) return compareLeaf(before, after);
  const old = new Map(members(before, schema).map((member) => [member.key, member]));
  const now = new Map(members(after, schema).map((member) => [member.key, member]));
  const changed = emptySet();
  const removed = emptySet();
  for (const [key, member] of now) {
    const previous = old.get(key);
    if (!previous) changed.children.set(key, added(key, member));
    else collect(key, compare(previous.value, member.value, member.schema), { changed, removed });
  }
  for (const [key, member] of old) if (!now.has(key)) removed.children.set(key, allPaths(member.value, member.schema));
  return { changed, removed };
}

function added(key: string, member: Member): FieldSet {
  if (!alwaysThere.has(key)) return addedPaths(member);
  const inner = addedPaths(member);
  return inner.children.size > 0 ? { ...inner, self: false } : inner;
}

function addedPaths(member: Member): FieldSet {
  const { schema } = member;
  if (!isGranular(schema)) return emptySet(true);
  return { self: true, children: new Map(members(member.value, schema).map((inner) => [inner.key, added(inner.key, inner)])) };
}

function collect(key: string, part: Comparison, into: Comparison): void {
  if (part.changed.self || part.changed.children.size > 0) into.changed.children.set(key, part.changed);
  if (part.removed.self || part.removed.children.size > 0) into.removed.children.set(key, part.removed);
}

function compareLeaf(before: Json | undefined, after: Json | undefined): Comparison {
  return { changed: emptySet(!equal(before, after)), removed: emptySet() };
}

/** The live value with the applied one laid over it; list items keep the applied order, live ones keep their place. */
export function merge(live: Json | undefined, applied: Json, schema: Schema): Json {
  if (live === undefined || live === null || !isGranular(schema)) return applied;
  if (schema.kind === "list") return mergeList(Array.isArray(live) ? live : [], Array.isArray(applied) ? applied : [], schema);
  if (!isObject(live) || !isObject(applied)) return applied;
  const out: JsonObject = { ...live };
  for (const { key, value, schema: inner } of members(applied, schema)) {
    const name = key.slice(2);
    out[name] = merge(live[name], value, inner);
  }
  return out;
}

function mergeList(live: Json[], applied: Json[], schema: Extract<Schema, { kind: "list" }>): Json[] {
  const liveByKey = new Map(live.map((item) => [itemKey(item, schema), item]));
  const appliedKeys = new Set(applied.map((item) => itemKey(item, schema)));
  const kept = live.filter((item) => !appliedKeys.has(itemKey(item, schema)));
  return [...applied.map((item) => merge(liveByKey.get(itemKey(item, schema)), item, schema.element)), ...kept];
}

/** The value without the paths of a set; a list item goes as a whole only when its own path is in the set. */
export function without(value: Json, set: FieldSet, schema: Schema): Json | undefined {
  if (set.self && set.children.size === 0) return undefined;
  if (!isGranular(schema)) return set.self ? undefined : value;
  if (schema.kind === "list") return withoutItems(value, set, schema);
  if (!isObject(value)) return value;
  const out: JsonObject = { ...value };
  for (const { key, value: inner, schema: innerSchema } of members(value, schema)) {
    const child = set.children.get(key);
    if (!child) continue;
    const rest = without(inner, child, innerSchema);
    if (rest === undefined) delete out[key.slice(2)];
    else out[key.slice(2)] = rest;
  }
  // An emptied map or struct is not written out by the API.
  return Object.keys(out).length === 0 && Object.keys(value).length > 0 ? undefined : out;
}

function withoutItems(value: Json, set: FieldSet, schema: Extract<Schema, { kind: "list" }>): Json | undefined {
  if (!Array.isArray(value)) return value;
  const rest = value.flatMap((item) => {
    const child = set.children.get(itemKey(item, schema));
    if (!child) return [item];
    if (child.self) return [];
    const left = without(item, child, schema.element);
    return left === undefined ? [] : [left];
  });
  return rest.length === 0 && value.length > 0 ? undefined : rest;
}
