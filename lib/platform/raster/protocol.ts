import type { DocumentLimits, InspectedDocument } from "@/lib/domain/document";
import type { DocumentReason } from "@/lib/domain/document-failure";

/** What is asked of a worker; `bytes` come along only when it does not hold the document yet. */
export type WorkerTask =
  | { kind: "inspect"; name: string; limits: DocumentLimits }
  | { kind: "render"; name: string; limits: DocumentLimits; page: number; size: { width: number; height: number } };

export type WorkerRequest = WorkerTask & { documentId: string; bytes?: Uint8Array };

export type WorkerAnswer =
  | { ok: true; inspected?: InspectedDocument; png?: Uint8Array; lacksFonts?: boolean }
  | { ok: false; reason: DocumentReason; detected?: string; isPoisoned: boolean };
