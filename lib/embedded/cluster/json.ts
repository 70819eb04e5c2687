import "server-only";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json | undefined };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of keys, or undefined when any step is missing. */
export function at(value: Json | undefined, ...path: string[]): Json | undefined {
  let here: Json | undefined = value;
  for (const key of path) {
    if (!isObject(here)) return undefined;
    here = here[key];
  }
  return here;
}

export function objectAt(value: Json | undefined, ...path: string[]): JsonObject {
  const found = at(value, ...path);
  return isObject(found) ? found : {};
}

export function listAt(value: Json | undefined, ...path: string[]): Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: Json | undefined, ...path: string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

export function numberAt(value: Json | undefined, ...path: string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === "number" ? found : undefined;
}

/** The string entries of an object of strings, such as labels. */
export function textMap(value: Json | undefined, ...path: string[]): Record<string, string> {
  const entries = Object.entries(objectAt(value, ...path));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** Sets a value at a path, making the objects on the way; undefined removes the key. */
export function put(target: JsonObject, path: string[], value: Json | undefined): void {
  let here = target;
  for (const key of path.slice(0, -1)) {
    const next = here[key];
    if (isObject(next)) here = next;
    else {
      const made: JsonObject = {};
      here[key] = made;
      here = made;
    }
  }
  const last = path.at(-1);
  if (last === undefined) return;
  if (value === undefined) delete here[last];
  else here[last] = value;
}

export function clone<T extends Json>(value: T): T {
  return structuredClone(value);
}

export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => equal(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => equal(a[key], b[key]));
}

/** Reads JSON text; undefined when it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    const parsed: Json = JSON.parse(text);
    return parsed;
  } catch {
    return undefined;
  }
}
