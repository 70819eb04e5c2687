import "server-only";
import { isObject, listAt, numberAt, textAt, type Json } from "../json";
import { isKubeObject, nameOf, namespaceOf, type KubeObject } from "../object";
import { Journal } from "./journal";
import { SortedKeys } from "./sorted-keys";

export type ChangeType = "ADDED" | "MODIFIED" | "DELETED";
export type Change = { version: number; resource: string; type: ChangeType; object: KubeObject; previous: KubeObject | undefined };
type Listener = (change: Change) => void;

/** Watches may start this many changes back; older ones are answered 410, as etcd does after its compaction. */
const HISTORY = 8000;

/** All objects in memory by `group/resource`, every change journalled. Stored objects are never changed in place. */
export class Store {
  private readonly tables = new Map<string, Map<string, KubeObject>>();
  private readonly keys = new Map<string, SortedKeys>();
  private readonly listeners = new Set<Listener>();
  private readonly durableListeners = new Set<Listener>();
  private history: Change[] = [];
  private undelivered: Change[] = [];
  private delivered = 0;
  private oldest = 0;
  private current = 1;

  constructor(private readonly journal: Journal) {
    const { snapshot, entries } = journal.load();
    this.restore(snapshot);
    for (const entry of entries) this.replay(entry);
  }

  get version(): number {
    return this.current;
  }

  /** The resource version before which no history is kept. */
  get compactedVersion(): number {
    return this.oldest;
  }

  get isEmpty(): boolean {
    return this.tables.size === 0;
  }

  get(resource: string, namespace: string, name: string): KubeObject | undefined {
    return this.tables.get(resource)?.get(`${namespace}/${name}`);
  }

  /** Objects in name order, as etcd lists them. */
  list(resource: string, namespace = ""): KubeObject[] {
    const table = this.tables.get(resource);
    const keys = this.keys.get(resource)?.under(namespace === "" ? "" : `${namespace}/`) ?? [];
    return keys.flatMap((key) => table?.get(key) ?? []);
  }

  resources(): string[] {
    return [...this.tables.keys()];
  }

  /** Stores the object under the next resource version, which it writes into the object. */
  put(resource: string, object: KubeObject): KubeObject {
    const previous = this.get(resource, namespaceOf(object), nameOf(object));
    this.commit({ resource, object, previous, type: previous ? "MODIFIED" : "ADDED" });
    return object;
  }

  remove(resource: string, object: KubeObject): KubeObject {
    const last = structuredClone(object);
    this.commit({ resource, object: last, previous: object, type: "DELETED" });
    return last;
  }

  /** Changes after a version; undefined when some of them are forgotten. */
  since(version: number): Change[] | undefined {
    if (version < this.oldest) return undefined;
    return this.history.filter((change) => change.version > version);
  }

  /** Hears of changes at once; for controllers. */
  onChange(listener: Listener): void {
    this.listeners.add(listener);
  }

  /** Hears of changes once they are on the disk; for watches. The answer unsubscribes. */
  onDurable(listener: Listener): () => void {
    this.durableListeners.add(listener);
    return () => void this.durableListeners.delete(listener);
  }

  durable(): Promise<void> {
    return this.journal.durable();
  }

  async close(): Promise<void> {
    await this.journal.close();
  }

  private commit(change: Omit<Change, "version">): void {
    this.current += 1;
    change.object.metadata.resourceVersion = String(this.current);
    const stamped = { ...change, version: this.current };
    const isKept = this.journal.append({ version: this.current, resource: change.resource, type: change.type, object: change.object });
    this.record(stamped);
    if (isKept && this.undelivered.push(stamped) === 1) this.deliverWhenDurable();
    for (const listener of this.listeners) listener(stamped);
    if (this.journal.isFull) void this.journal.durable().then(() => this.compact());
  }

  /** What was committed during the fsync is not on the disk yet and waits for the next one. */
  private deliverWhenDurable(): void {
    void this.journal.durable().then(() => {
      const batch = this.undelivered.splice(0, this.journal.durableCount - this.delivered);
      this.delivered += batch.length;
      for (const change of batch) for (const listener of this.durableListeners) listener(change);
      if (this.undelivered.length > 0) this.deliverWhenDurable();
    });
  }

  private record(change: Change): void {
    const key = `${namespaceOf(change.object)}/${nameOf(change.object)}`;
    if (change.type === "DELETED") this.forget(change.resource, key);
    else this.remember(change.resource, key, change.object);
    this.history.push(change);
    if (this.history.length <= HISTORY * 1.25) return;
    this.history = this.history.slice(-HISTORY);
    this.oldest = (this.history[0]?.version ?? 1) - 1;
  }

  private remember(resource: string, key: string, object: KubeObject): void {
    const table = this.tables.get(resource) ?? new Map<string, KubeObject>();
    const keys = this.keys.get(resource) ?? new SortedKeys();
    if (!table.has(key)) keys.add(key);
    this.tables.set(resource, table.set(key, object));
    this.keys.set(resource, keys);
  }

  private forget(resource: string, key: string): void {
    if (this.tables.get(resource)?.delete(key)) this.keys.get(resource)?.remove(key);
  }

  private compact(): void {
    if (!this.journal.isFull) return;
    const objects = [...this.tables].flatMap(([resource, table]) => [...table.values()].map((object) => ({ resource, object })));
    this.journal.compact({ version: this.current, objects });
  }

  private restore(snapshot: Json | undefined): void {
    if (snapshot === undefined) return;
    this.current = numberAt(snapshot, "version") ?? 1;
    this.oldest = this.current;
    for (const entry of listAt(snapshot, "objects")) {
      const resource = textAt(entry, "resource");
      const object = isObject(entry) ? entry.object : undefined;
      if (resource === undefined || !isKubeObject(object)) continue;
      this.remember(resource, `${namespaceOf(object)}/${nameOf(object)}`, object);
    }
  }

  private replay(entry: Json): void {
    const version = numberAt(entry, "version") ?? 0;
    const resource = textAt(entry, "resource");
    const type = textAt(entry, "type");
    const object = isObject(entry) ? entry.object : undefined;
    if (version <= this.current || resource === undefined || !isKubeObject(object)) return;
    if (type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED") return;
    this.current = version;
    const previous = this.get(resource, namespaceOf(object), nameOf(object));
    this.record({ version, resource, type, object, previous });
  }
}
