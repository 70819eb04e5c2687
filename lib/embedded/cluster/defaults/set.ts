import "server-only";
import type { Json, JsonObject } from "../json";

/** Fills in the keys that are absent. */
export function setDefaults(target: JsonObject, values: JsonObject): void {
  for (const [key, value] of Object.entries(values)) if (target[key] === undefined) target[key] = value;
}

export function eachObject(list: Json | undefined, visit: (item: JsonObject) => void): void {
  if (!Array.isArray(list)) return;
  for (const item of list) if (typeof item === "object" && item !== null && !Array.isArray(item)) visit(item);
}
