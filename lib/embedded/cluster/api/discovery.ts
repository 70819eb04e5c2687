import "server-only";
import { discoveryEntries, groupVersions, type DiscoveryEntry } from "../data/resources";
import type { JsonObject } from "../json";
import type { Reply } from "./request";

export const VERSION: JsonObject = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: "v1.36.2",
  gitCommit: "$Format:%H$",
  gitTreeState: "",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "go1.26.10",
  compiler: "gc",
  platform: "linux/amd64",
};

const plain = "text/plain; charset=utf-8";
const aggregated = /g=apidiscovery\.k8s\.io;v=v2(;|,|$)/;

type Group = { name: string; versions: string[] };

function apiGroups(): Group[] {
  const groups = new Map<string, string[]>();
  for (const groupVersion of groupVersions) {
    const [group = "", version] = groupVersion.split("/");
    if (version !== undefined) groups.set(group, [...(groups.get(group) ?? []), version]);
  }
  return [...groups].map(([name, versions]) => ({ name, versions }));
}

function toGroup({ name, versions }: Group): JsonObject {
  const listed = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: listed, preferredVersion: listed[0] };
}

/** The one-request form of discovery that newer clients ask for. */
function aggregate(groups: Group[]): Reply {
  const items = groups.map(({ name, versions }) => ({
    metadata: { name, creationTimestamp: null },
    versions: versions.map((version) => ({ version, resources: aggregatedResources(name, version), freshness: "Current" })),
  }));
  const body = { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", metadata: {}, items };
  return { status: 200, body, contentType: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" };
}

function aggregatedResources(group: string, version: string): JsonObject[] {
  const groupVersion = group === "" ? version : `${group}/${version}`;
  const entries = discoveryEntries(groupVersion) ?? [];
  const describe = (entry: DiscoveryEntry): JsonObject => ({
    responseKind: { group: entry.group ?? group, version: entry.version ?? version, kind: entry.kind },
    verbs: entry.verbs,
  });
  return entries
    .filter(({ name }) => !name.includes("/"))
    .map((entry) => {
      const subresources = entries.filter(({ name }) => name.startsWith(`${entry.name}/`));
      const described: JsonObject = {
        resource: entry.name,
        scope: entry.namespaced ? "Namespaced" : "Cluster",
        singularResource: entry.singularName,
        ...describe(entry),
      };
      if (entry.shortNames) described.shortNames = entry.shortNames;
      if (entry.categories) described.categories = entry.categories;
      if (subresources.length > 0)
        described.subresources = subresources.map((item) => ({ subresource: item.name.split("/")[1], ...describe(item) }));
      return described;
    });
}

/** Answers the paths that describe the server; undefined for all others. */
export function answerDiscovery(path: string, accept: string, address: string): Reply | undefined {
  const trimmed = path.replace(/\/$/, "");
  if (trimmed === "/version") return { status: 200, body: VERSION };
  if (["/readyz", "/livez", "/healthz"].includes(trimmed)) return { status: 200, body: "ok", contentType: plain };
  if (trimmed === "/api") {
    if (aggregated.test(accept)) return aggregate([{ name: "", versions: ["v1"] }]);
    const serverAddressByClientCIDRs = [{ clientCIDR: "0.0.0.0/0", serverAddress: address }];
    return { status: 200, body: { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs } };
  }
  if (trimmed === "/apis") {
    if (aggregated.test(accept)) return aggregate(apiGroups());
    return { status: 200, body: { kind: "APIGroupList", apiVersion: "v1", groups: apiGroups().map(toGroup) } };
  }
  return answerGroup(trimmed);
}

function answerGroup(path: string): Reply | undefined {
  const match = /^\/(?:api|apis)\/(.+)$/.exec(path);
  const name = match?.[1] ?? "";
  const entries = path.startsWith("/api/") && name.includes("/") ? undefined : discoveryEntries(name);
  if (entries) {
    const head =
      name === "v1" ? { kind: "APIResourceList", groupVersion: name } : { kind: "APIResourceList", apiVersion: "v1", groupVersion: name };
    return { status: 200, body: { ...head, resources: entries } };
  }
  const group = path.startsWith("/apis/") ? apiGroups().find((item) => item.name === name) : undefined;
  return group ? { status: 200, body: { kind: "APIGroup", apiVersion: "v1", ...toGroup(group) } } : undefined;
}

export const pageNotFound: Reply = { status: 404, body: "404 page not found\n", contentType: plain };
