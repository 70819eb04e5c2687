import "server-only";
import type { IncomingMessage } from "node:http";
import { parse as parseYaml } from "yaml";
import type { Resource } from "../data/resources";
import { isObject, textAt, type Json, type JsonObject } from "../json";
import { decode } from "../schema/decode";
import { rootSchema } from "../schema/schema";
import { badRequest, internal, StatusError } from "./status";

const LARGEST_BODY = 3 * 1024 * 1024;

export async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > LARGEST_BODY)
      throw new StatusError(413, "RequestEntityTooLarge", { message: `Request entity too large: limit is ${LARGEST_BODY}` });
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Go's wording for the first character that cannot be JSON. */
function jsonError(text: string): string {
  const start = text.trimStart();
  if (start === "") return "unexpected end of JSON input";
  const inside = start.startsWith("{") ? start.slice(1).trimStart() : "";
  if (inside !== "" && !inside.startsWith('"')) return `invalid character '${inside.charAt(0)}' looking for beginning of object key string`;
  return `invalid character '${start.charAt(0)}' looking for beginning of value`;
}

/** JSON, or YAML (of which JSON is a part) when the content type says so. */
export function parseBody(text: string, contentType: string, kind: string): JsonObject {
  let value: unknown;
  try {
    value = contentType.includes("yaml") ? parseYaml(text) : JSON.parse(text);
  } catch {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${jsonError(text)} (${text})`,
    );
  }
  if (isObject(value)) return value;
  throw badRequest(
    `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: the body is not an object (${text.slice(0, 80)})`,
  );
}

function internalName(groupVersion: string): string {
  const [group = ""] = groupVersion.includes("/") ? groupVersion.split("/") : ["core"];
  return group.split(".")[0] ?? group;
}

/** The body's kind and version must be the endpoint's. */
export function checkKind(resource: Resource, body: JsonObject): void {
  const kind = textAt(body, "kind") ?? "";
  const apiVersion = textAt(body, "apiVersion") ?? "";
  if (kind === resource.kind && apiVersion === resource.groupVersion) return;
  if (kind === "" && apiVersion === "") return;
  const version = apiVersion.split("/").at(-1) ?? "";
  if (kind !== resource.kind) {
    const conversion = `converting (${version}.${kind}) to (${internalName(resource.groupVersion)}.${resource.kind}): unknown conversion`;
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${resource.kind}: ${conversion}`);
  }
  throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${resource.groupVersion})`);
}

const quantityRule = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Types a written object; unknown fields are refused under Strict and otherwise dropped with a warning. */
export function decodeObject(resource: Resource, body: JsonObject, validation: string): { object: JsonObject; warnings: string[] } {
  const { value, unknown, mismatch, badQuantity } = decode(body, rootSchema(resource), "index");
  const refuse = (why: string): StatusError =>
    badRequest(`${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ${why}`);
  if (mismatch)
    throw refuse(
      `json: cannot unmarshal ${goWord(mismatch.got)} into Go struct field ${resource.kind}${mismatch.path} of type ${goType(mismatch.expected)}`,
    );
  if (badQuantity) throw refuse(quantityRule);
  const warnings = unknown.map((path) => `unknown field ${JSON.stringify(path.slice(1))}`);
  if (validation === "Strict" && warnings.length > 0) throw refuse(`strict decoding error: ${warnings.join(", ")}`);
  return {
    object: { ...toObject(value), kind: resource.kind, apiVersion: resource.groupVersion },
    warnings: validation === "Ignore" ? [] : warnings,
  };
}

function goWord(got: string): string {
  return got === "list" ? "array" : got === "map" ? "object" : got.startsWith("int") || got.startsWith("float") ? "number" : got;
}

function goType(expected: string): string {
  return expected.startsWith("numeric") ? "int32" : expected === "boolean" ? "bool" : expected;
}

/** Types an applied configuration; here every undeclared field is an error, whatever the validation asked for. */
export function decodeConfiguration(resource: Resource, body: JsonObject): JsonObject {
  const { value, unknown, mismatch, badQuantity } = decode(body, rootSchema(resource), "key");
  const namespace = textAt(body, "metadata", "namespace");
  const name = textAt(body, "metadata", "name") ?? "";
  const subject = `(${namespace === undefined ? "" : `${namespace}/`}${name}; ${resource.groupVersion}, Kind=${resource.kind})`;
  const problems = [
    ...unknown.map((path) => `${path}: field not declared in schema`),
    ...(mismatch ? [`${mismatch.path}: expected ${mismatch.expected}, got ${mismatch.got}`] : []),
  ];
  if (problems.length > 0)
    throw internal(
      `failed to create typed patch object ${subject}: ${problems.length === 1 ? problems[0] : `errors:\n${problems.map((line) => `  ${line}`).join("\n")}`}`,
    );
  if (badQuantity) {
    const gvk = `${resource.groupVersion}, Kind=${resource.kind}`;
    throw internal(
      `failed to convert new object ${subject} to proper version: unable to convert unstructured object to ${gvk}: ${quantityRule}`,
    );
  }
  return toObject(value);
}

function toObject(value: Json): JsonObject {
  return isObject(value) ? value : {};
}
