import { DomainError } from "../errors";
import type { PatchOperation } from "./overlay-schema";

type Tree = { [key: string]: unknown };

/** Names by which a patch could reach the prototype of an object. */
const unsafeKeys = new Set(["__proto__", "constructor", "prototype"]);

/** Applies a JSON patch (RFC 6902: add, remove, replace, test) to a copy. Throws DomainError `unprocessable` where it does not apply. */
export function applyPatch(document: unknown, operations: readonly PatchOperation[]): unknown {
  const root = { document: structuredClone(document) };
  for (const operation of operations) applyOne(root, operation);
  return root.document;
}

function applyOne(root: { document: unknown }, operation: PatchOperation): void {
  const { path } = operation;
  const keys = path.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = keys.pop() ?? "";
  let at: unknown = root.document;
  for (const key of keys) at = memberOf(at, key, path);
  if (Array.isArray(at)) return changeList(at, last, operation);
  if (!isTree(at)) throw missing(path);
  changeMap(at, last, operation);
}

function changeMap(at: Tree, key: string, operation: PatchOperation): void {
  assertSafe(key, operation.path);
  if (operation.op !== "add" && !Object.hasOwn(at, key)) throw missing(operation.path);
  if (operation.op === "test") return assertSame(at[key], operation);
  if (operation.op === "remove") delete at[key];
  else at[key] = structuredClone(operation.value);
}

function changeList(at: unknown[], key: string, operation: PatchOperation): void {
  const isEnd = key === "-" && operation.op === "add";
  const index = isEnd ? at.length : indexOf(key, at.length + (operation.op === "add" ? 1 : 0), operation.path);
  if (operation.op === "test") return assertSame(at[index], operation);
  if (operation.op === "remove") at.splice(index, 1);
  else at.splice(index, operation.op === "add" ? 0 : 1, structuredClone(operation.value));
}

function memberOf(at: unknown, key: string, path: string): unknown {
  if (Array.isArray(at)) return at[indexOf(key, at.length, path)];
  assertSafe(key, path);
  if (!isTree(at) || !Object.hasOwn(at, key)) throw missing(path);
  return at[key];
}

function indexOf(key: string, length: number, path: string): number {
  const index = /^(0|[1-9]\d{0,4})$/.test(key) ? Number(key) : length;
  if (index >= length) throw missing(path);
  return index;
}

function assertSame(present: unknown, operation: Extract<PatchOperation, { op: "test" }>): void {
  if (JSON.stringify(present) !== JSON.stringify(operation.value)) throw new DomainError("unprocessable", `The override's test of ${operation.path} fails: the value there is another.`);
}

function assertSafe(key: string, path: string): void {
  if (unsafeKeys.has(key)) throw missing(path);
}

function missing(path: string): DomainError {
  return new DomainError("unprocessable", `The override names ${path}, and there is nothing. Look at the YAML for the path.`);
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
