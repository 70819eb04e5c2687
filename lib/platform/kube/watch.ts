import "server-only";
import { DomainError } from "@/lib/domain/errors";
import type { Send } from "../transport";
import { lines } from "./lines";
import { resourcePath, type ResourceRef } from "./path";
import { openStream } from "./request";
import { KubeStatusError } from "./status";

export type Selection = { labelSelector?: string; fieldSelector?: string };

/** What every object carries that a list or watch needs. */
export type Watchable = { metadata: { name: string; namespace?: string; uid?: string; resourceVersion?: string } };

export type WatchEvent<T> = { type: "ADDED" | "MODIFIED" | "DELETED"; object: T } | { type: "BOOKMARK"; resourceVersion: string };

export type WatchOptions<T> = Selection & {
  resourceVersion: string;
  signal: AbortSignal;
  onEvent: (event: WatchEvent<T>) => void;
  /** Called when the server has accepted the watch. */
  onOpen?: () => void;
  /** Seconds after which the server ends the watch by itself; 30 s later a silent connection counts as dead. */
  timeoutSeconds?: number;
};

type Line<T> = { type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR"; object: T & { code?: number } };

/**
 * One watch connection, until the server ends it. Resolves at its end, rejects with KubeStatusError (410 when the
 * version is too old, also from within the stream), with `unavailable` when the connection breaks or falls silent, or with the signal's reason.
 */
export async function watchOnce<T extends Watchable>(send: Send, ref: ResourceRef, options: WatchOptions<T>): Promise<void> {
  const timeoutSeconds = options.timeoutSeconds ?? 240;
  const silence = new AbortController();
  const silent = () =>
    silence.abort(
      new DomainError("unavailable", "The watch fell silent: the connection to the cluster is dead.", { retryAfterSeconds: 1 }),
    );
  const timer = setTimeout(silent, (timeoutSeconds + 30) * 1000);
  const { labelSelector, fieldSelector, resourceVersion } = options;
  try {
    const path = resourcePath(ref, { watch: 1, allowWatchBookmarks: true, resourceVersion, timeoutSeconds, labelSelector, fieldSelector });
    const response = await openStream(send, { method: "GET", path, signal: AbortSignal.any([options.signal, silence.signal]) });
    options.onOpen?.();
    for await (const line of lines(response.body)) {
      timer.refresh();
      if (line !== "") deliver(parseLine<T>(line), options.onEvent);
    }
  } finally {
    clearTimeout(timer);
  }
  options.signal.throwIfAborted();
}

function parseLine<T>(line: string): Line<T> {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new DomainError("upstream_failed", "The watch was cut in the middle of an event.", { cause: error });
  }
}

function deliver<T extends Watchable>(line: Line<T>, onEvent: (event: WatchEvent<T>) => void): void {
  if (line.type === "ERROR") throw new KubeStatusError(line.object.code ?? 500, line.object);
  if (line.type === "BOOKMARK") return onEvent({ type: "BOOKMARK", resourceVersion: line.object.metadata.resourceVersion ?? "" });
  onEvent({ type: line.type, object: line.object });
}
