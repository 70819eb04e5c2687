import "server-only";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import { listAll, type ListOptions, type ListResult } from "./kube/list";
import { followLog, readLog, type LogOptions, type PodRef } from "./kube/logs";
import { resourceOf, resourcePath, type ResourceRef } from "./kube/path";
import { callJson } from "./kube/request";
import { watchOnce, type Watchable, type WatchOptions } from "./kube/watch";
import { watchList, type WatchListOptions } from "./kube/watch-list";
import type { Send } from "./transport";

export const fieldManager = "lectern";

export type ApplyOptions = { fieldManager?: string; dryRun?: boolean; force?: boolean; signal?: AbortSignal };
export type DeleteOptions = {
  propagation?: "Foreground" | "Background" | "Orphan";
  uid?: string;
  resourceVersion?: string;
  dryRun?: boolean;
  signal?: AbortSignal;
};
export type AccessQuestion = { verb: string; group: string; resource: string; subresource?: string; namespace?: string; name?: string };
export type AccessAnswer = { allowed: boolean; reason: string };

export type Kube = ReturnType<typeof createKube>;

/**
 * A Kubernetes API, spoken to as raw JSON so that no field is dropped on the way. Every method rejects with KubeStatusError when the
 * cluster refuses, and with DomainError `unavailable` when it does not answer.
 */
export function createKube(send: Send) {
  return {
    send,
    version: (signal?: AbortSignal) => read<{ gitVersion: string; major: string; minor: string }>(send, "/version", signal),
    get: <T = KubeObject>(ref: ResourceRef & { name: string }, signal?: AbortSignal) => read<T>(send, resourcePath(ref), signal),
    list: <T extends Watchable>(ref: ResourceRef, options?: ListOptions): Promise<ListResult<T>> => listAll<T>(send, ref, options),
    apply: <T = KubeObject>(object: KubeObject, options?: ApplyOptions) => apply<T>(send, object, options),
    remove: (ref: ResourceRef & { name: string }, options?: DeleteOptions) => remove(send, ref, options),
    scale: (ref: ResourceRef & { name: string }, replicas: number) => scale(send, ref, replicas),
    mayI: (question: AccessQuestion, signal?: AbortSignal) => mayI(send, question, signal),
    log: (pod: PodRef, options?: LogOptions) => readLog(send, pod, options),
    followLog: (pod: PodRef, options?: LogOptions) => followLog(send, pod, options),
    watch: <T extends Watchable>(ref: ResourceRef, options: WatchOptions<T>) => watchOnce<T>(send, ref, options),
    watchList: <T extends Watchable>(ref: ResourceRef, options: WatchListOptions<T>) => watchList<T>(send, ref, options),
  };
}

async function read<T>(send: Send, path: string, signal?: AbortSignal): Promise<T> {
  return (await callJson<T>(send, { method: "GET", path, signal })).body;
}

/** Server-side apply; `created` tells 201 from 200. A dry run answers with the merged object and stores nothing. */
async function apply<T>(send: Send, object: KubeObject, options: ApplyOptions = {}): Promise<{ object: T; created: boolean }> {
  const { apiVersion, kind, metadata } = object;
  const ref = { apiVersion, resource: resourceOf(apiVersion, kind), namespace: metadata.namespace, name: metadata.name };
  const query = {
    fieldManager: options.fieldManager ?? fieldManager,
    fieldValidation: "Strict",
    dryRun: options.dryRun ? "All" : undefined,
    force: options.force || undefined,
  };
  const headers = { "content-type": "application/apply-patch+yaml" };
  const answer = await callJson<T>(send, {
    method: "PATCH",
    path: resourcePath(ref, query),
    headers,
    body: JSON.stringify(object),
    signal: options.signal,
  });
  return { object: answer.body, created: answer.status === 201 };
}

/** Deletes one object; with `uid` only that very one, and 409 when another has taken its name. */
async function remove(send: Send, ref: ResourceRef & { name: string }, options: DeleteOptions = {}): Promise<void> {
  const { uid, resourceVersion } = options;
  const body = {
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy: options.propagation ?? "Background",
    ...(uid === undefined && resourceVersion === undefined ? {} : { preconditions: { uid, resourceVersion } }),
  };
  const path = resourcePath(ref, { dryRun: options.dryRun ? "All" : undefined });
  await callJson(send, {
    method: "DELETE",
    path,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: options.signal,
  });
}

/** Sets the replicas through the `scale` subresource. */
async function scale(send: Send, ref: ResourceRef & { name: string }, replicas: number): Promise<void> {
  const path = resourcePath({ ...ref, subresource: "scale" }, { fieldManager });
  await callJson(send, {
    method: "PATCH",
    path,
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ spec: { replicas } }),
  });
}

/** Whether the credential has a right, as the API server itself says. */
async function mayI(send: Send, question: AccessQuestion, signal?: AbortSignal): Promise<AccessAnswer> {
  const path = resourcePath({ apiVersion: "authorization.k8s.io/v1", resource: "selfsubjectaccessreviews" });
  const body = JSON.stringify({
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { resourceAttributes: question },
  });
  const answer = await callJson<{ status?: { allowed?: boolean; reason?: string } }>(send, {
    method: "POST",
    path,
    headers: { "content-type": "application/json" },
    body,
    signal,
  });
  return { allowed: answer.body.status?.allowed === true, reason: answer.body.status?.reason ?? "" };
}
