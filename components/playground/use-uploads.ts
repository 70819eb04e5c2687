"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "@/lib/client/api";
import { uploadDocument, type Uploaded } from "@/lib/client/upload";

export type UploadItem = { id: number; name: string; state: "waiting" | "sending" | "checking" | "failed"; share: number; reason: string; cancel: () => void };
type Queued = { item: UploadItem; file: File; signal: AbortSignal };

const AT_ONCE = 2;
let lastId = 0;

/** The name under which a file is known: with its folders, when a folder was chosen. */
function nameOf(file: File): string {
  return file.webkitRelativePath || file.name;
}

function queued(file: File, onCancel: (id: number) => void): Queued {
  const id = (lastId += 1);
  const abort = new AbortController();
  const cancel = () => {
    abort.abort();
    onCancel(id);
  };
  return { item: { id, name: nameOf(file), state: "waiting", share: 0, reason: "", cancel }, file, signal: abort.signal };
}

/** Files on their way, two at a time, each for itself: one that is refused says why and stops no other. `onDone` hears which was the first to arrive. */
export function useUploads(environmentId: string | null, onDone: (document: Uploaded, isFirst: boolean) => void) {
  const [items, setItems] = useState<UploadItem[]>([]);
  const client = useQueryClient();
  const change = (id: number, change: Partial<UploadItem>) => setItems((all) => all.map((item) => (item.id === id ? { ...item, ...change } : item)));
  const remove = (id: number) => setItems((all) => all.filter((item) => item.id !== id));

  async function send({ item: { id }, file, signal }: Queued, target: string): Promise<Uploaded | null> {
    if (signal.aborted) return null;
    change(id, { state: "sending" });
    const onProgress = (share: number) => change(id, share < 1 ? { share } : { share, state: "checking" });
    try {
      const document = await uploadDocument(file, { environmentId: target, name: nameOf(file).slice(-300) }, { onProgress, signal });
      remove(id);
      return document;
    } catch (error) {
      if (error instanceof ApiError) change(id, { state: "failed", reason: error.message });
      else remove(id);
      return null;
    }
  }

  async function add(files: File[]): Promise<void> {
    if (!environmentId || files.length === 0) return;
    const queue = files.map((file) => queued(file, remove));
    setItems((all) => [...all, ...queue.map(({ item }) => item)]);
    let isFirst = true;
    const lane = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const document = await send(next, environmentId);
        if (!document) continue;
        onDone(document, isFirst);
        isFirst = false;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    await client.invalidateQueries({ queryKey: ["documents"] });
  }
  return { items, add, dismiss: remove };
}
