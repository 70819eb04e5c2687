import "server-only";
import { at, isObject, listAt, numberAt, objectAt, textAt, textMap, type Json, type JsonObject } from "../json";
import { isDeleting, nameOf, type KubeObject } from "../object";

export type Column = { name: string; wide?: boolean; cell: (object: KubeObject, age: (time: string | undefined) => string) => Json };

function text(name: string, ...path: string[]): Column {
  return { name, cell: (object) => at(object, ...path) ?? "" };
}

const nameColumn: Column = { name: "Name", cell: nameOf };
const ageColumn: Column = { name: "Age", cell: (object, age) => age(textAt(object, "metadata", "creationTimestamp")) };

function count(name: string, ...path: string[]): Column {
  return { name, cell: (object) => numberAt(object, ...path) ?? 0 };
}

function images(object: KubeObject): string {
  return listAt(object, "spec", "template", "spec", "containers")
    .map((container) => textAt(container, "image") ?? "")
    .join(",");
}

function selector(object: KubeObject): string {
  const labels = textMap(object, "spec", "selector", "matchLabels");
  return (
    Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(",") || "<none>"
  );
}

function podReady(pod: KubeObject): string {
  const statuses = listAt(pod, "status", "containerStatuses");
  return `${statuses.filter((status) => at(status, "ready") === true).length}/${listAt(pod, "spec", "containers").length}`;
}

/** One word for a pod, as kubectl shows it: the worst container's reason before the phase. */
export function podStatusWord(pod: KubeObject): string {
  if (isDeleting(pod)) return "Terminating";
  const reasons = listAt(pod, "status", "containerStatuses").map(
    (status) => textAt(status, "state", "waiting", "reason") ?? textAt(status, "state", "terminated", "reason"),
  );
  return reasons.find((reason) => reason !== undefined) ?? textAt(pod, "status", "reason") ?? textAt(pod, "status", "phase") ?? "Unknown";
}

function restarts(pod: KubeObject): Json {
  return listAt(pod, "status", "containerStatuses").reduce((sum: number, status) => sum + (numberAt(status, "restartCount") ?? 0), 0);
}

function nodeStatus(node: KubeObject): string {
  const ready = listAt(node, "status", "conditions").find((condition) => textAt(condition, "type") === "Ready");
  const word = textAt(ready, "status") === "True" ? "Ready" : "NotReady";
  return at(node, "spec", "unschedulable") === true ? `${word},SchedulingDisabled` : word;
}

function servicePorts(service: KubeObject): string {
  const show = (port: Json): string =>
    `${numberAt(port, "port")}${numberAt(port, "nodePort") ? `:${numberAt(port, "nodePort")}` : ""}/${textAt(port, "protocol")}`;
  return listAt(service, "spec", "ports").map(show).join(",") || "<none>";
}

function externalAddress(service: KubeObject): string {
  const addresses = listAt(service, "status", "loadBalancer", "ingress").map(
    (entry) => textAt(entry, "ip") ?? textAt(entry, "hostname") ?? "",
  );
  if (addresses.length > 0) return addresses.join(",");
  return textAt(service, "spec", "type") === "LoadBalancer" ? "<pending>" : "<none>";
}

function accessModes(object: KubeObject): string {
  const short: Record<string, string> = { ReadWriteOnce: "RWO", ReadOnlyMany: "ROX", ReadWriteMany: "RWX", ReadWriteOncePod: "RWOP" };
  return listAt(object, "spec", "accessModes")
    .map((mode) => short[String(mode)] ?? "")
    .join(",");
}

function keyCount(object: KubeObject): number {
  return Object.keys(objectAt(object, "data")).length;
}

function eventObject(event: KubeObject): string {
  return `${(textAt(event, "involvedObject", "kind") ?? "").toLowerCase()}/${textAt(event, "involvedObject", "name") ?? ""}`;
}

function roles(node: KubeObject): string {
  const prefix = "node-role.kubernetes.io/";
  const found = Object.keys(objectAt(node, "metadata", "labels")).filter((key) => key.startsWith(prefix));
  return found.map((key) => key.slice(prefix.length)).join(",") || "<none>";
}

const replicaColumns = [count("Ready", "status", "readyReplicas")];
const containerColumns: Column[] = [
  {
    name: "Containers",
    wide: true,
    cell: (object) =>
      listAt(object, "spec", "template", "spec", "containers")
        .map((item) => textAt(item, "name") ?? "")
        .join(","),
  },
  { name: "Images", wide: true, cell: images },
  { name: "Selector", wide: true, cell: selector },
];

