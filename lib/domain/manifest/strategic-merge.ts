import { isRecord, keysOf, keyStep, pathText } from "../diff-path";

type Tree = Record<string, unknown>;

/**
 * Merges a patch into a copy: null removes a field, maps are merged, lists with keys (containers, env, volumes…) item by item,
 * other lists replaced. An item with `$patch: delete` is removed. The rules are those of Kubernetes' strategic merge patch.
 */
export function strategicMerge(base: unknown, patch: Tree): unknown {
  return mergeMap(structuredClone(isRecord(base) ? base : {}), patch);
}

function mergeMap(base: Tree, patch: Tree): Tree {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergeValue(merged.get(key), value, key));
  }
  return Object.fromEntries(merged);
}

function mergeValue(base: unknown, patch: unknown, name: string): unknown {
  if (isRecord(patch)) return mergeMap(isRecord(base) ? base : {}, patch);
  if (Array.isArray(patch) && Array.isArray(base)) return mergeList(base, patch, name);
  return structuredClone(patch);
}

function mergeList(base: readonly unknown[], patch: readonly unknown[], name: string): unknown[] {
  const keys = keysOf(name, [base, patch]);
  if (!keys) return structuredClone([...patch]);
  const keyOf = (item: Tree) => pathText([keyStep(item, keys)]);
  const merged = new Map(base.filter(isRecord).map((item) => [keyOf(item), item]));
  for (const item of patch.filter(isRecord)) {
    const { $patch: directive, ...fields } = item;
    const key = keyOf(item);
    if (directive === "delete") merged.delete(key);
    else merged.set(key, mergeMap(merged.get(key) ?? {}, fields));
  }
  return [...merged.values()];
}
