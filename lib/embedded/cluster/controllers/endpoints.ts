import "server-only";
import { isPodReady } from "../agent/pod-status";
import { matchesMap } from "../api/selectors";
import { needResource } from "../data/resources";
import { listAt, numberAt, objectAt, put, textAt, type Json, type JsonObject } from "../json";
import { randomSuffix } from "../naming";
import { isDeleting, labelsOf, nameOf, namespaceOf, ownerReference, uidOf, type KubeObject } from "../object";
import { CONTROLLER_MANAGER, type ControlContext } from "./context";
import { WorkQueue } from "./work-queue";

const SLICES = "discovery.k8s.io/endpointslices";
const SERVICE_NAME = "kubernetes.io/service-name";

/** Keeps an EndpointSlice and an Endpoints object for every Service with a selector. */
export class EndpointsController {
  readonly queue: WorkQueue;

  constructor(private readonly context: ControlContext) {
    this.queue = new WorkQueue(context.clock, (key) => this.sync(key));
    context.store.onChange(({ resource, object }) => {
      if (resource === "/services") this.queue.add(`${namespaceOf(object)}/${nameOf(object)}`);
      if (resource === "/pods") this.addServicesOf(object);
    });
  }

  start(): void {
    for (const service of this.context.store.list("/services")) this.queue.add(`${namespaceOf(service)}/${nameOf(service)}`);
  }

  private addServicesOf(pod: KubeObject): void {
    for (const service of this.context.store.list("/services", namespaceOf(pod))) {
      if (matchesMap(objectAt(service, "spec", "selector"), labelsOf(pod))) this.queue.add(`${namespaceOf(service)}/${nameOf(service)}`);
    }
  }

  private sync(key: string): void {
    const [namespace = "", name = ""] = key.split("/");
    const { store } = this.context;
    const service = store.get("/services", namespace, name);
    if (!service || isDeleting(service) || textAt(store.get("/namespaces", "", namespace), "status", "phase") !== "Active") return;
    const selector = objectAt(service, "spec", "selector");
    if (Object.keys(selector).length === 0) return;
    const pods = store
      .list("/pods", namespace)
      .filter((pod) => matchesMap(selector, labelsOf(pod)) && textAt(pod, "status", "podIP") !== undefined);
    const running = pods.filter((pod) => !["Succeeded", "Failed"].includes(textAt(pod, "status", "phase") ?? ""));
    this.writeSlice(service, running);
    this.writeEndpoints(
      service,
      running.filter((pod) => !isDeleting(pod)),
    );
  }

  private writeSlice(service: KubeObject, pods: KubeObject[]): void {
    const { store, registry } = this.context;
    const existing = store.list(SLICES, namespaceOf(service)).find((slice) => labelsOf(slice)[SERVICE_NAME] === nameOf(service));
    const endpoints = pods.length > 0 ? pods.map(endpointOf) : null;
    const ports = pods.length > 0 ? portsOf(service, pods) : null;
    if (existing) {
      registry.modify(existing, (draft) => void Object.assign(draft, { endpoints, ports }), { manager: CONTROLLER_MANAGER });
      return;
    }
    const labels = { "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io", [SERVICE_NAME]: nameOf(service) };
    const metadata = {
      name: `${nameOf(service)}-${randomSuffix()}`,
      namespace: namespaceOf(service),
      labels,
      ownerReferences: [ownerReference(service)],
    };
    registry.create(
      needResource(SLICES),
      { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata, addressType: "IPv4", endpoints, ports },
      { manager: CONTROLLER_MANAGER },
    );
  }

  private writeEndpoints(service: KubeObject, pods: KubeObject[]): void {
    const { store, registry } = this.context;
    const ready = pods.filter(isPodReady).map(addressOf);
    const notReady = pods.filter((pod) => !isPodReady(pod)).map(addressOf);
    const subset: JsonObject = {
      ...(ready.length > 0 ? { addresses: ready } : {}),
      ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}),
      ports: portsOf(service, pods),
    };
    const subsets = pods.length > 0 ? [subset] : undefined;
    const existing = store.get("/endpoints", namespaceOf(service), nameOf(service));
    if (existing) {
      registry.modify(existing, (draft) => put(draft, ["subsets"], subsets), { manager: CONTROLLER_MANAGER });
      return;
    }
    const metadata = { name: nameOf(service), namespace: namespaceOf(service), ownerReferences: [ownerReference(service)] };
    registry.create(
      needResource("/endpoints"),
      { apiVersion: "v1", kind: "Endpoints", metadata, ...(subsets ? { subsets } : {}) },
      { manager: CONTROLLER_MANAGER },
    );
  }
}

function reference(pod: KubeObject): JsonObject {
  return { kind: "Pod", namespace: namespaceOf(pod), name: nameOf(pod), uid: uidOf(pod) };
}

function endpointOf(pod: KubeObject): JsonObject {
  const ready = isPodReady(pod);
  const conditions = { ready: ready && !isDeleting(pod), serving: ready, terminating: isDeleting(pod) };
  return {
    addresses: [textAt(pod, "status", "podIP") ?? ""],
    conditions,
    targetRef: reference(pod),
    nodeName: textAt(pod, "spec", "nodeName") ?? null,
  };
}

function addressOf(pod: KubeObject): JsonObject {
  return { ip: textAt(pod, "status", "podIP") ?? "", nodeName: textAt(pod, "spec", "nodeName") ?? null, targetRef: reference(pod) };
}

/** Service ports with the number that the pods' named port stands for. */
function portsOf(service: KubeObject, pods: KubeObject[]): Json[] {
  const containerPorts = pods
    .slice(0, 1)
    .flatMap((pod) => listAt(pod, "spec", "containers"))
    .flatMap((container) => listAt(container, "ports"));
  return listAt(service, "spec", "ports").map((port) => {
    const named = containerPorts.find((item) => textAt(item, "name") === textAt(port, "targetPort"));
    const number = numberAt(port, "targetPort") ?? numberAt(named, "containerPort") ?? numberAt(port, "port") ?? 0;
    return { name: textAt(port, "name") ?? "", protocol: textAt(port, "protocol") ?? "TCP", port: number };
  });
}