const byKind: Record<string, Column[]> = {
  Deployment: [
    nameColumn,
    { name: "Ready", cell: (object) => `${numberAt(object, "status", "readyReplicas") ?? 0}/${numberAt(object, "spec", "replicas") ?? 0}` },
    count("Up-to-date", "status", "updatedReplicas"),
    count("Available", "status", "availableReplicas"),
    ageColumn,
    ...containerColumns,
  ],
  ReplicaSet: [
    nameColumn,
    count("Desired", "spec", "replicas"),
    count("Current", "status", "replicas"),
    ...replicaColumns,
    ageColumn,
    ...containerColumns,
  ],
  Pod: [
    nameColumn,
    { name: "Ready", cell: podReady },
    { name: "Status", cell: podStatusWord },
    { name: "Restarts", cell: restarts },
    ageColumn,
    { name: "IP", wide: true, cell: (pod) => textAt(pod, "status", "podIP") ?? "<none>" },
    { name: "Node", wide: true, cell: (pod) => textAt(pod, "spec", "nodeName") ?? "<none>" },
    { name: "Nominated Node", wide: true, cell: () => "<none>" },
    { name: "Readiness Gates", wide: true, cell: () => "<none>" },
  ],
  Node: [
    nameColumn,
    { name: "Status", cell: nodeStatus },
    { name: "Roles", cell: roles },
    ageColumn,
    text("Version", "status", "nodeInfo", "kubeletVersion"),
    { name: "Internal-IP", wide: true, cell: (node) => textAt(listAt(node, "status", "addresses")[0], "address") ?? "<none>" },
    { name: "External-IP", wide: true, cell: () => "<none>" },
    { ...text("OS-Image", "status", "nodeInfo", "osImage"), wide: true },
    { ...text("Kernel-Version", "status", "nodeInfo", "kernelVersion"), wide: true },
    { ...text("Container-Runtime", "status", "nodeInfo", "containerRuntimeVersion"), wide: true },
  ],
  Service: [
    nameColumn,
    text("Type", "spec", "type"),
    text("Cluster-IP", "spec", "clusterIP"),
    { name: "External-IP", cell: externalAddress },
    { name: "Port(s)", cell: servicePorts },
    ageColumn,
  ],
  Event: [
    { name: "Last Seen", cell: (event, age) => age(textAt(event, "lastTimestamp") ?? textAt(event, "eventTime")) },
    text("Type", "type"),
    text("Reason", "reason"),
    { name: "Object", cell: eventObject },
    text("Message", "message"),
    { ...nameColumn, wide: true },
  ],
  Namespace: [nameColumn, text("Status", "status", "phase"), ageColumn],
  PersistentVolumeClaim: [
    nameColumn,
    text("Status", "status", "phase"),
    text("Volume", "spec", "volumeName"),
    text("Capacity", "status", "capacity", "storage"),
    { name: "Access Modes", cell: accessModes },
    text("StorageClass", "spec", "storageClassName"),
    ageColumn,
  ],
  PersistentVolume: [
    nameColumn,
    text("Capacity", "spec", "capacity", "storage"),
    { name: "Access Modes", cell: accessModes },
    text("Status", "status", "phase"),
    text("StorageClass", "spec", "storageClassName"),
    ageColumn,
  ],
  ConfigMap: [nameColumn, { name: "Data", cell: keyCount }, ageColumn],
  Secret: [nameColumn, text("Type", "type"), { name: "Data", cell: keyCount }, ageColumn],
  StorageClass: [
    nameColumn,
    text("Provisioner", "provisioner"),
    text("ReclaimPolicy", "reclaimPolicy"),
    text("VolumeBindingMode", "volumeBindingMode"),
    ageColumn,
  ],
  Job: [
    nameColumn,
    { name: "Completions", cell: (job) => `${numberAt(job, "status", "succeeded") ?? 0}/${numberAt(job, "spec", "completions") ?? 1}` },
    ageColumn,
  ],
  Ingress: [
    nameColumn,
    { name: "Class", cell: (item) => textAt(item, "spec", "ingressClassName") ?? "<none>" },
    {
      name: "Hosts",
      cell: (item) =>
        listAt(item, "spec", "rules")
          .map((rule) => (isObject(rule) ? (textAt(rule, "host") ?? "*") : "*"))
          .join(","),
    },
    ageColumn,
  ],
  EndpointSlice: [nameColumn, text("AddressType", "addressType"), ageColumn],
};

export function columnsOf(kind: string): Column[] {
  return byKind[kind] ?? [nameColumn, ageColumn];
}

export function columnDefinition({ name, wide }: Column): JsonObject {
  return { name, type: "string", format: name === "Name" ? "name" : "", description: "", priority: wide === true ? 1 : 0 };
}
