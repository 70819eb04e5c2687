"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "@/lib/client/api";
import { uploadDocument, type Uploaded } from "@/lib/client/upload";

export type UploadItem = { id: number; name: string; state: "sending" | "checking" | "failed"; share: number; reason: string; cancel: () => void };

let lastId = 0;

/** Files on their way, each for itself: one that is refused says why and stops no other. */
export function useUploads(environmentId: string | null, onDone: (document: Uploaded) => void) {
  const [items, setItems] = useState<UploadItem[]>([]);
  const client = useQueryClient();
  const change = (id: number, change: Partial<UploadItem>) => setItems((all) => all.map((item) => (item.id === id ? { ...item, ...change } : item)));
  const remove = (id: number) => setItems((all) => all.filter((item) => item.id !== id));

  async function send(file: File, target: string): Promise<Uploaded | null> {
    const id = (lastId += 1);
    const abort = new AbortController();
    setItems((all) => [...all, { id, name: file.name, state: "sending", share: 0, reason: "", cancel: () => abort.abort() }]);
    const onProgress = (share: number) => change(id, share < 1 ? { share } : { share, state: "checking" });
    try {
      const document = await uploadDocument(file, { environmentId: target, name: file.name }, { onProgress, signal: abort.signal });
      remove(id);
      return document;
    } catch (error) {
      if (error instanceof ApiError) change(id, { state: "failed", reason: error.message });
      else remove(id);
      return null;
    }
  }

  async function add(files: File[]): Promise<void> {
    if (!environmentId) return;
    for (const file of files) {
      const document = await send(file, environmentId);
      if (!document) continue;
      await client.invalidateQueries({ queryKey: ["documents"] });
      onDone(document);
    }
  }
  return { items, add, dismiss: remove };
}
