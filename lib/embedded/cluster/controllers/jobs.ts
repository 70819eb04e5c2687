import "server-only";
import { StatusError } from "../api/status";
import { needResource } from "../data/resources";
import { clone, listAt, numberAt, objectAt, put, textAt, type JsonObject } from "../json";
import { controllerOf, isDeleting, nameOf, namespaceOf, ownerReference, uidOf, type KubeObject } from "../object";
import { CONTROLLER_MANAGER, type ControlContext } from "./context";
import { WorkQueue } from "./work-queue";

const RESOURCE = "batch/jobs";

/** Runs each Job's pods until enough have succeeded or too many have failed. */
export class JobController {
  readonly queue: WorkQueue;

  constructor(private readonly context: ControlContext) {
    this.queue = new WorkQueue(context.clock, (key) => this.sync(key));
    context.store.onChange(({ resource, object }) => {
      if (resource === RESOURCE) this.queue.add(`${namespaceOf(object)}/${nameOf(object)}`);
      const owner = resource === "/pods" ? controllerOf(object) : undefined;
      if (owner?.kind === "Job") this.queue.add(`${namespaceOf(object)}/${owner.name}`);
    });
  }

  start(): void {
    for (const job of this.context.store.list(RESOURCE)) this.queue.add(`${namespaceOf(job)}/${nameOf(job)}`);
  }

  private sync(key: string): void {
    const [namespace = "", name = ""] = key.split("/");
    const job = this.context.store.get(RESOURCE, namespace, name);
    if (!job || isDeleting(job) || isOver(job)) return;
    const pods = this.context.store.list("/pods", namespace).filter((pod) => controllerOf(pod)?.uid === uidOf(job));
    const inPhase = (phase: string): number => pods.filter((pod) => textAt(pod, "status", "phase") === phase).length;
    const [succeeded, failed] = [inPhase("Succeeded"), inPhase("Failed")];
    const active = pods.length - succeeded - failed;
    const completions = numberAt(job, "spec", "completions") ?? 1;
    const isDone = succeeded >= completions;
    const isFailed = failed > (numberAt(job, "spec", "backoffLimit") ?? 6);
    const wanted = isDone || isFailed ? 0 : Math.min(numberAt(job, "spec", "parallelism") ?? 1, completions - succeeded);
    if (active < wanted) this.createPod(job);
    this.writeStatus(job, { active, succeeded, failed }, isDone ? "Complete" : isFailed ? "Failed" : undefined);
  }

  private createPod(job: KubeObject): void {
    const template = clone(objectAt(job, "spec", "template"));
    const labels = {
      ...objectAt(template, "metadata", "labels"),
      "batch.kubernetes.io/job-name": nameOf(job),
      "job-name": nameOf(job),
      "batch.kubernetes.io/controller-uid": uidOf(job),
    };
    const { annotations } = objectAt(template, "metadata");
    const metadata: JsonObject = {
      generateName: `${nameOf(job)}-`,
      namespace: namespaceOf(job),
      labels,
      ownerReferences: [ownerReference(job)],
    };
    if (annotations !== undefined) metadata.annotations = annotations;
    try {
      const pod = this.context.registry.create(
        needResource("/pods"),
        { apiVersion: "v1", kind: "Pod", metadata, spec: objectAt(template, "spec") },
        { manager: CONTROLLER_MANAGER },
      );
      this.tell(job, "Normal", { reason: "SuccessfulCreate", message: `Created pod: ${nameOf(pod)}` });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.tell(job, "Warning", { reason: "FailedCreate", message: `Error creating: ${error.message}` });
      this.queue.addAfter(`${namespaceOf(job)}/${nameOf(job)}`, 10_000);
    }
  }

  private writeStatus(job: KubeObject, counts: Record<string, number>, outcome: "Complete" | "Failed" | undefined): void {
    const { registry } = this.context;
    registry.modify(
      job,
      (draft) => {
        const status: JsonObject = { startTime: textAt(draft, "status", "startTime") ?? registry.now() };
        for (const [name, count] of Object.entries(counts)) if (count > 0) status[name] = count;
        if (outcome === "Complete") status.completionTime = registry.now();
        if (outcome !== undefined) status.conditions = [conditionFor(outcome, registry.now())];
        put(draft, ["status"], status);
      },
      { manager: CONTROLLER_MANAGER, subresource: "status" },
    );
    if (outcome === "Complete") this.tell(job, "Normal", { reason: "Completed", message: "Job completed" });
    if (outcome === "Failed")
      this.tell(job, "Warning", { reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" });
  }

  private tell(job: KubeObject, type: "Normal" | "Warning", event: { reason: string; message: string }): void {
    this.context.events.record({ object: job, type, ...event, component: "job-controller" });
  }
}

function isOver(job: KubeObject): boolean {
  return listAt(job, "status", "conditions").some((condition) => ["Complete", "Failed"].includes(textAt(condition, "type") ?? ""));
}

function conditionFor(outcome: "Complete" | "Failed", time: string): JsonObject {
  const common = { type: outcome, status: "True", lastProbeTime: time, lastTransitionTime: time };
  return outcome === "Complete"
    ? { ...common, reason: "CompletionsReached", message: "Reached expected number of succeeded pods" }
    : { ...common, reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" };
}
