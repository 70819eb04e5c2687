import "server-only";
import { groupVersions, resources, type Resource } from "../data/resources";
import type { JsonObject } from "../json";
import { fieldSchema, fieldsOf, typeName, type Schema } from "../schema/schema";
import { VERSION } from "./discovery";
import type { Reply } from "./request";

type Refs = { prefix: string; seen: Set<string> };

function toJsonSchema(schema: Schema, refs: Refs): JsonObject {
  switch (schema.kind) {
    case "any":
      return {};
    case "scalar":
      return scalarSchema(schema.type);
    case "list":
      return { type: "array", items: toJsonSchema(schema.element, refs), ...listExtensions(schema) };
    case "map":
      return { type: "object", additionalProperties: toJsonSchema(schema.element, refs) };
    case "struct":
      refs.seen.add(schema.name);
      return { $ref: `${refs.prefix}${schema.name}` };
  }
}

function scalarSchema(type: Extract<Schema, { kind: "scalar" }>["type"]): JsonObject {
  if (type === "date") return { type: "string", format: "date-time" };
  if (type === "number") return { type: "integer", format: "int64" };
  if (type === "boolean") return { type: "boolean" };
  return type === "intOrString" ? { type: "string", format: "int-or-string" } : { type: "string" };
}

function listExtensions({ keys, set }: Extract<Schema, { kind: "list" }>): JsonObject {
  if (!keys) return { "x-kubernetes-list-type": set ? "set" : "atomic" };
  return {
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": keys,
    "x-kubernetes-patch-merge-key": keys[0],
    "x-kubernetes-patch-strategy": "merge",
  };
}

/** The struct and every struct that it reaches. */
function definitions(names: string[], prefix: string): JsonObject {
  const out: JsonObject = {};
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (out[name] !== undefined) continue;
    const refs: Refs = { prefix, seen: new Set() };
    const typed = name;
    const properties = Object.fromEntries(
      fieldsOf(typed).map((field) => [field, toJsonSchema(fieldSchema(typed, field) ?? { kind: "any" }, refs)]),
    );
    out[typed] = { type: "object", properties };
    waiting.push(...refs.seen);
  }
  return out;
}

function gvk({ group, version, kind }: Resource): JsonObject {
  return { group, version, kind };
}

function pathOf(resource: Resource): string {
  const root = resource.group === "" ? `/api/${resource.version}` : `/apis/${resource.groupVersion}`;
  return `${root}${resource.namespaced ? "/namespaces/{namespace}" : ""}/${resource.plural}/{name}`;
}

const parameters = ["dryRun", "fieldManager", "fieldValidation", "force"];

function operations(resource: Resource, parameter: (name: string) => JsonObject): JsonObject {
  const common = { "x-kubernetes-group-version-kind": gvk(resource), responses: { "200": { description: "OK" } } };
  return {
    get: { ...common, "x-kubernetes-action": "get" },
    patch: { ...common, "x-kubernetes-action": "patch", parameters: parameters.map(parameter) },
  };
}

function storable(groupVersion?: string): Resource[] {
  return resources.filter(
    (resource) => resource.verbs.includes("patch") && (groupVersion === undefined || resource.groupVersion === groupVersion),
  );
}

function withKinds(schemas: JsonObject, of: Resource[]): JsonObject {
  const out = { ...schemas };
  for (const resource of of) {
    const name = typeName(resource);
    const schema = out[name];
    if (typeof schema === "object" && schema !== null && !Array.isArray(schema))
      out[name] = { ...schema, "x-kubernetes-group-version-kind": [gvk(resource)] };
  }
  return out;
}

function documentV3(groupVersion: string): JsonObject {
  const served = storable(groupVersion);
  const parameter = (name: string): JsonObject => ({ name, in: "query", schema: { type: name === "force" ? "boolean" : "string" } });
  const paths = Object.fromEntries(served.map((resource) => [pathOf(resource), operations(resource, parameter)]));
  const schemas = withKinds(definitions(served.map(typeName), "#/components/schemas/"), served);
  return { openapi: "3.0.0", info: { title: "Kubernetes", version: VERSION.gitVersion }, paths, components: { schemas } };
}

function documentV2(): JsonObject {
  const served = storable();
  const parameter = (name: string): JsonObject => ({ name, in: "query", type: name === "force" ? "boolean" : "string" });
  const paths = Object.fromEntries(served.map((resource) => [pathOf(resource), operations(resource, parameter)]));
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version: VERSION.gitVersion },
    paths,
    definitions: withKinds(definitions(served.map(typeName), "#/definitions/"), served),
  };
}

/** The server's own description, as much of it as clients use: kinds, fields, merge keys, write options. */
export function answerOpenApi(path: string): Reply | undefined {
  if (path === "/openapi/v2") return { status: 200, body: documentV2() };
  const root = (groupVersion: string): string => (groupVersion === "v1" ? "api/v1" : `apis/${groupVersion}`);
  if (path === "/openapi/v3") {
    return {
      status: 200,
      body: { paths: Object.fromEntries(groupVersions.map((item) => [root(item), { serverRelativeURL: `/openapi/v3/${root(item)}` }])) },
    };
  }
  const groupVersion = groupVersions.find((item) => path === `/openapi/v3/${root(item)}`);
  return groupVersion === undefined ? undefined : { status: 200, body: documentV3(groupVersion) };
}
