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

type Walk = { result: Decoded; style: PathStyle };

/** Types and prunes a value: undeclared fields are dropped and reported, quantities get their canonical spelling, nulls vanish. */
export function decode(value: Json, schema: Schema, style: PathStyle): Decoded {
  const result: Decoded = { value: null, unknown: [], mismatch: undefined, badQuantity: false };
  result.value = visit(value, schema, "", { result, style });
  return result;
}

function visit(value: Json, schema: Schema, path: string, walk: Walk): Json {
  switch (schema.kind) {
    case "any":
      return value;
    case "scalar":
      return visitScalar(value, schema.type, path, walk);
    case "list":
      return visitList(value, schema, path, walk);
    case "map":
    case "struct":
      return visitFields(value, schema, path, walk);
  }
}

function visitFields(value: Json, schema: Extract<Schema, { kind: "map" | "struct" }>, path: string, walk: Walk): Json {
  if (!isObject(value)) return mismatch(value, path, walk, schema.kind === "map" ? "map" : "map");
  const out: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || item === null) continue;
    const inner = schema.kind === "map" ? schema.element : fieldSchema(schema.name, key);
    const here = `${path}.${key}`;
    if (inner) out[key] = visit(item, inner, here, walk);
    else walk.result.unknown.push(here);
  }
  return out;
}

function visitList(value: Json, schema: Extract<Schema, { kind: "list" }>, path: string, walk: Walk): Json {
  if (!Array.isArray(value)) return mismatch(value, path, walk, "list");
  return value.map((item, index) => visit(item, schema.element, `${path}[${itemName(item, index, schema, walk.style)}]`, walk));
}

function itemName(item: Json, index: number, schema: Extract<Schema, { kind: "list" }>, style: PathStyle): string {
  if (style === "index" || !schema.keys || !isObject(item)) return String(index);
  return schema.keys.map((key) => `${key}=${JSON.stringify(item[key] ?? null)}`).join(",");
}

function visitScalar(value: Json, type: ScalarType, path: string, walk: Walk): Json {
  switch (type) {
    case "quantity":
      if (typeof value !== "string" && typeof value !== "number") return mismatch(value, path, walk, "string");
      if (quantityValue(value) === undefined) walk.result.badQuantity = true;
      return canonicalQuantity(value);
    case "number":
      return typeof value === "number" ? value : mismatch(value, path, walk, "numeric (int or float)");
    case "boolean":
      return typeof value === "boolean" ? value : mismatch(value, path, walk, "boolean");
    case "intOrString":
      return typeof value === "number" || typeof value === "string" ? value : mismatch(value, path, walk, "string");
    case "string":
    case "date":
      return typeof value === "string" ? value : mismatch(value, path, walk, "string");
  }
}

function goName(value: Json): string {
  if (Array.isArray(value)) return "list";
  if (isObject(value)) return "map";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function mismatch(value: Json, path: string, walk: Walk, expected: string): Json {
  walk.result.mismatch ??= { path, expected, got: goName(value) };
  return value;
}
