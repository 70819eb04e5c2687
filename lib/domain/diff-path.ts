/** One step of a path: a field, an item of a keyed list by its key fields, or an item of a plain list by its place. */
export type Step = { field: string } | { keys: Record<string, unknown> } | { index: number };
export type Path = readonly Step[];

type Loose = Record<string, unknown>;

/** Key fields of Kubernetes' list types, by the list's own name; the first set that every item carries counts. Source: the API's OpenAPI `x-kubernetes-list-map-keys`. */
const listKeys: Record<string, readonly (readonly string[])[]> = {
  containers: [["name"]],
  initContainers: [["name"]],
  env: [["name"]],
  volumes: [["name"]],
  imagePullSecrets: [["name"]],
  volumeMounts: [["mountPath"]],
  topologySpreadConstraints: [["topologyKey", "whenUnsatisfiable"]],
  ports: [
    ["containerPort", "protocol"],
    ["port", "protocol"],
  ],
};

/** The path as API servers write it in conflicts: `.spec.containers[name="vllm"].image`. */
export function pathText(path: Path): string {
  return path
    .map((step) => {
      if ("field" in step) return `.${step.field}`;
      if ("index" in step) return `[${step.index}]`;
      return `[${Object.entries(step.keys)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(",")}]`;
    })
    .join("");
}

/** The key fields by which the items of both lists are told apart, or null for lists that are compared as a whole. */
export function keysOf(listName: string, lists: readonly (readonly unknown[])[]): readonly string[] | null {
  const items = lists.flat();
  const candidates = listKeys[listName] ?? [];
  return candidates.find((keys) => items.every((item) => isRecord(item) && keys.every((key) => key === "protocol" || item[key] !== undefined))) ?? null;
}

/** The step to an item of a keyed list. A port without a protocol is TCP, as the API server fills in. */
export function keyStep(item: Loose, keys: readonly string[]): { keys: Record<string, unknown> } {
  return { keys: Object.fromEntries(keys.map((key) => [key, item[key] ?? (key === "protocol" ? "TCP" : "")])) };
}

export function isRecord(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type ManagedFields = { manager?: string; subresource?: string; fieldsV1?: unknown };

/** Who owns a field of a live object by its `managedFields`, in the order given there; empty when nobody does (a server default). */
export function ownersOf(live: unknown, path: Path): string[] {
  const metadata = isRecord(live) && isRecord(live.metadata) ? live.metadata : {};
  const entries: ManagedFields[] = Array.isArray(metadata.managedFields) ? metadata.managedFields.filter(isRecord) : [];
  const owners = entries.filter((entry) => entry.subresource !== "status" && owns(entry.fieldsV1, path)).flatMap((entry) => entry.manager ?? []);
  return [...new Set(owners)];
}

function owns(fields: unknown, path: Path): boolean {
  let at = fields;
  for (const [depth, step] of path.entries()) {
    if (!isRecord(at)) return false;
    const name = "field" in step ? `f:${step.field}` : "keys" in step ? `k:${sortedJson(step.keys)}` : undefined;
    const next = name === undefined ? undefined : at[name];
    // A field without members is owned as a whole: what lies below it belongs to the same manager.
    if (next === undefined) return depth > 0 && Object.keys(at).length === 0;
    at = next;
  }
  return true;
}

function sortedJson(keys: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(keys).sort(([left], [right]) => (left < right ? -1 : 1))));
}
