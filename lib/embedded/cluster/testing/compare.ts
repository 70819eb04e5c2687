import "server-only";
import { isObject, type Json } from "../json";

export type Ignored = { path: RegExp; reason: string };

/** The one list of what a replay does not compare, each with its reason. */
export const ignored: Ignored[] = [
  { path: /\.metadata\.(uid|resourceVersion|creationTimestamp|deletionTimestamp)$/, reason: "made anew for every object" },
  { path: /\.details\.uid$/, reason: "made anew for every object" },
  { path: /(^|\.)ownerReferences\[\d+\]\.uid$/, reason: "made anew for every object" },
  { path: /\.metadata\.managedFields\[[^\]]*\]\.time$/, reason: "the moment of the write" },
  { path: /\.metadata\.continue$/, reason: "holds a resource version" },
  { path: /\.(lastUpdateTime|lastTransitionTime|lastHeartbeatTime)$/, reason: "the moment of the change" },
  { path: /\.serverAddressByClientCIDRs\[0\]\.serverAddress$/, reason: "the port is chosen at start" },
  { path: /\.spec\.(clusterIP|clusterIPs\[0\])$/, reason: "allocated at random" },
  { path: /\.userInfo\.extra\./, reason: "the id of one token" },
  { path: /\.userInfo\.uid$/, reason: "made anew for every object" },
  {
    path: /\.status\.conditions(\[\d+\].*)?$/,
    reason: "controllers run beside the API: how far they are when the next request comes is chance",
  },
  {
    path: /\.status\.(observedGeneration|replicas|updatedReplicas|unavailableReplicas|terminatingReplicas|readyReplicas|availableReplicas)$/,
    reason: "as above",
  },
  { path: /^(\.items\[\d+\])?\.metadata\.annotations$/, reason: "the deployment controller writes the revision there: as above" },
  { path: /\.ca\.crt$/, reason: "the cluster's own certificate" },
  { path: /\.managedFields\[kube-controller-manager\]/, reason: "which status fields the controller had written: as above" },
  { path: /\.nonResourceRules/, reason: "the recorded server has one more role, for /.well-known, and lists them in another order" },
];

function isIgnored(path: string): boolean {
  return ignored.some((rule) => rule.path.test(path));
}

/** Entries of managedFields are compared by who wrote them, as their order follows the clock. */
function named(path: string, list: Json[]): [string, Json][] {
  if (!path.endsWith(".managedFields")) return list.map((item, index) => [`${path}[${index}]`, item]);
  const entries = list.map((item): [string, Json] => [`${path}[${isObject(item) ? `${String(item.manager)}` : ""}]`, item]);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Every difference between what was recorded and what the sandbox answered. */
export function differences(expected: Json | undefined, actual: Json | undefined, path = ""): string[] {
  if (isIgnored(path)) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const left = new Map(named(path, expected));
    const right = new Map(named(path, actual));
    return compareEntries(left, right);
  }
  if (isObject(expected) && isObject(actual)) {
    return compareEntries(
      new Map(Object.entries(expected).map(([key, value]) => [`${path}.${key}`, value])),
      new Map(Object.entries(actual).map(([key, value]) => [`${path}.${key}`, value])),
    );
  }
  return expected === actual ? [] : [`${path}: recorded ${JSON.stringify(expected)}, answered ${JSON.stringify(actual)}`];
}

function compareEntries(left: Map<string, Json | undefined>, right: Map<string, Json | undefined>): string[] {
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) => differences(left.get(key), right.get(key), key));
}
