import "server-only";
import { readText } from "../send-body";
import type { Send } from "../transport";
import { lines } from "./lines";
import { resourcePath } from "./path";
import { openStream } from "./request";

export type LogOptions = {
  container?: string;
  tailLines?: number;
  sinceSeconds?: number;
  limitBytes?: number;
  /** The log of the container's previous life: the one to read in a crash loop. */
  previous?: boolean;
  timestamps?: boolean;
  signal?: AbortSignal;
};

export type PodRef = { namespace: string; name: string };

/** A pod's log as text, at most 1 MiB unless told otherwise. Rejects with KubeStatusError 400 while the container is being created. */
export async function readLog(send: Send, pod: PodRef, options: LogOptions = {}): Promise<string> {
  const response = await openStream(send, {
    method: "GET",
    path: logPath(pod, { limitBytes: 2 ** 20, ...options }, false),
    headers: { accept: "*/*" },
    signal: options.signal,
  });
  return readText(response);
}

/** A pod's log line by line as it is written, until the container ends, the caller stops, or the signal is aborted. */
export async function* followLog(send: Send, pod: PodRef, options: LogOptions = {}): AsyncGenerator<string> {
  const response = await openStream(send, {
    method: "GET",
    path: logPath(pod, options, true),
    headers: { accept: "*/*" },
    signal: options.signal,
  });
  try {
    yield* lines(response.body);
  } finally {
    response.cancel();
  }
}

function logPath(pod: PodRef, { signal: _, ...query }: LogOptions, follow: boolean): string {
  return resourcePath({ apiVersion: "v1", resource: "pods", ...pod, subresource: "log" }, { ...query, follow: follow || undefined });
}
