import "server-only";
import type { Cause } from "../api/status";
import type { Json } from "../json";

export function required(field: string, detail = ""): Cause {
  return { reason: "FieldValueRequired", message: detail === "" ? "Required value" : `Required value: ${detail}`, field };
}

export function invalidValue(field: string, value: Json | undefined, detail: string): Cause {
  return { reason: "FieldValueInvalid", message: `Invalid value: ${JSON.stringify(value ?? null)}: ${detail}`, field };
}

export function unsupported(field: string, value: Json | undefined, supported: string[]): Cause {
  const list = supported.map((item) => JSON.stringify(item)).join(", ");
  return {
    reason: "FieldValueNotSupported",
    message: `Unsupported value: ${JSON.stringify(value ?? "")}: supported values: ${list}`,
    field,
  };
}

export function missing(field: string, value: string): Cause {
  return { reason: "FieldValueNotFound", message: `Not found: ${JSON.stringify(value)}`, field };
}

export function notAllowed(field: string, detail: string): Cause {
  return { reason: "FieldValueForbidden", message: `Forbidden: ${detail}`, field };
}

export function duplicate(field: string, value: Json): Cause {
  return { reason: "FieldValueDuplicate", message: `Duplicate value: ${JSON.stringify(value)}`, field };
}
