/**
 * The fields of live Kubernetes objects that Lectern reads. Everything the API may leave out is optional: these types describe what
 * comes from a cluster, they do not validate it.
 */
export type LiveMeta = {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: { kind: string; name: string; uid?: string; controller?: boolean }[];
};

export type LiveCondition = {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  lastUpdateTime?: string;
};

export type LiveDeployment = {
  metadata: LiveMeta;
  spec?: { replicas?: number; strategy?: { type?: string; rollingUpdate?: { maxUnavailable?: number | string } } };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    conditions?: LiveCondition[];
  };
};

export type LiveReplicaSet = { metadata: LiveMeta; spec?: { replicas?: number }; status?: { replicas?: number } };

export type LiveContainerState = {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string };
  terminated?: { exitCode?: number; reason?: string; message?: string; startedAt?: string; finishedAt?: string };
};

export type LiveContainerStatus = {
  name: string;
  ready?: boolean;
  started?: boolean;
  restartCount?: number;
  state?: LiveContainerState;
  lastState?: LiveContainerState;
};

export type LiveToleration = { key?: string; operator?: string; value?: string; effect?: string };

export type LiveNodeExpression = { key: string; operator: string; values?: string[] };

export type LivePod = {
  metadata: LiveMeta;
  spec?: {
    nodeName?: string;
    nodeSelector?: Record<string, string>;
    tolerations?: LiveToleration[];
    affinity?: {
      nodeAffinity?: {
        requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms: { matchExpressions?: LiveNodeExpression[] }[] };
      };
    };
    containers?: { name: string; resources?: { requests?: Record<string, string>; limits?: Record<string, string> } }[];
    volumes?: { name: string; persistentVolumeClaim?: { claimName: string } }[];
  };
  status?: {
    phase?: string;
    reason?: string;
    message?: string;
    startTime?: string;
    conditions?: LiveCondition[];
    containerStatuses?: LiveContainerStatus[];
    initContainerStatuses?: LiveContainerStatus[];
  };
};

export type LiveEvent = {
  metadata?: LiveMeta;
  type?: string;
  reason?: string;
  message?: string;
  count?: number;
  involvedObject: { kind: string; name: string; uid?: string };
  eventTime?: string | null;
  lastTimestamp?: string | null;
  firstTimestamp?: string | null;
  series?: { lastObservedTime?: string };
};

export type LiveNode = {
  metadata: LiveMeta;
  spec?: { taints?: { key: string; value?: string; effect: string }[]; unschedulable?: boolean };
  status?: { allocatable?: Record<string, string>; conditions?: LiveCondition[] };
};

export type LiveClaim = { metadata: LiveMeta; spec?: { storageClassName?: string; accessModes?: string[] }; status?: { phase?: string } };

export function condition(conditions: LiveCondition[] | undefined, type: string): LiveCondition | undefined {
  return conditions?.find((each) => each.type === type);
}

/** The newest time that an event carries; any of the fields may be missing or null. */
export function eventTime(event: LiveEvent): string | null {
  const times = [event.series?.lastObservedTime, event.lastTimestamp, event.eventTime, event.firstTimestamp].filter(
    (each): each is string => typeof each === "string",
  );
  return times.sort().at(-1) ?? null;
}

const revisionAnnotation = "deployment.kubernetes.io/revision";

/** The replica set of the deployment's present revision: a rollback raises the number of an old one, so age says nothing. */
export function currentReplicaSet(deployment: LiveDeployment, replicaSets: readonly LiveReplicaSet[]): LiveReplicaSet | undefined {
  const revision = (each: { metadata: LiveMeta }) => Number(each.metadata.annotations?.[revisionAnnotation] ?? 0);
  const owned = replicaSets.filter(
    (each) => each.metadata.ownerReferences?.every((owner) => owner.name === deployment.metadata.name) ?? true,
  );
  return [...owned].sort((left, right) => revision(right) - revision(left))[0];
}

/** Pods that a replica set made and that are not on their way out. */
export function podsOf(replicaSet: LiveReplicaSet | undefined, pods: readonly LivePod[]): LivePod[] {
  return pods.filter(
    (pod) => !pod.metadata.deletionTimestamp && pod.metadata.ownerReferences?.some((owner) => owner.name === replicaSet?.metadata.name),
  );
}
