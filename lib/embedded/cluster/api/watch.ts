import "server-only";
import { randomInt } from "node:crypto";
import type { JsonObject } from "../json";
import { namespaceOf, type KubeObject } from "../object";
import type { Change } from "../store/store";
import type { ApiContext } from "./context";
import { filterOf, present } from "./read";
import type { ResourceRequest } from "./request";
import { gone, StatusError } from "./status";
import { toTable, wantsTable } from "./table";

const BOOKMARK_MS = 60_000;

type EventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";

/** One watch connection: what the client already has, then every later change until it ends. */
export function watchObjects(context: ApiContext, request: ResourceRequest): void {
  const { query, response } = request;
  const initial = query.get("sendInitialEvents") === "true";
  if (initial && query.get("resourceVersionMatch") !== "NotOlderThan") {
    throw new StatusError(422, "Invalid", {
      message:
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    });
  }
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-cache, private" });
  response.flushHeaders();
  const stream = new WatchStream(context, request);
  const from = query.get("resourceVersion") ?? "";
  const isResumed = !initial && from !== "" && from !== "0";
  if (isResumed) stream.resume(Number(from));
  else stream.begin(initial);
  stream.follow();
}

class WatchStream {
  private seen: number;
  private stop: (() => void)[] = [];
  private readonly matches: (object: KubeObject) => boolean;
  private ended = false;

  constructor(
    private readonly context: ApiContext,
    private readonly request: ResourceRequest,
  ) {
    const filter = filterOf(request);
    const { namespace, name } = request.target;
    this.seen = context.store.version;
    this.matches = (object) =>
      (namespace === "" || namespaceOf(object) === namespace) && (name === "" || object.metadata.name === name) && filter(object);
  }

  /** Sends what exists now, and says where it ends when the client asked for a streamed list. */
  begin(marksEnd: boolean): void {
    const objects = this.context.store.list(this.request.resource.id, this.request.target.namespace);
    for (const object of objects) if (this.matches(object)) this.sendObject("ADDED", object);
    if (marksEnd) this.sendBookmark({ "k8s.io/initial-events-end": "true" });
  }

  resume(version: number): void {
    const missed = this.context.store.since(version);
    if (missed) {
      for (const change of missed) this.pass(change);
      return;
    }
    this.send("ERROR", gone(`too old resource version: ${version} (${this.context.store.compactedVersion})`).toStatus());
    this.end();
  }

  follow(): void {
    if (this.ended) return;
    const { query, response } = this.request;
    const unsubscribe = this.context.store.onDurable((change) => {
      if (change.version <= this.seen) return;
      this.seen = change.version;
      this.pass(change);
    });
    const wanted = Number(query.get("timeoutSeconds") ?? 0);
    const seconds = wanted > 0 ? wanted : randomInt(1800, 3600);
    const timeout = setTimeout(() => this.end(), seconds * 1000);
    const bookmarks = query.get("allowWatchBookmarks") === "true" ? setInterval(() => this.sendBookmark({}), BOOKMARK_MS) : undefined;
    timeout.unref();
    bookmarks?.unref();
    const end = (): void => this.end();
    this.context.stopping.addEventListener("abort", end);
    response.on("close", end);
    this.stop = [
      unsubscribe,
      () => clearTimeout(timeout),
      () => clearInterval(bookmarks),
      () => this.context.stopping.removeEventListener("abort", end),
    ];
  }

  /** A change as this watch sees it: an object that begins or ceases to match comes or goes. */
  private pass({ resource, type, object, previous }: Change): void {
    if (resource !== this.request.resource.id) return;
    const isMatch = type !== "DELETED" && this.matches(object);
    const wasMatch = previous !== undefined && this.matches(previous);
    if (isMatch) this.sendObject(wasMatch ? "MODIFIED" : "ADDED", object);
    else if (wasMatch)
      this.sendObject(
        "DELETED",
        type === "DELETED" ? object : { ...previous, metadata: { ...previous.metadata, resourceVersion: object.metadata.resourceVersion } },
      );
  }

  private sendObject(type: EventType, object: KubeObject): void {
    const { request } = this;
    this.send(type, wantsTable(request.headers.accept) ? toTable(this.context, request, [object]) : present(object, request.resource));
  }

  private sendBookmark(annotations: JsonObject): void {
    const { kind, groupVersion } = this.request.resource;
    const metadata: JsonObject = { resourceVersion: String(Math.max(this.seen, 1)), creationTimestamp: null };
    if (Object.keys(annotations).length > 0) metadata.annotations = annotations;
    this.send("BOOKMARK", { kind, apiVersion: groupVersion, metadata });
  }

  private send(type: EventType, object: JsonObject): void {
    if (!this.ended) this.request.response.write(`${JSON.stringify({ type, object })}\n`);
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    for (const stop of this.stop) stop();
    this.request.response.end();
  }
}
