import "server-only";
import { defaultDocumentLimits, type DocumentLimits } from "@/lib/domain/document";
import type { Db } from "@/lib/platform/db";
import { environmentById } from "./environment-rows";

const MEBIBYTE = 1024 * 1024;

type LimitColumns = { maxDocumentMegabytes: number; maxDocumentPages: number; maxPageMegapixels: number; maxDecodedMegabytes: number; maxPageSeconds: number; maxPageMemoryMegabytes: number };

/** An environment's limits in the units in which they are enforced. */
export function limitsOf(row: LimitColumns): DocumentLimits {
  return {
    ...defaultDocumentLimits,
    maxBytes: row.maxDocumentMegabytes * MEBIBYTE,
    maxPages: row.maxDocumentPages,
    maxPixelsPerPage: row.maxPageMegapixels * 1_000_000,
    maxDecodedBytesPerPage: row.maxDecodedMegabytes * MEBIBYTE,
    inspectTimeoutMs: row.maxPageSeconds * 1000,
    pageTimeoutMs: row.maxPageSeconds * 1000,
    maxMemoryGrowthBytes: row.maxPageMemoryMegabytes * MEBIBYTE,
  };
}

/** The limits that hold in an environment. Throws `not_found`. */
export async function limitsIn(db: Db, environmentId: string): Promise<DocumentLimits> {
  return limitsOf(await environmentById(db, environmentId));
}
