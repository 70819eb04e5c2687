import "server-only";
import type { ControlContext } from "../controllers/context";
import { listAt, textAt } from "../json";
import { isDeleting, uidOf, type KubeObject } from "../object";
import type { Change } from "../store/store";
import { isPodReady } from "./pod-status";
import { PodRunner, type NodeShared } from "./pod-runner";

/** Runs the pods of all nodes. */
export class NodeAgent {
  private readonly runners = new Map<string, PodRunner>();
  private addresses = 0;
  /** Addresses of pods that are there. */
  private readonly taken = new Set<string>();
  private isStopped = false;
  private readonly shared: NodeShared = { images: new Set(), nextAddress: () => this.nextAddress() };

  constructor(private readonly context: ControlContext) {
    context.store.onChange((change) => this.hear(change));
    context.faults.onChange(() => this.retryBlocked());
  }

  start(): void {
    for (const pod of this.context.store.list("/pods")) {
      this.rememberAddress(pod);
      this.rememberImage(pod);
      this.take(pod);
    }
  }

  stop(): void {
    this.isStopped = true;
    for (const runner of this.runners.values()) runner.cancel();
    this.runners.clear();
  }

  private hear({ resource, type, object }: Change): void {
    if (resource === "/pods" && type !== "DELETED") this.rememberAddress(object);
    if (resource === "/pods" && type === "DELETED") this.drop(object);
    // After the change is complete: runners write to the store themselves.
    else if (resource === "/pods") setImmediate(() => this.take(object));
    if (["/secrets", "/configmaps"].includes(resource) || (resource === "/pods" && type === "DELETED"))
      setImmediate(() => this.retryBlocked());
  }

  private take(seen: KubeObject): void {
    if (this.isStopped) return;
    const uid = uidOf(seen);
    const pod = this.context.store.get("/pods", textAt(seen, "metadata", "namespace") ?? "", seen.metadata.name);
    if (!pod || uidOf(pod) !== uid || textAt(pod, "spec", "nodeName") === undefined) return;
    const known = this.runners.get(uid);
    const isEnded = ["Succeeded", "Failed"].includes(textAt(pod, "status", "phase") ?? "");
    const runner = known ?? new PodRunner(this.context, pod, this.shared);
    if (!known && isEnded && !isDeleting(pod)) return;
    if (!known) {
      this.runners.set(uid, runner);
      if (isPodReady(pod)) runner.resume();
      else if (!isDeleting(pod)) runner.start();
    }
    if (isDeleting(pod)) runner.stop();
  }

  private drop(pod: KubeObject): void {
    this.runners.get(uidOf(pod))?.cancel();
    this.runners.delete(uidOf(pod));
    this.context.logs.forget(uidOf(pod));
    this.taken.delete(textAt(pod, "status", "podIP") ?? "");
  }

  private rememberAddress(pod: KubeObject): void {
    const address = textAt(pod, "status", "podIP");
    if (address !== undefined) this.taken.add(address);
  }

  private retryBlocked(): void {
    if (this.isStopped) return;
    for (const runner of this.runners.values()) if (runner.isBlocked) runner.start();
  }

  private rememberImage(pod: KubeObject): void {
    if (!isPodReady(pod)) return;
    const node = textAt(pod, "spec", "nodeName");
    for (const container of listAt(pod, "spec", "containers")) this.shared.images.add(`${node} ${textAt(container, "image")}`);
  }

  private nextAddress(): string {
    let address: string;
    do {
      this.addresses = (this.addresses % 65_000) + 1;
      address = `10.88.${Math.floor(this.addresses / 250)}.${(this.addresses % 250) + 1}`;
    } while (this.taken.has(address));
    return address;
  }
}
