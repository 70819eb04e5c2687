import "server-only";
import groups from "./api-groups.json";

export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** One served resource, such as `deployments` of `apps/v1`, with its discovery entry. */
export type Resource = {
  group: string;
  version: string;
  groupVersion: string;
  /** `group/plural`: where its objects are stored. */
  id: string;
  plural: string;
  singular: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
  subresources: string[];
};

/** One line of an APIResourceList, a resource or a subresource. */
export type DiscoveryEntry = {
  name: string;
  singularName: string;
  namespaced: boolean;
  kind: string;
  verbs: string[];
  group?: string;
  version?: string;
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
};

const catalog: { groupVersion: string; resources: DiscoveryEntry[] }[] = groups;

/** Kinds that are another view of objects stored elsewhere. */
const storedAs: Record<string, string> = { "events.k8s.io/events": "/events" };

function toResource(groupVersion: string, entry: DiscoveryEntry, all: DiscoveryEntry[]): Resource {
  const [version = "v1", group = ""] = groupVersion.split("/").reverse();
  const own = `${group}/${entry.name}`;
  const subresources = all.filter(({ name }) => name.startsWith(`${entry.name}/`)).map(({ name }) => name.slice(entry.name.length + 1));
  const { name: plural, singularName: singular, kind, namespaced, verbs } = entry;
  return { group, version, groupVersion, id: storedAs[own] ?? own, plural, singular, kind, namespaced, verbs, subresources };
}

export const resources: Resource[] = catalog.flatMap(({ groupVersion, resources: entries }) =>
  entries.filter(({ name }) => !name.includes("/")).map((entry) => toResource(groupVersion, entry, entries)),
);

export const groupVersions: string[] = catalog.map(({ groupVersion }) => groupVersion);

export function discoveryEntries(groupVersion: string): DiscoveryEntry[] | undefined {
  return catalog.find((group) => group.groupVersion === groupVersion)?.resources;
}

export function findResource(groupVersion: string, plural: string): Resource | undefined {
  return resources.find((resource) => resource.groupVersion === groupVersion && resource.plural === plural);
}

export function findKind(apiVersion: string, kind: string): Resource | undefined {
  return resources.find((resource) => resource.groupVersion === apiVersion && resource.kind === kind);
}

/** Any resource whose objects are stored under this id, preferred version first. */
export function resourceById(id: string): Resource | undefined {
  return resources.find((resource) => resource.id === id);
}

export function needResource(id: string): Resource {
  const found = resourceById(id);
  if (!found) throw new Error(`The sandbox has no resource ${id}.`);
  return found;
}

/** How messages name a resource: `deployments.apps`, or `pods` of the core group. */
export function qualifiedName(resource: Resource): string {
  return resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
}

export function qualifiedKind(resource: Resource): string {
  return resource.group === "" ? resource.kind : `${resource.kind}.${resource.group}`;
}

export function findKindPlural(apiVersion: string, kind: string): string {
  return findKind(apiVersion, kind)?.plural ?? "";
}
