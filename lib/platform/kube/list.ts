import "server-only";
import type { Send } from "../transport";
import { resourcePath, type ResourceRef } from "./path";
import { callJson } from "./request";
import { KubeStatusError } from "./status";
import type { Selection, Watchable } from "./watch";

export type ListOptions = Selection & { limit?: number; signal?: AbortSignal };
export type ListResult<T> = { items: T[]; resourceVersion: string };

type Page<T> = { apiVersion?: string; kind?: string; metadata: { resourceVersion: string; continue?: string }; items: T[] | null };

/** All objects of a collection, read in pages of `limit` (500). A page token that expired (410) restarts the list once. */
export async function listAll<T extends Watchable>(send: Send, ref: ResourceRef, options: ListOptions = {}): Promise<ListResult<T>> {
  try {
    return await listPages(send, ref, options);
  } catch (error) {
    if (error instanceof KubeStatusError && error.status === 410) return listPages(send, ref, options);
    throw error;
  }
}

async function listPages<T extends Watchable>(send: Send, ref: ResourceRef, options: ListOptions): Promise<ListResult<T>> {
  const { labelSelector, fieldSelector, limit = 500, signal } = options;
  const items: T[] = [];
  let next: string | undefined;
  for (;;) {
    const path = resourcePath(ref, { limit, labelSelector, fieldSelector, continue: next });
    const { body } = await callJson<Page<T>>(send, { method: "GET", path, signal });
    items.push(...(body.items ?? []).map((item) => withType(item, body)));
    next = body.metadata.continue || undefined;
    if (next === undefined) return { items, resourceVersion: body.metadata.resourceVersion };
  }
}

/** Items of a list come without their type; a watch sends it. */
function withType<T extends Watchable>(item: T, page: Page<T>): T {
  return { apiVersion: page.apiVersion, kind: page.kind?.replace(/List$/, ""), ...item };
}
