import "server-only";
import type { Cause } from "../api/status";
import { at, equal, listAt, objectAt, textAt, type Json, type JsonObject } from "../json";
import { quantityValue } from "../quantity";
import { notAllowed, required, unsupported } from "./field-error";

const modes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

export function validateClaim(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = objectAt(object, "spec");
  const accessModes = listAt(spec, "accessModes");
  const wrong = accessModes.filter((mode) => typeof mode !== "string" || !modes.includes(mode));
  const own = [
    ...(accessModes.length === 0 ? [required("spec.accessModes", "at least 1 access mode is required")] : []),
    ...wrong.map((mode) => unsupported("spec.accessModes", mode, modes)),
    ...(textAt(spec, "resources", "requests", "storage") === undefined ? [required("spec.resources[storage]")] : []),
  ];
  return old ? [...own, ...validateChange(object, old)] : own;
}

function validateChange(object: JsonObject, old: JsonObject): Cause[] {
  const isBound = textAt(old, "status", "phase") === "Bound";
  const comparable = (claim: JsonObject): JsonObject => {
    const { volumeName: _volume, resources, ...rest } = objectAt(claim, "spec");
    return isBound ? rest : { ...rest, resources };
  };
  const rule = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  if (!equal(comparable(object), comparable(old))) {
    return [notAllowed("spec", `${rule}\n${unifiedDiff(dump(old), dump(object))}`)];
  }
  const before = quantityValue(textAt(old, "status", "capacity", "storage") ?? "0") ?? 0;
  const after = quantityValue(textAt(object, "spec", "resources", "requests", "storage") ?? "0") ?? 0;
  return after < before ? [notAllowed("spec.resources.requests.storage", "field can not be less than status.capacity")] : [];
}

/** The spec as the server prints it in the message: its internal field names, every field, one space of indent. */
function dump(claim: JsonObject): string[] {
  const spec = objectAt(claim, "spec");
  const or = (field: string, empty: Json): Json => at(spec, field) ?? empty;
  const printed = {
    AccessModes: or("accessModes", null),
    Selector: or("selector", null),
    Resources: { Limits: at(spec, "resources", "limits") ?? null, Requests: at(spec, "resources", "requests") ?? null },
    VolumeName: or("volumeName", ""),
    StorageClassName: or("storageClassName", null),
    VolumeMode: or("volumeMode", null),
    DataSource: or("dataSource", null),
    DataSourceRef: or("dataSourceRef", null),
    VolumeAttributesClassName: or("volumeAttributesClassName", null),
  };
  return JSON.stringify(printed, null, 1).split("\n");
}

const CONTEXT = 3;

/** One hunk around the changed lines. */
function unifiedDiff(before: string[], after: string[]): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < before.length - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const from = Math.max(0, start - CONTEXT);
  const oldEnd = before.length - tail;
  const newEnd = after.length - tail;
  const trailing = before.slice(oldEnd, oldEnd + CONTEXT);
  const head = `@@ -${from + 1},${oldEnd + trailing.length - from} +${from + 1},${newEnd + trailing.length - from} @@`;
  const body = [
    ...before.slice(from, start).map((line) => ` ${line}`),
    ...before.slice(start, oldEnd).map((line) => `-${line}`),
    ...after.slice(start, newEnd).map((line) => `+${line}`),
    ...trailing.map((line) => ` ${line}`),
  ];
  return `${[head, ...body].join("\n")}\n`;
}
