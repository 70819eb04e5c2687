import "server-only";
import { microTimestamp, timestamp, type SandboxClock } from "../clock";
import { needResource } from "../data/resources";
import { numberAt, put, textAt, type JsonObject } from "../json";
import { nameOf, namespaceOf, uidOf, type KubeObject } from "../object";
import type { Registry } from "../registry/registry";

export type EventInput = {
  object: KubeObject;
  type: "Normal" | "Warning";
  reason: string;
  message: string;
  component: string;
  host?: string;
};

const KEPT_MS = 3_600_000;
const MOST_EVENTS = 2000;
/** Old events are looked for after so many new ones. */
const PRUNE_EVERY = 50;

/** Writes events; a repeated one counts up instead of becoming a second object, and old ones go as new ones come. */
export class EventRecorder {
  private sequence = 0;

  constructor(
    private readonly registry: Registry,
    private readonly clock: SandboxClock,
  ) {}

  record(input: EventInput): void {
    const resource = needResource("/events");
    const namespace = namespaceOf(input.object) || "default";
    const repeated = this.registry.store.list("/events", namespace).find((event) => isSame(event, input));
    if (repeated) this.countUp(repeated, input);
    else if (this.mayWriteTo(namespace))
      this.registry.create(resource, this.build(input, namespace), { manager: managerOf(input.component) });
    if (this.sequence % PRUNE_EVERY === 0) this.prune(namespace);
  }

  private mayWriteTo(namespace: string): boolean {
    return textAt(this.registry.store.get("/namespaces", "", namespace), "status", "phase") === "Active";
  }

  private countUp(event: KubeObject, { component }: EventInput): void {
    const now = this.clock.now();
    const change = (draft: KubeObject): void => {
      if (isSchedulerStyle(component))
        put(draft, ["series"], { count: (numberAt(draft, "series", "count") ?? 1) + 1, lastObservedTime: microTimestamp(now) });
      else Object.assign(draft, { count: (numberAt(draft, "count") ?? 1) + 1, lastTimestamp: timestamp(now) });
    };
    this.registry.modify(event, change, { manager: managerOf(component) });
  }

  private build({ object, type, reason, message, component, host }: EventInput, namespace: string): JsonObject {
    const now = this.clock.now();
    this.sequence += 1;
    const { apiVersion, kind } = object;
    const { name, uid, resourceVersion } = object.metadata;
    const involvedObject = {
      kind,
      ...(namespaceOf(object) === "" ? {} : { namespace: namespaceOf(object) }),
      name,
      uid,
      apiVersion,
      resourceVersion,
    };
    const metadata = { name: `${name}.${(now * 1000 + this.sequence).toString(16)}`, namespace };
    const common = { apiVersion: "v1", kind: "Event", metadata, involvedObject, reason, message, type, reportingComponent: component };
    if (isSchedulerStyle(component)) {
      return {
        ...common,
        source: {},
        eventTime: microTimestamp(now),
        action: reason === "Scheduled" ? "Binding" : "Scheduling",
        reportingInstance: `${component}-sandbox`,
      };
    }
    const time = timestamp(now);
    const source = host === undefined ? { component } : { component, host };
    return { ...common, source, firstTimestamp: time, lastTimestamp: time, count: 1, reportingInstance: host ?? "" };
  }

  private prune(namespace: string): void {
    const events = this.registry.store.list("/events", namespace);
    const oldest = this.clock.now() - KEPT_MS;
    const expired = events.filter((event) => lastSeen(event) < oldest);
    const surplus =
      events.length > MOST_EVENTS ? [...events].sort((a, b) => lastSeen(a) - lastSeen(b)).slice(0, events.length - MOST_EVENTS) : [];
    for (const event of new Set([...expired, ...surplus])) this.registry.store.remove("/events", event);
  }
}

/** The scheduler writes events.k8s.io events: an event time and a series instead of first, last and count. */
function isSchedulerStyle(component: string): boolean {
  return component === "default-scheduler";
}

function managerOf(component: string): string {
  if (component === "default-scheduler") return "kube-scheduler";
  return component === "kubelet" ? "kubelet" : "kube-controller-manager";
}

function isSame(event: KubeObject, { object, reason, message, component }: EventInput): boolean {
  return (
    // The cheapest first: this runs over every event of the namespace.
    event.reason === reason &&
    event.message === message &&
    event.reportingComponent === component &&
    textAt(event, "involvedObject", "uid") === uidOf(object) &&
    textAt(event, "involvedObject", "name") === nameOf(object)
  );
}

function lastSeen(event: KubeObject): number {
  const time =
    textAt(event, "series", "lastObservedTime") ??
    textAt(event, "lastTimestamp") ??
    textAt(event, "eventTime") ??
    textAt(event, "metadata", "creationTimestamp");
  return time === undefined ? 0 : Date.parse(time);
}
