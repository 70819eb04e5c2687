"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { callWrite, checked, type Input, type Output } from "@/lib/client/api";
import { uploadDocument } from "@/lib/client/upload";

export type BatchChoice = Omit<Input<"batches.create">, "documentIds" | "skipped">;
export type Material = { files: File[]; documentIds: string[] };
export type Started = Output<"batches.create">;
type Skipped = Output<"batches.unpack">["skipped"];
/** Files sent so far, and the one on its way; null when nothing is being sent. */
export type Sending = { done: number; total: number; name: string } | null;

const AT_ONCE = 3;

/** The name under which a file is known: with its folders, when a folder was chosen. */
export function pathOf(file: File): string {
  return file.webkitRelativePath || file.name;
}

export function isZip(file: File): boolean {
  return /\.zip$/i.test(file.name);
}

/** Sends the files, a few at a time, and starts the batch over those that could be taken; the others are named in it with their reason. */
export function useStartBatch() {
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending>(null);
  const [error, setError] = useState<string | null>(null);
  const abort = useRef(new AbortController());

  async function start(material: Material, choice: BatchChoice): Promise<Started | null> {
    abort.current = new AbortController();
    setError(null);
    try {
      const { documentIds, skipped } = await sendAll(material.files, { environmentId: choice.environmentId, signal: abort.current.signal, onStep: setSending });
      const all = [...material.documentIds, ...documentIds];
      if (all.length === 0) throw new Error(`None of the files could be taken. ${skipped[0] ? `${skipped[0].name}: ${skipped[0].reason}` : ""}`);
      return await callWrite("batches.create", { ...choice, documentIds: all, skipped });
    } catch (reason) {
      if (!abort.current.signal.aborted) setError(reason instanceof Error ? reason.message : "The batch did not start.");
      return null;
    } finally {
      setSending(null);
      await client.invalidateQueries({ queryKey: ["batches"] });
    }
  }

  return { start, cancel: () => abort.current.abort(), sending, error };
}

type Way = { environmentId: string; signal: AbortSignal; onStep: (sending: Sending) => void };

async function sendAll(files: File[], way: Way): Promise<Output<"batches.unpack">> {
  const results: Output<"batches.unpack">[] = [];
  let [next, done] = [0, 0];
  const lane = async () => {
    for (let at = next++; at < files.length; at = next++) {
      const file = files[at];
      if (!file || way.signal.aborted) return;
      way.onStep({ done, total: files.length, name: pathOf(file) });
      results[at] = await send(file, way);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  way.signal.throwIfAborted();
  return { documentIds: results.flatMap(({ documentIds }) => documentIds), skipped: results.flatMap(({ skipped }) => skipped) };
}

/** One file's documents; a refusal is kept with its reason and stops no other. */
async function send(file: File, { environmentId, signal }: Way): Promise<{ documentIds: string[]; skipped: Skipped }> {
  const name = pathOf(file).slice(-300);
  try {
    if (!isZip(file)) return { documentIds: [(await uploadDocument(file, { environmentId, name }, { onProgress: () => undefined, signal })).id], skipped: [] };
    const input = encodeURIComponent(JSON.stringify({ environmentId, name }));
    const response = await checked(await fetch(`/api/batches.unpack?input=${input}`, { method: "PUT", headers: { "Content-Type": "application/octet-stream" }, body: file, signal }));
    return (await response.json()) as Output<"batches.unpack">; // the server parsed it with the output schema
  } catch (error) {
    return { documentIds: [], skipped: [{ name, reason: error instanceof Error ? error.message.slice(0, 500) : "It could not be sent." }] };
  }
}
