import "server-only";
import { randomInt } from "node:crypto";
import type { Resource } from "../data/resources";
import { equal, isObject, listAt, objectAt, put, textAt, type JsonObject } from "../json";
import { podQos } from "../agent/pod-qos";
import type { Store } from "../store/store";

/** Kinds whose metadata.generation counts changes of what was asked for. */
const counted = new Set(
  "Deployment ReplicaSet StatefulSet DaemonSet Job CronJob Pod NetworkPolicy Ingress IngressClass PodDisruptionBudget EndpointSlice PriorityClass ReplicationController".split(
    " ",
  ),
);

const firstStatus: Record<string, JsonObject> = {
  Deployment: {},
  ReplicaSet: { replicas: 0 },
  Job: {},
  PersistentVolumeClaim: { phase: "Pending" },
  PersistentVolume: { phase: "Pending" },
  Service: { loadBalancer: {} },
  Ingress: { loadBalancer: {} },
  Namespace: { phase: "Active" },
  PodDisruptionBudget: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  HorizontalPodAutoscaler: { desiredReplicas: 0, currentMetrics: null },
  ResourceQuota: {},
};

const protection: Record<string, string> = {
  PersistentVolumeClaim: "kubernetes.io/pvc-protection",
  PersistentVolume: "kubernetes.io/pv-protection",
};

export function hasStatusSubresource(resource: Resource): boolean {
  return resource.subresources.includes("status");
}

/** What the server itself writes into a new object: status, generation, addresses, protection. */
export function prepareForCreate(object: JsonObject, resource: Resource, store: Store): void {
  const { kind } = resource;
  if (counted.has(kind)) put(object, ["metadata", "generation"], 1);
  // Nodes register themselves with a status; every other kind starts with the server's own.
  if (kind !== "Node" && hasStatusSubresource(resource)) delete object.status;
  if (kind === "Pod") object.status = { phase: "Pending", qosClass: podQos(object) };
  const status = firstStatus[kind];
  if (status) object.status = structuredClone(status);
  const finalizer = protection[kind];
  if (finalizer !== undefined) put(object, ["metadata", "finalizers"], [...listAt(object, "metadata", "finalizers"), finalizer]);
  if (kind === "Namespace") put(object, ["spec", "finalizers"], ["kubernetes"]);
  if (kind === "Service") allocateAddress(object, store);
}

function allocateAddress(service: JsonObject, store: Store): void {
  const spec = objectAt(service, "spec");
  if (spec.type === "ExternalName") return;
  const taken = new Set(store.list("/services").map((other) => textAt(other, "spec", "clusterIP")));
  let address = textAt(spec, "clusterIP");
  while (address === undefined || (address !== "None" && taken.has(address))) address = `10.96.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  spec.clusterIP = address;
  spec.clusterIPs = [address];
  spec.ipFamilies = ["IPv4"];
  spec.ipFamilyPolicy = "SingleStack";
  if (spec.type === "NodePort" || spec.type === "LoadBalancer") {
    for (const port of listAt(spec, "ports")) if (isObject(port)) port.nodePort ??= randomInt(30000, 32768);
  }
}

/** Keeps what this endpoint may not change, and counts the generation. */
export function prepareForUpdate(next: JsonObject, live: JsonObject, resource: Resource): void {
  if (hasStatusSubresource(resource)) put(next, ["status"], live.status);
  if (resource.kind === "Service") keepAllocated(next, live);
  if (counted.has(resource.kind) && !equal(content(next), content(live))) {
    const { generation } = objectAt(live, "metadata");
    put(next, ["metadata", "generation"], typeof generation === "number" ? generation + 1 : 1);
  }
}

function keepAllocated(next: JsonObject, live: JsonObject): void {
  const spec = objectAt(next, "spec");
  for (const field of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"]) spec[field] ??= objectAt(live, "spec")[field];
}

function content(object: JsonObject): JsonObject {
  const { metadata: _metadata, status: _status, ...rest } = object;
  return rest;
}
