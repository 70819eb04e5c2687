import "server-only";
import { isObject, type Json, type JsonObject } from "../json";
import { canonicalQuantity, quantityValue } from "../quantity";
import { fieldSchema, type ScalarType, type Schema } from "./schema";

export type Decoded = {
  value: Json;
  /** Paths of fields that the API does not declare. */
  unknown: string[];
  /** The first value of a wrong type, in words. */
  mismatch: { path: string; expected: string; got: string } | undefined;
  badQuantity: boolean;
};

/** How a list item is named in a path: `[0]` as decoding errors do, `[name="vllm"]` as apply errors do. */
export type PathStyle = "index" | "key";

type Walk = { result: Decoded; style: PathStyle; path: string };

/** Types and prunes a value: undeclared fields are dropped and reported, quantities get their canonical spelling, nulls vanish. */
export function decode(value: Json, schema: Schema, style: PathStyle): Decoded {
  const result: Decoded = { value: null, unknown: [], mismatch: undefined, badQuantity: false };
  result.value = visit(value, schema, { result, style, path: "" });
  return result;
}

function visit(value: Json, schema: Schema, walk: Walk): Json {
  switch (schema.kind) {
    case "any":
      return value;
    case "scalar":
      return visitScalar(value, schema.type, walk);
    case "list":
      return visitList(value, schema, walk);
    case "map":
    case "struct":
      return visitFields(value, schema, walk);
  }
}

function visitFields(value: Json, schema: Extract<Schema, { kind: "map" | "struct" }>, walk: Walk): Json {
  if (!isObject(value)) return mismatch(value, "map", walk);
  const out: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || item === null) continue;
    const inner = schema.kind === "map" ? schema.element : fieldSchema(schema.name, key);
    const path = `${walk.path}.${key}`;
    if (inner) out[key] = visit(item, inner, { ...walk, path });
    else walk.result.unknown.push(path);
  }
  return out;
}

function visitList(value: Json, schema: Extract<Schema, { kind: "list" }>, walk: Walk): Json {
  if (!Array.isArray(value)) return mismatch(value, "list", walk);
  return value.map((item, index) => {
    const name = walk.style === "key" ? itemName(item, index, schema.keys) : String(index);
    return visit(item, schema.element, { ...walk, path: `${walk.path}[${name}]` });
  });
}

function itemName(item: Json, index: number, keys: string[] | undefined): string {
  if (!keys || !isObject(item)) return String(index);
  return keys.map((key) => `${key}=${JSON.stringify(item[key] ?? null)}`).join(",");
}

function visitScalar(value: Json, type: ScalarType, walk: Walk): Json {
  switch (type) {
    case "quantity":
      if (typeof value !== "string" && typeof value !== "number") return mismatch(value, "string", walk);
      if (quantityValue(value) === undefined) walk.result.badQuantity = true;
      return canonicalQuantity(value);
    case "number":
      return typeof value === "number" ? value : mismatch(value, "numeric (int or float)", walk);
    case "boolean":
      return typeof value === "boolean" ? value : mismatch(value, "boolean", walk);
    case "intOrString":
      return typeof value === "number" || typeof value === "string" ? value : mismatch(value, "string", walk);
    case "string":
    case "date":
      return typeof value === "string" ? value : mismatch(value, "string", walk);
  }
}

function goName(value: Json): string {
  if (Array.isArray(value)) return "list";
  if (isObject(value)) return "map";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function mismatch(value: Json, expected: string, { result, path }: Walk): Json {
  result.mismatch ??= { path, expected, got: goName(value) };
  return value;
}
