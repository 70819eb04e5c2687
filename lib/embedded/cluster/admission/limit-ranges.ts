import "server-only";
import { isObject, listAt, objectAt, textMap, type JsonObject } from "../json";
import { namespaceOf } from "../object";
import type { Store } from "../store/store";

/** Fills in container limits and requests from the namespace's LimitRanges. */
export function applyLimitRanges(store: Store, pod: JsonObject): void {
  const items = store.list("/limitranges", namespaceOf(pod)).flatMap((range) => listAt(range, "spec", "limits"));
  for (const item of items) {
    if (!isObject(item) || item.type !== "Container") continue;
    for (const container of listAt(pod, "spec", "containers")) {
      if (!isObject(container)) continue;
      const resources = objectAt(container, "resources");
      const limits = { ...textMap(item, "default"), ...textMap(resources, "limits") };
      const requests = { ...textMap(item, "default"), ...textMap(item, "defaultRequest"), ...textMap(resources, "requests") };
      container.resources = { ...resources, ...withEntries("limits", limits), ...withEntries("requests", requests) };
    }
  }
}

function withEntries(name: string, list: Record<string, string>): JsonObject {
  return Object.keys(list).length > 0 ? { [name]: list } : {};
}
