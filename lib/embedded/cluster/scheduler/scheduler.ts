import "server-only";
import { faultOf } from "../admission/admit";
import { setPodCondition } from "../agent/pod-status";
import type { ControlContext } from "../controllers/context";
import { claimsOf, type VolumeController } from "../controllers/volumes";
import { WorkQueue } from "../controllers/work-queue";
import { listAt, numberAt, objectAt, put, textAt } from "../json";
import { isDeleting, nameOf, namespaceOf, type KubeObject } from "../object";
import { explain, refuse, refuseEverywhere, type Refusal } from "./filters";
import { allocatableOf, podRequests, takenOn } from "./resources";

const GPU = "nvidia.com/gpu";
const COMPONENT = "default-scheduler";
const wakers = new Set(["/nodes", "/persistentvolumeclaims", "/persistentvolumes", "storage.k8s.io/storageclasses"]);

/** Finds a node for each pod that has none, and says why when there is none. */
export class Scheduler {
  readonly queue: WorkQueue;

  constructor(
    private readonly context: ControlContext,
    private readonly volumes: VolumeController,
  ) {
    this.queue = new WorkQueue(context.clock, (key) => this.schedule(key));
    context.store.onChange(({ resource, object, type }) => {
      if (resource === "/pods" && type === "ADDED") this.queue.add(keyOf(object));
      const frees =
        resource === "/pods" && (type === "DELETED" || ["Succeeded", "Failed"].includes(textAt(object, "status", "phase") ?? ""));
      if (frees || wakers.has(resource)) this.start();
    });
    context.faults.onChange(() => this.start());
  }

  /** Looks again at every waiting pod. */
  start(): void {
    for (const pod of this.context.store.list("/pods")) if (isWaiting(pod)) this.queue.add(keyOf(pod));
  }

  private schedule(key: string): void {
    const [namespace = "", name = ""] = key.split("/");
    const { store } = this.context;
    const pod = store.get("/pods", namespace, name);
    if (!pod || !isWaiting(pod)) return;
    const fault = faultOf(this.context, pod);
    const nodes = store.list("/nodes");
    const everywhere = refuseEverywhere(pod, store, fault);
    if (everywhere !== undefined) return this.fail(pod, `0/${nodes.length} nodes are available: ${everywhere}`);
    const pods = store.list("/pods");
    const refusals: Refusal[] = [];
    const fitting: KubeObject[] = [];
    for (const node of nodes) {
      const refusal = refuse({ pod, node, pods, store, fault });
      if (refusal) refusals.push(refusal);
      else fitting.push(node);
    }
    const [best] = fitting.sort((a, b) => cost(pod, a, pods) - cost(pod, b, pods) || (nameOf(a) < nameOf(b) ? -1 : 1));
    if (best) this.bind(pod, best);
    else this.fail(pod, explain(refusals));
  }

  private bind(pod: KubeObject, node: KubeObject): void {
    const { store, registry, events } = this.context;
    for (const name of claimsOf(pod)) {
      const claim = store.get("/persistentvolumeclaims", namespaceOf(pod), name);
      if (claim && textAt(claim, "status", "phase") === "Pending") this.volumes.provision(claim, node);
    }
    registry.modify(
      pod,
      (draft) => {
        put(draft, ["spec", "nodeName"], nameOf(node));
        const status = objectAt(draft, "status");
        setPodCondition(status, { type: "PodScheduled", status: "True" }, registry.now());
      },
      { manager: "kube-scheduler", subresource: "status" },
    );
    const message = `Successfully assigned ${namespaceOf(pod)}/${nameOf(pod)} to ${nameOf(node)}`;
    events.record({ object: pod, type: "Normal", reason: "Scheduled", message, component: COMPONENT });
  }

  private fail(pod: KubeObject, message: string): void {
    const { registry, events } = this.context;
    const before = listAt(pod, "status", "conditions").find((condition) => textAt(condition, "type") === "PodScheduled");
    if (textAt(before, "message") === message) return;
    registry.modify(
      pod,
      (draft) => {
        const observedGeneration = numberAt(draft, "metadata", "generation") ?? 1;
        const condition = { type: "PodScheduled", observedGeneration, status: "False", reason: "Unschedulable", message } as const;
        setPodCondition(objectAt(draft, "status"), condition, registry.now());
      },
      { manager: "kube-scheduler", subresource: "status" },
    );
    events.record({ object: pod, type: "Warning", reason: "FailedScheduling", message, component: COMPONENT });
  }
}

function keyOf(pod: KubeObject): string {
  return `${namespaceOf(pod)}/${nameOf(pod)}`;
}

function isWaiting(pod: KubeObject): boolean {
  return (
    textAt(pod, "spec", "nodeName") === undefined &&
    !isDeleting(pod) &&
    textAt(pod, "spec", "schedulerName") === "default-scheduler" &&
    listAt(pod, "spec", "schedulingGates").length === 0
  );
}

/** Lower is better: no GPU node for a pod without GPU, then the fewest idle GPUs left over, then the emptiest. */
function cost(pod: KubeObject, node: KubeObject, pods: KubeObject[]): number {
  const gpus = allocatableOf(node)[GPU] ?? 0;
  const wanted = podRequests(pod)[GPU] ?? 0;
  return (gpus - wanted) * 1000 + (takenOn(node, pods).pods ?? 0);
}
