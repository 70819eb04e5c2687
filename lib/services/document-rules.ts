import "server-only";
import { z } from "zod";
import { documentHint, DocumentRules } from "@/lib/domain/document-rules";
import { environmentById } from "./environment-rows";
import { read, write } from "./operation";

const columns = (row: DocumentRules): DocumentRules => ({
  retentionHours: row.retentionHours,
  maxDocumentMegabytes: row.maxDocumentMegabytes,
  maxDocumentPages: row.maxDocumentPages,
  maxPageMegapixels: row.maxPageMegapixels,
  maxDecodedMegabytes: row.maxDecodedMegabytes,
  maxPageSeconds: row.maxPageSeconds,
  maxPageMemoryMegabytes: row.maxPageMemoryMegabytes,
  maxFilesPerHour: row.maxFilesPerHour,
  maxMegabytesPerHour: row.maxMegabytesPerHour,
  maxPagesPerHour: row.maxPagesPerHour,
  maxReadingsAtOnce: row.maxReadingsAtOnce,
});

export const documentsRules = read({
  name: "documents.rules",
  summary: "How long an environment keeps documents, and what one may cost",
  permission: "document.upload",
  environment: async (input) => input.environmentId,
  input: z.strictObject({ environmentId: z.uuid() }),
  output: z.strictObject({ rules: DocumentRules, hint: z.string() }),
  run: async ({ db, input }) => {
    const rules = columns(await environmentById(db, input.environmentId));
    return { rules, hint: documentHint(rules) };
  },
});

export const documentsSetRules = write({
  name: "documents.setRules",
  summary: "Change how long an environment keeps documents, and what one may cost",
  permission: "environment.edit",
  environment: async (input) => input.environmentId,
  effect: "database",
  input: z.strictObject({ environmentId: z.uuid(), rules: DocumentRules }),
  output: z.strictObject({ rules: DocumentRules }),
  target: (input) => ({ type: "environment", id: input.environmentId, detail: { ...input.rules } }),
  run: async ({ db, input }) => ({ rules: columns(await db.environment.update({ where: { id: input.environmentId }, data: input.rules })) }),
});
