import { canonicalJson } from "./canonical-json";
import { forPeople } from "./diff-noise";
import { overriddenPaths } from "./diff-override";
import { isRecord, keysOf, keyStep, ownersOf, pathText, type Path } from "./diff-path";

/** One field that would change. `owner` holds it in the live object now; `conflict` names it when the cluster refuses to change it without force; `isOverride`: somebody has set it past Lectern's own manifests. */
export type Change = { path: string; op: "add" | "remove" | "change"; before: string | null; after: string | null; owner: string | null; conflict: string | null; isOverride: boolean };
/** A field that another manager owns, as the cluster's 409 names it. */
export type FieldConflict = { field: string; manager: string };

/** It shows that a key of a Secret changed, and not what it holds. */
const mask = "••••••";

type Found = { path: Path; before: unknown; after: unknown };

/**
 * The fields in which a live object and the proposed one differ, without status, server defaults' bookkeeping and values of Secrets.
 * Give the answer of a dry run as `proposed`: both sides then carry the same defaults. `live` null: everything is new, and no field is listed.
 */
export function diffObject(live: unknown, proposed: unknown, conflicts: readonly FieldConflict[] = []): Change[] {
  if (live === null || live === undefined) return [];
  const overridden = [...overriddenPaths(live), ...overriddenPaths(proposed)];
  const isSecret = isRecord(live) && live.kind === "Secret";
  return compare(forPeople(live), forPeople(proposed), []).map(({ path, before, after }) => {
    const text = pathText(path);
    const show = isSecret && /^\.(data|stringData)\b/.test(text) ? () => mask : valueText;
    return {
      path: text,
      op: before === undefined ? "add" : after === undefined ? "remove" : "change",
      before: before === undefined ? null : show(before),
      after: after === undefined ? null : show(after),
      owner: ownersOf(live, path).join(", ") || null,
      conflict: conflicts.find((each) => covers(each.field, text))?.manager ?? null,
      isOverride: overridden.some((each) => covers(each, text)),
    };
  });
}

/** Whether one of two paths is the other or lies above it. */
function covers(field: string, path: string): boolean {
  const isAbove = (upper: string, lower: string) => lower === upper || lower.startsWith(`${upper}.`) || lower.startsWith(`${upper}[`);
  return isAbove(field, path) || isAbove(path, field);
}

function compare(before: unknown, after: unknown, path: Path): Found[] {
  if (isSame(before, after)) return [];
  if (isRecord(before) && isRecord(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => compare(before[key], after[key], [...path, { field: key }]));
  }
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, path);
  return [{ path, before, after }];
}

function compareLists(before: unknown[], after: unknown[], path: Path): Found[] {
  const last = path.at(-1);
  const keys = last && "field" in last ? keysOf(last.field, [before, after]) : null;
  if (keys) return compareKeyed(before.filter(isRecord), after.filter(isRecord), { keys, path });
  if ([...before, ...after].every((item) => typeof item === "string")) return compareTexts(before, after, path);
  return [{ path, before, after }];
}

function compareKeyed(before: Record<string, unknown>[], after: Record<string, unknown>[], at: { keys: readonly string[]; path: Path }): Found[] {
  const byKey = (items: Record<string, unknown>[]) => new Map(items.map((item) => [pathText([keyStep(item, at.keys)]), item]));
  const [left, right] = [byKey(before), byKey(after)];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) => {
    const [was, is] = [left.get(key), right.get(key)];
    const item = was ?? is;
    return item ? compare(was, is, [...at.path, keyStep(item, at.keys)]) : [];
  });
}

/** Arguments and the like: what went, what came, and what only changed its value (`--flag=1` to `--flag=2`). */
function compareTexts(before: unknown[], after: unknown[], path: Path): Found[] {
  const gone = before.filter((item) => !after.includes(item)).map(String);
  const come = after.filter((item) => !before.includes(item)).map(String);
  const nameOf = (text: string) => text.split("=")[0];
  const pairs = gone.map((was): Found => {
    const match = come.findIndex((is) => nameOf(is) === nameOf(was));
    return { path, before: was, after: match < 0 ? undefined : come.splice(match, 1)[0] };
  });
  const found = [...pairs, ...come.map((is): Found => ({ path, before: undefined, after: is }))];
  return found.length > 0 ? found : [{ path, before, after }];
}

function isSame(before: unknown, after: unknown): boolean {
  return canonicalJson(before) === canonicalJson(after) && typeof before === typeof after;
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
