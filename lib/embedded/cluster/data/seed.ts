import "server-only";
import { bootstrapRoles } from "../access/bootstrap-roles";
import type { JsonObject } from "../json";
import type { Registry } from "../registry/registry";
import { findKind } from "./resources";
import { sandboxNodes } from "./nodes";

function storageClass(name: string, mode: "Immediate" | "WaitForFirstConsumer", isDefault: boolean): JsonObject {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name, ...(isDefault ? { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } } : {}) },
    provisioner: "disk.sandbox.lectern.dev",
    volumeBindingMode: mode,
    allowVolumeExpansion: true,
  };
}

const namespaces: JsonObject[] = ["default", "kube-system", "kube-public", "kube-node-lease"].map((name) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name },
}));

const apiService: JsonObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "kubernetes", namespace: "default", labels: { component: "apiserver", provider: "kubernetes" } },
  spec: { clusterIP: "10.96.0.1", ports: [{ name: "https", port: 443, targetPort: 6443 }] },
};

/** Writes what a cluster has on its first day: namespaces, roles, storage classes and nodes. */
export function seedCluster(registry: Registry): void {
  const objects = [
    ...namespaces,
    ...bootstrapRoles(),
    storageClass("standard-rwo", "WaitForFirstConsumer", true),
    storageClass("standard-immediate", "Immediate", false),
    apiService,
    ...sandboxNodes(registry.now()),
  ];
  for (const object of objects) {
    const resource = findKind(String(object.apiVersion), String(object.kind));
    if (resource) registry.create(resource, object, { manager: "lectern-sandbox" });
  }
}
