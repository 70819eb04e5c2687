import "server-only";
import { isPodReady, conditionOf } from "../agent/pod-status";
import { StatusError } from "../api/status";
import { needResource } from "../data/resources";
import { clone, isObject, listAt, numberAt, objectAt, textAt, type JsonObject } from "../json";
import { controllerOf, isDeleting, nameOf, namespaceOf, ownerReference, uidOf, type KubeObject } from "../object";
import { deleteObject } from "../registry/deletion";
import { CONTROLLER_MANAGER, type ControlContext } from "./context";
import { WorkQueue } from "./work-queue";

const COMPONENT = "replicaset-controller";
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 300_000;
const RESOURCE = "apps/replicasets";

/** Keeps as many pods as each ReplicaSet asks for. */
export class ReplicaSetController {
  readonly queue: WorkQueue;
  private readonly failures = new Map<string, number>();

  constructor(private readonly context: ControlContext) {
    this.queue = new WorkQueue(context.clock, (key) => this.sync(key));
    context.store.onChange(({ resource, object }) => {
      if (resource === RESOURCE) this.queue.add(keyOf(object));
      const owner = resource === "/pods" ? controllerOf(object) : undefined;
      if (owner?.kind === "ReplicaSet") this.queue.add(`${namespaceOf(object)}/${owner.name}`);
    });
  }

  start(): void {
    for (const set of this.context.store.list(RESOURCE)) this.queue.add(keyOf(set));
  }

  private sync(key: string): void {
    const [namespace = "", name = ""] = key.split("/");
    const set = this.context.store.get(RESOURCE, namespace, name);
    if (!set) return;
    const active = this.podsOf(set).filter((pod) => !isDeleting(pod) && !isFinished(pod));
    const wanted = numberAt(set, "spec", "replicas") ?? 0;
    const failure = isDeleting(set) ? undefined : this.reconcile(set, active, wanted);
    this.writeStatus(set, failure);
  }

  private podsOf(set: KubeObject): KubeObject[] {
    return this.context.store.list("/pods", namespaceOf(set)).filter((pod) => controllerOf(pod)?.uid === uidOf(set));
  }

  private reconcile(set: KubeObject, active: KubeObject[], wanted: number): StatusError | undefined {
    const key = keyOf(set);
    if (active.length > wanted) for (const pod of surplus(active, active.length - wanted)) this.deletePod(set, pod);
    for (let count = active.length; count < wanted; count += 1) {
      const failure = this.createPod(set);
      if (!failure) continue;
      const attempts = this.failures.get(key) ?? 0;
      this.failures.set(key, attempts + 1);
      this.queue.addAfter(key, Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS));
      return failure;
    }
    this.failures.delete(key);
    return undefined;
  }

  private createPod(set: KubeObject): StatusError | undefined {
    const template = clone(objectAt(set, "spec", "template"));
    const { labels, annotations } = objectAt(template, "metadata");
    const metadata: JsonObject = { generateName: `${nameOf(set)}-`, namespace: namespaceOf(set), ownerReferences: [ownerReference(set)] };
    if (isObject(labels)) metadata.labels = labels;
    if (isObject(annotations) && Object.keys(annotations).length > 0) metadata.annotations = annotations;
    const pod = { apiVersion: "v1", kind: "Pod", metadata, spec: objectAt(template, "spec") };
    try {
      const created = this.context.registry.create(needResource("/pods"), pod, { manager: CONTROLLER_MANAGER });
      this.context.events.record({
        object: set,
        type: "Normal",
        reason: "SuccessfulCreate",
        message: `Created pod: ${nameOf(created)}`,
        component: COMPONENT,
      });
      return undefined;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.context.events.record({
        object: set,
        type: "Warning",
        reason: "FailedCreate",
        message: `Error creating: ${error.message}`,
        component: COMPONENT,
      });
      return error;
    }
  }

  private deletePod(set: KubeObject, pod: KubeObject): void {
    deleteObject(this.context.registry, needResource("/pods"), { object: pod });
    this.context.events.record({
      object: set,
      type: "Normal",
      reason: "SuccessfulDelete",
      message: `Deleted pod: ${nameOf(pod)}`,
      component: COMPONENT,
    });
  }

  private writeStatus(set: KubeObject, failure: StatusError | undefined): void {
    const { registry } = this.context;
    const pods = this.podsOf(set);
    const live = pods.filter((pod) => !isDeleting(pod) && !isFinished(pod));
    const ready = live.filter(isPodReady);
    const available = ready.filter((pod) => this.isAvailable(set, pod));
    const terminating = pods.filter(isDeleting).length;
    registry.modify(
      set,
      (draft) => {
        const status: JsonObject = { replicas: live.length };
        if (live.length > 0) status.fullyLabeledReplicas = live.length;
        if (ready.length > 0) status.readyReplicas = ready.length;
        if (available.length > 0) status.availableReplicas = available.length;
        status.terminatingReplicas = terminating;
        status.observedGeneration = numberAt(set, "metadata", "generation") ?? 1;
        if (failure) status.conditions = [failureCondition(draft, failure, registry.now())];
        draft.status = status;
      },
      { manager: CONTROLLER_MANAGER, subresource: "status" },
    );
  }

  private isAvailable(set: KubeObject, pod: KubeObject): boolean {
    const seconds = numberAt(set, "spec", "minReadySeconds") ?? 0;
    const since = Date.parse(textAt(conditionOf(pod, "Ready"), "lastTransitionTime") ?? "");
    const wait = since + seconds * 1000 - this.context.clock.now();
    if (seconds === 0 || wait <= 0) return true;
    this.queue.addAfter(keyOf(set), wait);
    return false;
  }
}

function failureCondition(set: KubeObject, failure: StatusError, time: string): JsonObject {
  const before = listAt(set, "status", "conditions").find((condition) => textAt(condition, "type") === "ReplicaFailure");
  const lastTransitionTime = textAt(before, "lastTransitionTime") ?? time;
  // The first message stays, as retries differ only in the generated pod name.
  const message = textAt(before, "message") ?? failure.message;
  return { type: "ReplicaFailure", status: "True", lastTransitionTime, reason: "FailedCreate", message };
}

function keyOf(object: KubeObject): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}

function isFinished(pod: KubeObject): boolean {
  const phase = textAt(pod, "status", "phase");
  return phase === "Succeeded" || phase === "Failed";
}

/** Pods to give up first: not assigned, then pending, then not ready, then the youngest. */
function surplus(pods: KubeObject[], count: number): KubeObject[] {
  const rank = (pod: KubeObject): number => {
    if (textAt(pod, "spec", "nodeName") === undefined) return 0;
    if (textAt(pod, "status", "phase") === "Pending") return 1;
    return isPodReady(pod) ? 3 : 2;
  };
  return [...pods]
    .sort((a, b) => rank(a) - rank(b) || Number(b.metadata.resourceVersion) - Number(a.metadata.resourceVersion))
    .slice(0, count);
}
