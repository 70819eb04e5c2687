import "server-only";
import type { JsonObject } from "../json";
import { qualifiedKind, qualifiedName, type Resource } from "../data/resources";

export type Cause = { reason: string; message: string; field: string };

/** A failure as the API tells it: a Status object and its HTTP code. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string | undefined;
  readonly details: JsonObject | undefined;

  constructor(code: number, reason: string | undefined, { message, details }: { message: string; details?: JsonObject }) {
    super(message);
    this.name = "StatusError";
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  toStatus(): JsonObject {
    const status: JsonObject = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message: this.message };
    if (this.reason !== undefined) status.reason = this.reason;
    if (this.details !== undefined) status.details = this.details;
    status.code = this.code;
    return status;
  }
}

function target(resource: Resource, name: string): JsonObject {
  const details: JsonObject = {};
  if (name !== "") details.name = name;
  if (resource.group !== "") details.group = resource.group;
  details.kind = resource.plural;
  return details;
}

export function notFound(resource: Resource, name: string): StatusError {
  return new StatusError(404, "NotFound", { message: `${qualifiedName(resource)} "${name}" not found`, details: target(resource, name) });
}

export function noSuchResource(): StatusError {
  return new StatusError(404, "NotFound", { message: "the server could not find the requested resource", details: {} });
}

export function alreadyExists(resource: Resource, name: string): StatusError {
  return new StatusError(409, "AlreadyExists", {
    message: `${qualifiedName(resource)} "${name}" already exists`,
    details: target(resource, name),
  });
}

export function modified(resource: Resource, name: string): StatusError {
  const why = "the object has been modified; please apply your changes to the latest version and try again";
  return new StatusError(409, "Conflict", {
    message: `Operation cannot be fulfilled on ${qualifiedName(resource)} "${name}": ${why}`,
    details: target(resource, name),
  });
}

export function preconditionFailed(resource: Resource, name: string, why: string): StatusError {
  const details = { ...target(resource, name), kind: resource.kind };
  return new StatusError(409, "Conflict", { message: `Operation cannot be fulfilled on ${resource.kind} "${name}": ${why}`, details });
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, "BadRequest", { message });
}

export function unauthorized(): StatusError {
  return new StatusError(401, "Unauthorized", { message: "Unauthorized" });
}

export function forbidden(resource: Resource, name: string, why: string): StatusError {
  const what = name === "" ? qualifiedName(resource) : `${qualifiedName(resource)} "${name}"`;
  return new StatusError(403, "Forbidden", { message: `${what} is forbidden: ${why}`, details: target(resource, name) });
}

export function methodNotAllowed(): StatusError {
  return new StatusError(405, "MethodNotAllowed", {
    message: "the server does not allow this method on the requested resource",
    details: {},
  });
}

export function unsupportedMediaType(message = "415: Unsupported Media Type"): StatusError {
  return new StatusError(415, "UnsupportedMediaType", { message, details: {} });
}

export function gone(message: string): StatusError {
  return new StatusError(410, "Expired", { message });
}

export function unavailable(message: string): StatusError {
  return new StatusError(503, "ServiceUnavailable", { message });
}

export function internal(message: string): StatusError {
  return new StatusError(500, undefined, { message });
}

/** 422 with one cause for each wrong field. */
export function invalid(resource: Resource, name: string, causes: Cause[]): StatusError {
  const lines = causes.map(({ field, message }) => `${field}: ${message}`);
  const text = lines.length === 1 ? lines[0] : `[${lines.join(", ")}]`;
  const details: JsonObject = { name };
  if (resource.group !== "") details.group = resource.group;
  details.kind = resource.kind;
  details.causes = causes.map(({ reason, message, field }) => ({ reason, message, field }));
  return new StatusError(422, "Invalid", { message: `${qualifiedKind(resource)} "${name}" is invalid: ${text}`, details });
}

export function applyConflict(conflicts: { manager: string; field: string }[]): StatusError {
  const causes = conflicts.map(({ manager, field }) => ({ reason: "FieldManagerConflict", message: `conflict with ${manager}`, field }));
  return new StatusError(409, "Conflict", { message: conflictText(conflicts), details: { causes } });
}

function conflictText(conflicts: { manager: string; field: string }[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first) return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.field}`;
  const byManager = new Map<string, string[]>();
  for (const { manager, field } of conflicts) byManager.set(manager, [...(byManager.get(manager) ?? []), field]);
  const lines = [...byManager].map(([manager, fields]) => `conflicts with ${manager}:\n${fields.map((field) => `- ${field}`).join("\n")}`);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}
