import "server-only";
import type { Send } from "../transport";
import { listAll } from "./list";
import type { ResourceRef } from "./path";
import { KubeStatusError } from "./status";
import { watchOnce, type Selection, type Watchable, type WatchEvent } from "./watch";

/** What a watcher is told: the whole collection after each list, then changes; and that it is behind, until the next list or change. */
export type WatchListEvent<T> =
  | { type: "list"; items: T[] }
  | { type: "change"; change: "ADDED" | "MODIFIED" | "DELETED"; object: T }
  | { type: "interrupted"; error: unknown; retryInMs: number }
  | { type: "resumed" };

export type WatchListOptions<T> = Selection & {
  signal: AbortSignal;
  on: (event: WatchListEvent<T>) => void;
  timeoutSeconds?: number;
  /** First and longest wait between attempts, in ms; each wait doubles and is spread by half. */
  backoff?: { firstMs: number; longestMs: number };
};

/**
 * Follows a collection until the signal is aborted: list, watch from there, and again from the last version when the connection ends.
 * A version that is gone (410) starts with a new list. Resolves on abort; rejects with KubeStatusError when the right to watch is lost.
 */
export async function watchList<T extends Watchable>(send: Send, ref: ResourceRef, options: WatchListOptions<T>): Promise<void> {
  const { firstMs, longestMs } = options.backoff ?? { firstMs: 1000, longestMs: 30_000 };
  const follower = createFollower<T>(send, ref, options);
  let waitMs = firstMs;
  while (!options.signal.aborted) {
    const startedAt = performance.now();
    const error = await follower.follow();
    if (options.signal.aborted) return;
    if (error instanceof KubeStatusError && error.isAccessLost) throw error;
    // Servers end watches by design; one that ends at once without a word would make a busy loop.
    const isFine = follower.takeProgress() || performance.now() - startedAt > 1000;
    if (isFine) waitMs = firstMs;
    if (isFine && error === undefined) continue;
    const retryInMs = Math.round(waitMs * (0.5 + Math.random()));
    if (error !== undefined) options.on({ type: "interrupted", error, retryInMs });
    await pause(retryInMs, options.signal);
    waitMs = Math.min(waitMs * 2, longestMs);
  }
}

/** One attempt after the other; remembers the version to go on from. */
function createFollower<T extends Watchable>(send: Send, ref: ResourceRef, options: WatchListOptions<T>) {
  const { signal, on, labelSelector, fieldSelector, timeoutSeconds } = options;
  let version: string | undefined;
  let hasProgress = false;
  let isBehind = false;

  const list = async (): Promise<string> => {
    const { items, resourceVersion } = await listAll<T>(send, ref, { labelSelector, fieldSelector, signal });
    on({ type: "list", items });
    isBehind = false;
    hasProgress = true;
    return resourceVersion;
  };
  const onOpen = () => {
    if (isBehind) on({ type: "resumed" });
    isBehind = false;
  };
  const onEvent = (event: WatchEvent<T>) => {
    hasProgress = true;
    version = event.type === "BOOKMARK" ? event.resourceVersion : (event.object.metadata.resourceVersion ?? version);
    if (event.type !== "BOOKMARK") on({ type: "change", change: event.type, object: event.object });
  };

  return {
    /** Lists if need be, watches to the end of the connection, and returns what broke it. */
    follow: async (): Promise<unknown> => {
      try {
        version ??= await list();
        await watchOnce<T>(send, ref, { labelSelector, fieldSelector, timeoutSeconds, signal, resourceVersion: version, onOpen, onEvent });
        return undefined;
      } catch (error) {
        isBehind = true;
        if (error instanceof KubeStatusError && error.status === 410) version = undefined;
        return error;
      }
    },
    takeProgress: () => {
      const had = hasProgress;
      hasProgress = false;
      return had;
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
