import "server-only";
import { needResource } from "../data/resources";
import { at, clone, equal, listAt, numberAt, objectAt, put, textAt, type JsonObject } from "../json";
import { templateHash } from "../naming";
import { annotationsOf, controllerOf, isDeleting, nameOf, namespaceOf, ownerReference, uidOf, type KubeObject } from "../object";
import { deleteObject } from "../registry/deletion";
import { CONTROLLER_MANAGER, type ControlContext } from "./context";
import { availability, conditionsOf, countReplicas, deadlineIn, limitsOf, progress, setCondition, type Rollout } from "./deployment-status";
import { nextSizes } from "./rolling-update";
import { WorkQueue } from "./work-queue";

const COMPONENT = "deployment-controller";
const RESOURCE = "apps/deployments";
const SETS = "apps/replicasets";
const REVISION = "deployment.kubernetes.io/revision";
const HISTORY = "deployment.kubernetes.io/revision-history";
const DESIRED = "deployment.kubernetes.io/desired-replicas";
const MAX = "deployment.kubernetes.io/max-replicas";

/** Turns each Deployment into ReplicaSets and tells how the rollout goes. */
export class DeploymentController {
  readonly queue: WorkQueue;

  constructor(private readonly context: ControlContext) {
    this.queue = new WorkQueue(context.clock, (key) => this.sync(key));
    context.store.onChange(({ resource, object }) => {
      if (resource === RESOURCE) this.queue.add(keyOf(object));
      const owner = resource === SETS ? controllerOf(object) : undefined;
      if (owner?.kind === "Deployment") this.queue.add(`${namespaceOf(object)}/${owner.name}`);
    });
  }

  start(): void {
    for (const deployment of this.context.store.list(RESOURCE)) this.queue.add(keyOf(deployment));
  }

  private sync(key: string): void {
    const [namespace = "", name = ""] = key.split("/");
    const deployment = this.context.store.get(RESOURCE, namespace, name);
    if (!deployment) return;
    if (!isDeleting(deployment) && at(deployment, "spec", "paused") !== true) this.roll(deployment);
    const live = this.context.store.get(RESOURCE, namespace, name);
    if (live) this.writeStatus(live);
  }

  private setsOf(deployment: KubeObject): KubeObject[] {
    return this.context.store.list(SETS, namespaceOf(deployment)).filter((set) => controllerOf(set)?.uid === uidOf(deployment));
  }

  private rolloutOf(deployment: KubeObject): Rollout {
    const sets = this.setsOf(deployment);
    const wanted = withoutHash(objectAt(deployment, "spec", "template"));
    return { deployment, sets, newSet: sets.find((set) => equal(withoutHash(objectAt(set, "spec", "template")), wanted)) };
  }

  private roll(deployment: KubeObject): void {
    const { sets, newSet } = this.rolloutOf(deployment);
    const old = sets.filter((set) => set !== newSet);
    if (textAt(deployment, "spec", "strategy", "type") === "Recreate" && !this.isStopped(deployment, old)) return;
    const current = newSet ? this.adopt(deployment, newSet, old) : this.createSet(deployment, old);
    for (const { set, replicas } of nextSizes({ deployment, newSet: current, old })) this.scale(deployment, set, replicas);
    this.cleanUp(deployment, old);
  }

  /** Recreate: old sets go to zero, and nothing new starts until their pods are gone. */
  private isStopped(deployment: KubeObject, old: KubeObject[]): boolean {
    const running = old.filter((set) => (numberAt(set, "spec", "replicas") ?? 0) > 0);
    for (const set of running) this.scale(deployment, set, 0);
    const uids = new Set(old.map(uidOf));
    const pods = this.context.store.list("/pods", namespaceOf(deployment)).filter((pod) => uids.has(controllerOf(pod)?.uid ?? ""));
    return running.length === 0 && pods.length === 0;
  }

  private nextRevision(old: KubeObject[]): number {
    return old.reduce((most, set) => Math.max(most, Number(annotationsOf(set)[REVISION] ?? 0)), 0) + 1;
  }

