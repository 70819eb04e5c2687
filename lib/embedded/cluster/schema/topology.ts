import "server-only";

/** Lists that are merged item by item: which fields tell items apart (Kubernetes API reference, "listMapKey"). */
const keysByField: Record<string, string[]> = {
  "V1Container.ports": ["containerPort", "protocol"],
  "V1EphemeralContainer.ports": ["containerPort", "protocol"],
  "V1Container.volumeDevices": ["devicePath"],
  "V1Container.volumeMounts": ["mountPath"],
  "V1EphemeralContainer.volumeMounts": ["mountPath"],
  "V1Container.env": ["name"],
  "V1EphemeralContainer.env": ["name"],
  "V1PodSpec.containers": ["name"],
  "V1PodSpec.initContainers": ["name"],
  "V1PodSpec.ephemeralContainers": ["name"],
  "V1PodSpec.imagePullSecrets": ["name"],
  "V1PodSpec.resourceClaims": ["name"],
  "V1PodSpec.schedulingGates": ["name"],
  "V1PodSpec.volumes": ["name"],
  "V1PodSpec.hostAliases": ["ip"],
  "V1PodSpec.topologySpreadConstraints": ["topologyKey", "whenUnsatisfiable"],
  "V1PodStatus.podIPs": ["ip"],
  "V1ResourceRequirements.claims": ["name"],
  "V1ServiceAccount.secrets": ["name"],
  "V1ServiceSpec.ports": ["port", "protocol"],
  "V1NodeStatus.addresses": ["type"],
  "V1ObjectMeta.ownerReferences": ["uid"],
  "V1CSINodeSpec.drivers": ["name"],
};

const sets = new Set(["V1ObjectMeta.finalizers", "V1NodeSpec.podCIDRs", "V1Endpoint.addresses", "V1CSIDriverSpec.volumeLifecycleModes"]);

const atomicFields = new Set(["V1PodSpec.nodeSelector", "V1ReplicationControllerSpec.selector", "V1ServiceSpec.selector"]);

const atomicTypes = new Set([
  "V1CrossVersionObjectReference",
  "V1ConfigMapKeySelector",
  "V1EndpointAddress",
  "CoreV1EndpointPort",
  "DiscoveryV1EndpointPort",
  "V1LabelSelector",
  "V1LocalObjectReference",
  "V1NodeSelector",
  "V1NodeSelectorTerm",
  "V1ObjectFieldSelector",
  "V1ObjectReference",
  "V1OwnerReference",
  "V1ResourceFieldSelector",
  "V1RoleRef",
  "V1ScopeSelector",
  "V1SecretKeySelector",
  "V1SecretReference",
  "V1ServiceBackendPort",
  "V1TopologySelectorTerm",
  "V1TypedLocalObjectReference",
]);

/** Values that stand in for an absent key field, as the API's defaults do. */
export const keyDefaults: Record<string, string> = { protocol: "TCP" };

export function listKeys(field: string): string[] | undefined {
  return keysByField[field] ?? (field.endsWith("Status.conditions") ? ["type"] : undefined);
}

export function isSetField(field: string): boolean {
  return sets.has(field);
}

export function isAtomic(field: string, type: string): boolean {
  return atomicFields.has(field) || atomicTypes.has(type);
}
