import "server-only";
import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from "./json";

export type Metadata = JsonObject & { name: string; uid: string; resourceVersion: string };

/** An object as the API stores it: kind, version and a complete metadata block. */
export type KubeObject = JsonObject & { apiVersion: string; kind: string; metadata: Metadata };

export function isKubeObject(value: Json | undefined): value is KubeObject {
  return (
    isObject(value) &&
    typeof value.apiVersion === "string" &&
    typeof value.kind === "string" &&
    textAt(value, "metadata", "name") !== undefined &&
    textAt(value, "metadata", "uid") !== undefined
  );
}

export function namespaceOf(object: JsonObject): string {
  return textAt(object, "metadata", "namespace") ?? "";
}

export function nameOf(object: JsonObject): string {
  return textAt(object, "metadata", "name") ?? "";
}

export function uidOf(object: JsonObject): string {
  return textAt(object, "metadata", "uid") ?? "";
}

export function labelsOf(object: JsonObject): JsonObject {
  return objectAt(object, "metadata", "labels");
}

export function annotationsOf(object: JsonObject): JsonObject {
  return objectAt(object, "metadata", "annotations");
}

export function isDeleting(object: JsonObject): boolean {
  return textAt(object, "metadata", "deletionTimestamp") !== undefined;
}

export type OwnerReference = { apiVersion: string; kind: string; name: string; uid: string; controller: boolean; blocks: boolean };

export function ownersOf(object: JsonObject): OwnerReference[] {
  return listAt(object, "metadata", "ownerReferences").map((owner) => ({
    apiVersion: textAt(owner, "apiVersion") ?? "",
    kind: textAt(owner, "kind") ?? "",
    name: textAt(owner, "name") ?? "",
    uid: textAt(owner, "uid") ?? "",
    controller: objectAt(owner).controller === true,
    blocks: objectAt(owner).blockOwnerDeletion === true,
  }));
}

export function controllerOf(object: JsonObject): OwnerReference | undefined {
  return ownersOf(object).find((owner) => owner.controller);
}

export function ownerReference(owner: KubeObject): JsonObject {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
}