  private createSet(deployment: KubeObject, old: KubeObject[]): KubeObject {
    const { registry } = this.context;
    const template = clone(objectAt(deployment, "spec", "template"));
    const hash = templateHash(template);
    const labels = { ...objectAt(template, "metadata", "labels"), "pod-template-hash": hash };
    put(template, ["metadata", "labels"], labels);
    const selector = clone(objectAt(deployment, "spec", "selector"));
    put(selector, ["matchLabels", "pod-template-hash"], hash);
    const revision = this.nextRevision(old);
    const [first] = nextSizes({ deployment, newSet: undefined, old });
    const replicas = first?.replicas ?? 0;
    const annotations = { ...inherited(deployment), ...this.sizes(deployment), [REVISION]: String(revision) };
    const metadata: JsonObject = {
      name: `${nameOf(deployment)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      annotations,
      ownerReferences: [ownerReference(deployment)],
    };
    const minReady = numberAt(deployment, "spec", "minReadySeconds");
    const spec: JsonObject = { replicas, selector, template, ...(minReady === undefined ? {} : { minReadySeconds: minReady }) };
    const set = registry.create(
      needResource(SETS),
      { apiVersion: "apps/v1", kind: "ReplicaSet", metadata, spec },
      { manager: CONTROLLER_MANAGER },
    );
    this.announce(deployment, revision, { reason: "NewReplicaSetCreated", message: `Created new replica set "${nameOf(set)}"` });
    if (replicas > 0) this.tellScale(deployment, set, { from: 0, to: replicas });
    return set;
  }

  /** A set of an earlier revision becomes the newest one again: its revision moves up. */
  private adopt(deployment: KubeObject, set: KubeObject, old: KubeObject[]): KubeObject {
    const before = Number(annotationsOf(set)[REVISION] ?? 0);
    const revision = Math.max(before, this.nextRevision(old));
    const history = [textAt(annotationsOf(set), HISTORY), String(before)].filter((part) => part !== undefined && part !== "").join(",");
    const changed = this.context.registry.modify(
      set,
      (draft) => {
        const moved = revision > before ? { [REVISION]: String(revision), [HISTORY]: history } : {};
        put(draft, ["metadata", "annotations"], { ...annotationsOf(draft), ...inherited(deployment), ...this.sizes(deployment), ...moved });
      },
      { manager: CONTROLLER_MANAGER },
    );
    this.announce(deployment, revision, { reason: "FoundNewReplicaSet", message: `Found new replica set "${nameOf(set)}"` });
    return changed;
  }

  private announce(deployment: KubeObject, revision: number, found: { reason: string; message: string }): void {
    const { registry } = this.context;
    const isNew = found.reason === "NewReplicaSetCreated";
    registry.modify(
      deployment,
      (draft) => {
        put(draft, ["metadata", "annotations"], { ...annotationsOf(draft), [REVISION]: String(revision) });
        const conditions = conditionsOf(draft);
        if (!isNew && conditions.some((condition) => condition.type === "Progressing")) return;
        put(draft, ["status", "conditions"], setCondition(conditions, { type: "Progressing", status: "True", ...found }, registry.now()));
      },
      { manager: CONTROLLER_MANAGER, subresource: "status" },
    );
  }

  private sizes(deployment: KubeObject): JsonObject {
    const replicas = numberAt(deployment, "spec", "replicas") ?? 1;
    return { [DESIRED]: String(replicas), [MAX]: String(replicas + limitsOf(deployment).maxSurge) };
  }

  private scale(deployment: KubeObject, set: KubeObject, to: number): void {
    const live = this.context.store.get(SETS, namespaceOf(set), nameOf(set)) ?? set;
    const from = numberAt(live, "spec", "replicas") ?? 0;
    if (from === to) return;
    this.context.registry.modify(
      live,
      (draft) => {
        put(draft, ["spec", "replicas"], to);
        put(draft, ["metadata", "annotations"], { ...annotationsOf(draft), ...this.sizes(deployment) });
      },
      { manager: CONTROLLER_MANAGER },
    );
    this.tellScale(deployment, live, { from, to });
  }

  private tellScale(deployment: KubeObject, set: KubeObject, { from, to }: { from: number; to: number }): void {
    const message = `Scaled ${to > from ? "up" : "down"} replica set ${nameOf(set)} from ${from} to ${to}`;
    this.context.events.record({ object: deployment, type: "Normal", reason: "ScalingReplicaSet", message, component: COMPONENT });
  }

  private cleanUp(deployment: KubeObject, old: KubeObject[]): void {
    const limit = numberAt(deployment, "spec", "revisionHistoryLimit") ?? 10;
    const revision = (set: KubeObject): number => Number(annotationsOf(set)[REVISION] ?? 0);
    const idle = old.filter(
      (set) => (numberAt(set, "spec", "replicas") ?? 0) === 0 && (numberAt(set, "status", "replicas") ?? 0) === 0 && !isDeleting(set),
    );
    const surplus = [...idle].sort((a, b) => revision(a) - revision(b)).slice(0, Math.max(0, idle.length - limit));
    for (const set of surplus) deleteObject(this.context.registry, needResource(SETS), { object: set });
  }

  private writeStatus(deployment: KubeObject): void {
    const { registry, clock } = this.context;
    const rollout = this.rolloutOf(deployment);
    const status = countReplicas(rollout);
    const moment = { now: clock.now(), time: registry.now() };
    const available = setCondition(conditionsOf(deployment), availability(deployment, status), moment.time);
    const progressed = isDeleting(deployment) ? available : progress(rollout, status, { conditions: available, ...moment });
    const conditions = this.withFailure(rollout, progressed, moment.time);
    registry.modify(deployment, (draft) => void (draft.status = { ...status, conditions }), {
      manager: CONTROLLER_MANAGER,
      subresource: "status",
    });
    const left = deadlineIn(deployment, conditions, moment.now);
    if (left !== undefined && left > 0) this.queue.addAfter(keyOf(deployment), left + 1000);
  }

  private withFailure({ newSet, sets }: Rollout, conditions: JsonObject[], time: string): JsonObject[] {
    const candidates = newSet ? [newSet, ...sets] : sets;
    const failures = candidates
      .flatMap((set) => listAt(set, "status", "conditions"))
      .filter((condition) => textAt(condition, "type") === "ReplicaFailure");
    const [failure] = failures;
    if (failure === undefined) return conditions.filter((condition) => condition.type !== "ReplicaFailure");
    const { reason, message } = objectAt(failure);
    return setCondition(conditions, { type: "ReplicaFailure", status: "True", reason: String(reason), message: String(message) }, time);
  }
}

function keyOf(object: KubeObject): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}

function withoutHash(template: JsonObject): JsonObject {
  const copy = clone(template);
  const labels = objectAt(copy, "metadata", "labels");
  delete labels["pod-template-hash"];
  return copy;
}

/** A Deployment's annotations go to its ReplicaSets, except those that tools keep for themselves. */
function inherited(deployment: KubeObject): JsonObject {
  const own = ["kubectl.kubernetes.io/last-applied-configuration", REVISION, HISTORY, DESIRED, MAX];
  return Object.fromEntries(Object.entries(annotationsOf(deployment)).filter(([key]) => !own.includes(key)));
}
