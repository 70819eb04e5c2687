import "server-only";
import { isObject, objectAt, type JsonObject } from "../json";
import { defaultPodRequests, defaultPodSpec } from "./pod";
import { eachObject, setDefaults } from "./set";

type Defaulter = (object: JsonObject, spec: JsonObject) => void;

function defaultTemplate(spec: JsonObject): void {
  if (!isObject(spec.template)) return;
  setDefaults(spec.template, { metadata: {} });
  if (isObject(spec.template.spec)) defaultPodSpec(spec.template.spec);
}

function defaultDeployment(_object: JsonObject, spec: JsonObject): void {
  defaultTemplate(spec);
  setDefaults(spec, { replicas: 1, strategy: {}, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = objectAt(spec, "strategy");
  setDefaults(strategy, { type: "RollingUpdate" });
  if (strategy.type !== "RollingUpdate") return;
  setDefaults(strategy, { rollingUpdate: {} });
  setDefaults(objectAt(strategy, "rollingUpdate"), { maxUnavailable: "25%", maxSurge: "25%" });
}

function defaultService(_object: JsonObject, spec: JsonObject): void {
  setDefaults(spec, { type: "ClusterIP", sessionAffinity: "None" });
  if (spec.type !== "ExternalName") setDefaults(spec, { internalTrafficPolicy: "Cluster" });
  if (spec.type === "LoadBalancer") setDefaults(spec, { allocateLoadBalancerNodePorts: true });
  if (spec.type === "LoadBalancer" || spec.type === "NodePort") setDefaults(spec, { externalTrafficPolicy: "Cluster" });
  eachObject(spec.ports, (port) => setDefaults(port, { protocol: "TCP", targetPort: port.port }));
}

function defaultJob(_object: JsonObject, spec: JsonObject): void {
  defaultTemplate(spec);
  setDefaults(spec, {
    parallelism: 1,
    completions: 1,
    backoffLimit: 6,
    completionMode: "NonIndexed",
    suspend: false,
    podReplacementPolicy: "TerminatingOrFailed",
  });
}

function defaultPolicy(_object: JsonObject, spec: JsonObject): void {
  for (const rules of [spec.ingress, spec.egress]) {
    eachObject(rules, (rule) => eachObject(rule.ports, (port) => setDefaults(port, { protocol: "TCP" })));
  }
  setDefaults(spec, { policyTypes: spec.egress === undefined ? ["Ingress"] : ["Ingress", "Egress"] });
}

function defaultSecret(object: JsonObject): void {
  setDefaults(object, { type: "Opaque" });
  if (!isObject(object.stringData)) return;
  const data: JsonObject = { ...objectAt(object, "data") };
  for (const [key, value] of Object.entries(object.stringData)) data[key] = Buffer.from(String(value)).toString("base64");
  object.data = data;
  delete object.stringData;
}

function defaultBinding(object: JsonObject): void {
  if (isObject(object.roleRef)) setDefaults(object.roleRef, { apiGroup: "rbac.authorization.k8s.io" });
  eachObject(object.subjects, (subject) => {
    if (subject.kind === "User" || subject.kind === "Group") setDefaults(subject, { apiGroup: "rbac.authorization.k8s.io" });
  });
}

const defaulters: Record<string, Defaulter> = {
  Pod: (_object, spec) => {
    defaultPodSpec(spec);
    defaultPodRequests(spec);
    setDefaults(spec, { enableServiceLinks: true });
  },
  Deployment: defaultDeployment,
  ReplicaSet: (_object, spec) => {
    defaultTemplate(spec);
    setDefaults(spec, { replicas: 1 });
  },
  StatefulSet: (_object, spec) => {
    defaultTemplate(spec);
    setDefaults(spec, { replicas: 1, podManagementPolicy: "OrderedReady", revisionHistoryLimit: 10 });
  },
  DaemonSet: (_object, spec) => defaultTemplate(spec),
  Job: defaultJob,
  Service: defaultService,
  PersistentVolumeClaim: (_object, spec) => setDefaults(spec, { volumeMode: "Filesystem" }),
  PersistentVolume: (_object, spec) => setDefaults(spec, { volumeMode: "Filesystem", persistentVolumeReclaimPolicy: "Retain" }),
  StorageClass: (object) => setDefaults(object, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  NetworkPolicy: defaultPolicy,
  HorizontalPodAutoscaler: (_object, spec) => setDefaults(spec, { minReplicas: 1 }),
  Secret: defaultSecret,
  PriorityClass: (object) => setDefaults(object, { preemptionPolicy: "PreemptLowerPriority" }),
  RoleBinding: defaultBinding,
  ClusterRoleBinding: defaultBinding,
  Namespace: (object, spec) => {
    setDefaults(object, { spec });
    const labels = objectAt(object, "metadata", "labels");
    labels["kubernetes.io/metadata.name"] = objectAt(object, "metadata").name;
    objectAt(object, "metadata").labels = labels;
  },
};

/** Fills in the defaults that the API server would, in place. */
export function applyDefaults(object: JsonObject, kind: string): void {
  defaulters[kind]?.(object, objectAt(object, "spec"));
}
