"use client";

import { useState } from "react";
import { callWrite, checked, type Input, type Output } from "@/lib/client/api";
import { uploadDocument } from "@/lib/client/upload";
import { useQueryClient } from "@tanstack/react-query";

export type BatchChoice = Pick<Input<"batches.create">, "environmentId" | "name" | "deploymentId" | "mode" | "preset">;
type Skipped = Output<"batches.unpack">["skipped"];
export type StartState = { step: string | null; skipped: Skipped; error: string | null };

/** Sends the files, one after the other, and starts the batch over those that could be taken. */
export function useStartBatch(): StartState & { start: (files: File[], choice: BatchChoice) => Promise<boolean> } {
  const client = useQueryClient();
  const [state, setState] = useState<StartState>({ step: null, skipped: [], error: null });

  async function start(files: File[], choice: BatchChoice): Promise<boolean> {
    const skipped: Skipped = [];
    const documentIds: string[] = [];
    try {
      for (const [index, file] of files.entries()) {
        setState({ step: `Sending ${index + 1} of ${files.length}: ${file.name}`, skipped, error: null });
        const sent = await send(file, choice.environmentId).catch((error: Error) => ({ documentIds: [], skipped: [{ name: file.name, reason: error.message }] }));
        documentIds.push(...sent.documentIds);
        skipped.push(...sent.skipped);
      }
      if (documentIds.length === 0) throw new Error("None of the files could be taken.");
      await callWrite("batches.create", { ...choice, documentIds });
      await client.invalidateQueries({ queryKey: ["batches"] });
      setState({ step: null, skipped, error: null });
      return true;
    } catch (error) {
      setState({ step: null, skipped, error: error instanceof Error ? error.message : "The batch did not start." });
      return false;
    }
  }

  return { ...state, start };
}

async function send(file: File, environmentId: string): Promise<Output<"batches.unpack">> {
  const signal = new AbortController().signal;
  if (!file.name.toLowerCase().endsWith(".zip")) return { documentIds: [(await uploadDocument(file, { environmentId, name: file.name }, { onProgress: () => undefined, signal })).id], skipped: [] };
  const input = encodeURIComponent(JSON.stringify({ environmentId, name: file.name }));
  const response = await checked(await fetch(`/api/batches.unpack?input=${input}`, { method: "PUT", headers: { "Content-Type": "application/octet-stream" }, body: file }));
  return response.json() as Promise<Output<"batches.unpack">>; // the server parsed it with the output schema
}
