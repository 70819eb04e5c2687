import type { DocumentLimits, InspectedDocument } from "@/lib/domain/document";
import type { DocumentReason } from "@/lib/domain/document-failure";

/** What is asked of a worker. */
export type WorkerTask =
  | { kind: "inspect"; name: string; limits: DocumentLimits }
  | { kind: "render"; name: string; limits: DocumentLimits; page: number; size: { width: number; height: number } };

/** `byteLength`: so many bytes of the document follow on the worker's standard input; absent when it holds the document already. */
export type WorkerRequest = WorkerTask & { documentId: string; byteLength?: number };

export type WorkerAnswer =
  | { ok: true; inspected?: InspectedDocument; png?: Uint8Array; lacksFonts?: boolean }
  | { ok: false; reason: DocumentReason; detected?: string; isPoisoned: boolean };
