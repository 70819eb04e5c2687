import "server-only";
import { forbidden, type StatusError } from "../api/status";
import { needResource, type Resource } from "../data/resources";
import { listAt, objectAt, textMap, type JsonObject } from "../json";
import { nameOf, namespaceOf, type KubeObject } from "../object";
import { quantityValue, sumQuantities } from "../quantity";
import type { Store } from "../store/store";

/** What one pod counts against a quota: itself, and the sums of its requests and limits. */
function podUsage(pod: JsonObject, name: string): number {
  if (name === "pods" || name === "count/pods") return 1;
  const [side = "", ...rest] = name.split(".");
  const resource = side === "requests" || side === "limits" ? rest.join(".") : name;
  const list = side === "limits" ? "limits" : "requests";
  return sumQuantities(listAt(pod, "spec", "containers").map((container) => textMap(container, "resources", list)[resource]));
}

function usage(object: JsonObject, resource: Resource, name: string): number {
  if (resource.id === "/pods") return podUsage(object, name);
  const plain = [
    `count/${resource.plural}${resource.group === "" ? "" : `.${resource.group}`}`,
    resource.group === "" ? resource.plural : "",
  ];
  if (plain.includes(name)) return 1;
  if (resource.id !== "/persistentvolumeclaims" || name !== "requests.storage") return 0;
  return sumQuantities([textMap(object, "spec", "resources", "requests").storage]);
}

const counted = ["/pods", "/persistentvolumeclaims", "/services", "/configmaps", "/secrets"];

function isLive(object: KubeObject): boolean {
  const phase = objectAt(object, "status").phase;
  return phase !== "Succeeded" && phase !== "Failed";
}

/** How much of each entry of a quota the namespace uses now. */
export function quotaUsage(store: Store, quota: KubeObject): Record<string, number> {
  const names = Object.keys(textMap(quota, "spec", "hard"));
  const objects = counted.flatMap((id) =>
    store
      .list(id, namespaceOf(quota))
      .filter(isLive)
      .map((object) => ({ object, resource: needResource(id) })),
  );
  return Object.fromEntries(
    names.map((name) => [name, objects.reduce((sum, { object, resource }) => sum + usage(object, resource, name), 0)]),
  );
}

type Breach = { name: string; asked: number; used: number; hard: string };

/** Refuses what would exceed a ResourceQuota; the fault pretends a quota `sandbox-fault` that allows no GPU. */
export function checkQuota(
  store: Store,
  { resource, object, isForced }: { resource: Resource; object: JsonObject; isForced: boolean },
): void {
  if (isForced)
    throw refusal(resource, object, {
      quota: "sandbox-fault",
      breaches: [{ name: "requests.nvidia.com/gpu", asked: 1, used: 0, hard: "0" }],
    });
  if (!counted.includes(resource.id)) return;
  for (const quota of store.list("/resourcequotas", namespaceOf(object))) {
    const used = quotaUsage(store, quota);
    const breaches = Object.entries(textMap(quota, "spec", "hard"))
      .map(([name, hard]) => ({ name, asked: usage(object, resource, name), used: used[name] ?? 0, hard }))
      .filter(({ asked, used: before, hard }) => asked > 0 && before + asked > (quantityValue(hard) ?? 0));
    if (breaches.length > 0) throw refusal(resource, object, { quota: nameOf(quota), breaches });
  }
}

function refusal(resource: Resource, object: JsonObject, { quota, breaches }: { quota: string; breaches: Breach[] }): StatusError {
  const join = (pick: (breach: Breach) => number | string): string => breaches.map((breach) => `${breach.name}=${pick(breach)}`).join(",");
  const why = `exceeded quota: ${quota}, requested: ${join((breach) => breach.asked)}, used: ${join((breach) => breach.used)}, limited: ${join((breach) => breach.hard)}`;
  return forbidden(resource, nameOf(object), why);
}
