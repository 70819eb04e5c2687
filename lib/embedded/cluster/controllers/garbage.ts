import "server-only";
import { needResource } from "../data/resources";
import { listAt, put } from "../json";
import { isDeleting, namespaceOf, ownersOf, uidOf, type KubeObject } from "../object";
import { deleteObject } from "../registry/deletion";
import type { Change } from "../store/store";
import { CONTROLLER_MANAGER, type ControlContext } from "./context";
import { WorkQueue } from "./work-queue";

type Owned = { id: string; object: KubeObject };

/** Deletes what belonged to objects that are gone, and carries out foreground and orphan deletion. */
export class GarbageCollector {
  readonly queue: WorkQueue;

  constructor(private readonly context: ControlContext) {
    this.queue = new WorkQueue(context.clock, (uid) => this.sync(uid));
    context.store.onChange((change) => this.hear(change));
  }

  start(): void {
    const { store } = this.context;
    const alive = new Set(store.resources().flatMap((id) => store.list(id).map(uidOf)));
    const named = store.resources().flatMap((id) => store.list(id).flatMap((object) => ownersOf(object).map((owner) => owner.uid)));
    for (const uid of named) if (!alive.has(uid)) this.queue.add(uid);
    for (const id of store.resources()) for (const object of store.list(id)) if (isDeleting(object)) this.queue.add(uidOf(object));
  }

  private hear({ type, resource, object }: Change): void {
    // Events own nothing, and old ones go all the time.
    if (resource === "/events") return;
    if (type === "DELETED") {
      this.queue.add(uidOf(object));
      for (const owner of ownersOf(object)) this.queue.add(owner.uid);
    } else if (isDeleting(object)) this.queue.add(uidOf(object));
  }

  private sync(uid: string): void {
    const owner = this.find(uid);
    const dependents = this.dependentsOf(uid);
    if (!owner) return this.collect(dependents, "Background");
    if (!isDeleting(owner.object)) return;
    const finalizers = listAt(owner.object, "metadata", "finalizers");
    if (finalizers.includes("orphan")) this.orphan(owner, dependents);
    if (!finalizers.includes("foregroundDeletion")) return;
    this.collect(
      dependents.filter(({ object }) => !isDeleting(object)),
      "Foreground",
    );
    const blocking = this.dependentsOf(uid).filter(({ object }) => ownersOf(object).some((entry) => entry.uid === uid && entry.blocks));
    if (blocking.length === 0) this.release(owner.object, "foregroundDeletion");
  }

  private find(uid: string): Owned | undefined {
    const { store } = this.context;
    for (const id of store.resources()) {
      const object = store.list(id).find((item) => uidOf(item) === uid);
      if (object) return { id, object };
    }
    return undefined;
  }

  private dependentsOf(uid: string): Owned[] {
    const { store } = this.context;
    return store.resources().flatMap((id) =>
      store
        .list(id)
        .filter((object) => ownersOf(object).some((owner) => owner.uid === uid))
        .map((object) => ({ id, object })),
    );
  }

  private collect(dependents: Owned[], propagation: "Background" | "Foreground"): void {
    for (const { id, object } of dependents) {
      const hasOtherOwner = ownersOf(object).some((owner) => this.find(owner.uid) && !isDeleting(this.find(owner.uid)?.object ?? object));
      const isLive = this.context.store.get(id, namespaceOf(object), object.metadata.name) !== undefined;
      const isLeaf = this.dependentsOf(uidOf(object)).length === 0;
      if (isLive && !hasOtherOwner && !isDeleting(object)) {
        deleteObject(this.context.registry, needResource(id), isLeaf ? { object } : { object, propagation });
      }
    }
  }

  private orphan(owner: Owned, dependents: Owned[]): void {
    for (const { object } of dependents) {
      this.context.registry.modify(
        object,
        (draft) => {
          const left = listAt(draft, "metadata", "ownerReferences").filter(
            (_, index) => ownersOf(draft)[index]?.uid !== uidOf(owner.object),
          );
          put(draft, ["metadata", "ownerReferences"], left.length > 0 ? left : undefined);
        },
        { manager: CONTROLLER_MANAGER },
      );
    }
    this.release(owner.object, "orphan");
  }

  private release(object: KubeObject, finalizer: string): void {
    this.context.registry.modify(
      object,
      (draft) => {
        const left = listAt(draft, "metadata", "finalizers").filter((name) => name !== finalizer);
        put(draft, ["metadata", "finalizers"], left.length > 0 ? left : undefined);
      },
      { manager: CONTROLLER_MANAGER },
    );
  }
}
