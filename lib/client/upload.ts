import type { Input, Output } from "@/lib/services/registry";
import { ApiError } from "./api";

export type Uploaded = Output<"documents.upload">;
export type UploadOptions = { onProgress: (share: number) => void; signal: AbortSignal };

function failure(request: XMLHttpRequest): ApiError {
  try {
    return new ApiError(JSON.parse(request.responseText) as ConstructorParameters<typeof ApiError>[0]); // written by lib/platform/problem.ts
  } catch {
    return new ApiError({ status: request.status, code: "unknown", title: "Upload failed", detail: `The server answered with status ${request.status}.`, requestId: "" });
  }
}

function offline(): ApiError {
  return new ApiError({ status: 0, code: "offline", title: "Upload failed", detail: "The connection broke before the file had arrived. Drop it again.", requestId: "" });
}

/** Sends a file as it is, with progress from 0 to 1 (fetch cannot tell how much has gone). Rejects with ApiError, or AbortError when cancelled. */
export function uploadDocument(file: File, input: Input<"documents.upload">, options: UploadOptions): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", `/api/documents.upload?input=${encodeURIComponent(JSON.stringify(input))}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", (event) => event.lengthComputable && options.onProgress(event.loaded / event.total));
    request.addEventListener("load", () => (request.status < 300 ? resolve(JSON.parse(request.responseText) as Uploaded) : reject(failure(request)))); // the server parsed it with the output schema
    request.addEventListener("error", () => reject(offline()));
    request.addEventListener("abort", () => reject(new DOMException("The upload was cancelled.", "AbortError")));
    options.signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** Has a document deleted when the tab closes; the returned function calls that off. */
export function forgetOnLeave(id: string): () => void {
  const forget = (event: PageTransitionEvent) => {
    if (event.persisted) return; // the page may come back from the browser's cache
    void fetch("/api/documents.delete", { method: "POST", keepalive: true, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ id }) }).catch(() => undefined);
  };
  window.addEventListener("pagehide", forget);
  return () => window.removeEventListener("pagehide", forget);
}
