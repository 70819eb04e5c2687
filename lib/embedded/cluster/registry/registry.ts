import "server-only";
import { randomUUID } from "node:crypto";
import { admitCreate, type AdmissionContext } from "../admission/admit";
import { alreadyExists, applyConflict, invalid, modified, notFound } from "../api/status";
import { applyConfiguration, trackScale, trackUpdate } from "../apply/apply";
import type { Manager } from "../apply/managed-fields";
import { timestamp } from "../clock";
import { needResource, type Resource } from "../data/resources";
import { applyDefaults } from "../defaults/kinds";
import { clone, equal, isObject, listAt, objectAt, put, textAt, type JsonObject } from "../json";
import { isDeleting, isKubeObject, nameOf, namespaceOf, type KubeObject } from "../object";
import { rootSchema } from "../schema/schema";
import { validate } from "../validation/validate";
import { randomSuffix } from "../naming";
import { prepareForCreate, prepareForUpdate } from "./prepare";

/** How a write is made: in whose name, through which subresource, and whether it is only tried. */
export type WriteOptions = { manager: string; subresource?: "status" | "scale"; dryRun?: boolean };

/** Every write to the store goes through here: defaults, admission, validation, ownership, generation. */
export class Registry {
  constructor(readonly context: AdmissionContext) {}

  get store(): AdmissionContext["store"] {
    return this.context.store;
  }

  now(): string {
    return timestamp(this.context.clock.now());
  }

  need(resource: Resource, namespace: string, name: string): KubeObject {
    const found = this.store.get(resource.id, namespace, name);
    if (!found) throw notFound(resource, name);
    return found;
  }

  /** Creates from a decoded object; `metadata.namespace` must be set for namespaced kinds. */
  create(resource: Resource, input: JsonObject, options: WriteOptions): KubeObject {
    const object = clone(input);
    if (nameOf(object) === "" && textAt(object, "metadata", "generateName") !== undefined) {
      put(object, ["metadata", "name"], `${textAt(object, "metadata", "generateName")}${randomSuffix()}`);
    }
    applyDefaults(object, resource.kind);
    const tracked = trackUpdate(
      { live: undefined, schema: rootSchema(resource), manager: this.manager(resource, options), time: this.now() },
      object,
    );
    return this.insert(resource, tracked, options);
  }

  /** Replaces an object; the resource version in it, if any, must be the stored one. */
  update(resource: Resource, input: JsonObject, options: WriteOptions): KubeObject {
    const live = this.need(resource, namespaceOf(input), nameOf(input));
    const version = textAt(input, "metadata", "resourceVersion");
    if (version !== undefined && version !== live.metadata.resourceVersion) throw modified(resource, nameOf(live));
    const next: JsonObject = { ...clone(input), metadata: keepIdentity(input, live) };
    applyDefaults(next, resource.kind);
    if (options.subresource === "status") {
      const changed = { ...live, metadata: { ...live.metadata, ...pick(next, ["annotations", "labels"]) }, status: next.status };
      return this.replace(resource, { live, next: changed }, options);
    }
    prepareForUpdate(next, live, resource);
    return this.replace(resource, { live, next }, options);
  }

  /** Changes a copy of a stored object by hand; for controllers, which may write status and annotations in one go. */
  modify(object: KubeObject, change: (draft: KubeObject) => void, options: WriteOptions): KubeObject {
    const resource = this.resourceOf(object);
    const live = this.store.get(resource.id, namespaceOf(object), nameOf(object));
    if (!live || live.metadata.uid !== object.metadata.uid) return object;
    const next = clone(live);
    change(next);
    if (options.subresource === undefined) {
      const status = next.status;
      prepareForUpdate(next, live, resource);
      if (status !== undefined) next.status = status;
    }
    return this.replace(resource, { live, next }, options);
  }

  /** Server-side apply of a decoded configuration. */
  apply(resource: Resource, configuration: JsonObject, options: WriteOptions & { force: boolean }): { object: KubeObject; isNew: boolean } {
    const live = this.store.get(resource.id, namespaceOf(configuration), nameOf(configuration));
    const manager: Manager = { ...this.manager(resource, options), operation: "Apply" };
    const write = { live, schema: rootSchema(resource), manager, time: this.now(), configuration, force: options.force };
    const { object: merged, conflicts } = applyConfiguration(write);
    if (conflicts.length > 0) throw applyConflict(conflicts);
    const object = clone(merged);
    applyDefaults(object, resource.kind);
    if (!live) return { object: this.insert(resource, object, options), isNew: true };
    const version = textAt(configuration, "metadata", "resourceVersion");
    if (version !== undefined && version !== live.metadata.resourceVersion) throw modified(resource, nameOf(live));
    if (options.subresource !== "status") prepareForUpdate(object, live, resource);
    return { object: this.finish(resource, { live, next: object }, options), isNew: false };
  }

