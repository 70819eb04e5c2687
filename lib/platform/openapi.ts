import "server-only";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { POLICY } from "@/lib/domain/policy";
import type { Door, DoorOperation } from "./door";
import { toJsonSchema, type JsonSchema } from "./json-schema";

const PROBLEM: JsonSchema = {
  type: "object",
  description: "RFC 9457",
  required: ["type", "status", "code", "title", "detail", "requestId"],
  properties: {
    type: { type: "string" },
    status: { type: "integer" },
    code: { type: "string", description: "Stable name of the kind of failure" },
    title: { type: "string" },
    detail: { type: "string", description: "One sentence naming the cause and the remedy" },
    requestId: { type: "string", format: "uuid" },
    errors: { type: "array", items: { type: "object", required: ["path", "message"], properties: { path: { type: "string" }, message: { type: "string" } } } },
  },
};

const FAILURES = {
  "401": "No valid session or token",
  "403": "The role or the token's scope does not include it",
  "404": "Missing, or hidden from the caller",
  "422": "The input is not valid",
  default: "Any other failure",
};

/** The OpenAPI 3.1 document of every operation, made from the schemas that the pipeline parses with. */
export function openApiDocument(operations: Door["operations"], about: { version: string; url: string }): Record<string, unknown> {
  const paths = Object.values(operations).map((operation) => [`/api/${operation.name}`, { [methodOf(operation)]: describe(operation) }] as const);
  return {
    openapi: "3.1.0",
    info: {
      title: "Lectern",
      version: about.version,
      description: "Each operation is one path: reads are GET with the input as JSON in `input`, writes are POST with a JSON body, uploads are PUT with the file as body and the rest in `input`. Programs send a token in the Authorization header.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: about.url }],
    security: [{ token: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "Created under Settings, Tokens. Its rights are its scope and what its owner may do now, whichever is less." } },
      schemas: { Problem: PROBLEM, DeploymentSpec: toJsonSchema(DeploymentSpec, "input", "DeploymentSpec") },
      responses: Object.fromEntries(Object.entries(FAILURES).map(([status, description]) => [`Problem${status}`, failure(description)])),
    },
  };
}

function methodOf(operation: DoorOperation): "get" | "post" | "put" {
  if (operation.kind === "read") return "get";
  return operation.accepts === "stream" ? "put" : "post";
}

function describe(operation: DoorOperation): Record<string, unknown> {
  const method = methodOf(operation);
  const input = toJsonSchema(operation.input, "input", operation.name);
  const json = { "application/json": { schema: input } };
  const isRequired = Array.isArray(input["required"]) && input["required"].length > 0;
  const inQuery = { parameters: [{ name: "input", in: "query", required: isRequired, description: "The input as JSON", content: json }] };
  const rule = POLICY[operation.permission];
  const isOpen = rule.scope === "portal" && rule.who === "anyone";
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: `Permission: ${operation.permission} (${rule.title}).`,
    tags: [operation.name.split(".")[0]],
    ...(isOpen ? { security: [] } : {}),
    ...(method === "post" ? { requestBody: { required: true, content: json } } : inQuery),
    ...(method === "put" ? { requestBody: { required: true, content: { "application/octet-stream": {} } } } : {}),
    responses: { "200": success(operation), ...Object.fromEntries(Object.keys(FAILURES).map((status) => [status, { $ref: `#/components/responses/Problem${status}` }])) },
  };
}

function success(operation: DoorOperation): Record<string, unknown> {
  if (operation.answers === "file") return { description: "The file", content: { "application/octet-stream": {} } };
  return { description: "Done", content: { "application/json": { schema: toJsonSchema(operation.output, "output", operation.name) } } };
}

function failure(description: string): Record<string, unknown> {
  return { description, content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } } };
}