  setScale(resource: Resource, { live, replicas }: { live: KubeObject; replicas: number }, options: WriteOptions): KubeObject {
    const next = clone<JsonObject>(live);
    put(next, ["spec", "replicas"], replicas);
    prepareForUpdate(next, live, resource);
    const write = {
      live,
      schema: rootSchema(resource),
      manager: this.manager(resource, { ...options, subresource: "scale" }),
      time: this.now(),
    };
    return this.finish(resource, { live, next: equal(next, live) ? next : trackScale(write, next, replicas) }, options);
  }

  resourceOf(object: KubeObject): Resource {
    const group = object.apiVersion.includes("/") ? object.apiVersion.split("/")[0] : "";
    const plural = this.context.pluralOf(object.apiVersion, object.kind);
    return needResource(`${group}/${plural}`);
  }

  private insert(resource: Resource, input: JsonObject, options: WriteOptions): KubeObject {
    const name = nameOf(input);
    admitCreate(this.context, resource, input);
    prepareForCreate(input, resource, this.store);
    const causes = validate(input, undefined);
    if (causes.length > 0) throw invalid(resource, name, causes);
    if (this.store.get(resource.id, namespaceOf(input), name)) throw alreadyExists(resource, name);
    const metadata = { ...objectAt(input, "metadata"), uid: randomUUID(), creationTimestamp: this.now() };
    const object: JsonObject = { ...input, metadata };
    if (!isKubeObject(object))
      throw invalid(resource, name, [{ reason: "FieldValueRequired", message: "Required value", field: "metadata.name" }]);
    if (options.dryRun === true) return object;
    return this.store.put(resource.id, object);
  }

  private replace(resource: Resource, { live, next }: { live: KubeObject; next: JsonObject }, options: WriteOptions): KubeObject {
    if (equal(next, live)) return live;
    const write = { live, schema: rootSchema(resource), manager: this.manager(resource, options), time: this.now() };
    return this.finish(resource, { live, next: trackUpdate(write, next) }, options);
  }

  private finish(resource: Resource, { live, next }: { live: KubeObject; next: JsonObject }, options: WriteOptions): KubeObject {
    if (options.subresource !== "status") {
      const causes = validate(next, live);
      if (causes.length > 0) throw invalid(resource, nameOf(live), causes);
    }
    if (!isKubeObject(next) || equal(next, live)) return live;
    if (options.dryRun === true) return next;
    if (isDeleting(next) && isFinished(next)) return this.store.remove(resource.id, next);
    return this.store.put(resource.id, next);
  }

  private manager(resource: Resource, options: WriteOptions): Manager {
    return { name: options.manager, operation: "Update", apiVersion: resource.groupVersion, subresource: options.subresource ?? "" };
  }
}

/** A deleted object leaves when nothing holds it: no finalizer, and for pods and namespaces, what runs in them is gone. */
function isFinished(object: KubeObject): boolean {
  if (listAt(object, "metadata", "finalizers").length > 0) return false;
  if (object.kind === "Pod") return object.metadata.deletionGracePeriodSeconds === 0;
  return object.kind !== "Namespace" || listAt(object, "spec", "finalizers").length === 0;
}

const serverOwned = [
  "uid",
  "creationTimestamp",
  "generation",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "managedFields",
  "namespace",
  "name",
  "resourceVersion",
];

function keepIdentity(input: JsonObject, live: KubeObject): KubeObject["metadata"] {
  const { name, uid, resourceVersion } = live.metadata;
  // Owners may be written like any field; none at all, or an empty list, keeps those that are there.
  const owners = listAt(input, "metadata", "managedFields").length > 0 ? pick(input, ["managedFields"]) : {};
  return { ...(isObject(input.metadata) ? input.metadata : {}), ...pick(live, serverOwned), ...owners, name, uid, resourceVersion };
}

function pick(object: JsonObject, keys: string[]): JsonObject {
  const metadata = objectAt(object, "metadata");
  return Object.fromEntries(keys.filter((key) => metadata[key] !== undefined).map((key) => [key, metadata[key]]));
}
