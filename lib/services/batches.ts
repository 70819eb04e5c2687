import "server-only";
import { z } from "zod";
import { BatchOutput, batchLimits, SkippedFile } from "@/lib/domain/batch";
import { DomainError, notFound } from "@/lib/domain/errors";
import { can, environmentsWith } from "@/lib/domain/policy";
import { assertRoomForBatch } from "./batch-quotas";
import { BatchRow, environmentOfBatch, readableBatch, toBatchRow } from "./batch-rows";
import { readableDocuments } from "./document-access";
import { inEnvironmentsWith } from "./environments";
import { read, write } from "./operation";
import { engineOrWake } from "./wakes-engine";
import { webhookSecret } from "./webhook";
import { webhookTarget } from "./webhook-post";

const ById = z.strictObject({ id: z.uuid() });

export const batchesCreate = write({
  name: "batches.create",
  summary: "Have many stored documents read in the background",
  permission: "document.upload",
  environment: async (input) => input.environmentId,
  effect: "outside",
  input: z.strictObject({
    environmentId: z.uuid(),
    name: z.string().trim().min(1, "Give the batch a name.").max(100),
    documentIds: z.array(z.uuid()).min(1, "Choose at least one document.").max(batchLimits.documents),
    deploymentId: z.uuid().nullable(),
    mode: z.enum(["grounding", "plain"]).default("grounding"),
    preset: z.enum(["fast", "standard", "best"]).default("standard"),
    outputs: z.array(BatchOutput).min(1, "Choose at least one output.").max(4).default(["markdown", "json"]),
    /** Files that the caller meant to be part of it and that were refused: the result names them. */
    skipped: z.array(SkippedFile).max(batchLimits.documents).default([]),
    /** Is sent one signed message when the batch has ended. */
    webhookUrl: z.url({ protocol: /^https?$/ }).max(1_000).optional(),
  }),
  output: z.strictObject({ batch: BatchRow, webhookSecret: z.string().nullable() }),
  target: (input, result) => ({ type: "batch", id: result?.batch.id ?? null, detail: { documents: input.documentIds.length, skipped: input.skipped.length, deploymentId: input.deploymentId } }),
  run: async ({ caller, db, input, now }) => {
    const engine = await engineOrWake(db, input.deploymentId, { actor: caller.actor, now });
    if (input.deploymentId && !(await db.deployment.count({ where: { id: input.deploymentId, environmentId: input.environmentId } }))) throw notFound("deployment");
    if (input.webhookUrl) webhookTarget(input.webhookUrl); // says at once what can never be right
    const ids = [...new Set(input.documentIds)];
    const managed = environmentsWith(caller.actor, "document.manage");
    const documents = await db.document.findMany({ where: { AND: [readableDocuments(caller.actor, managed), { id: { in: ids }, environmentId: input.environmentId, deletedAt: null, heldBy: null }] }, select: { id: true, pageCount: true } });
    const placeOf = new Map(ids.map((id, place) => [id, place]));
    if (documents.length < ids.length) throw new DomainError("not_found", "Some of the documents are not there any more, are not stored, or belong to another environment. Choose again.");
    const total = documents.reduce((sum, { pageCount }) => sum + pageCount, 0);
    if (total > batchLimits.pages) throw new DomainError("too_large", `The documents have ${total} pages; one batch takes ${batchLimits.pages}. Make several.`);
    const userId = caller.actor.userId ?? "";
    await assertRoomForBatch(db, { userId, environmentId: input.environmentId, pages: total });
    const row = await db.$transaction(
      async (tx) => {
        const { documentIds: _documentIds, webhookUrl = "", ...chosen } = input;
        const batch = await tx.batch.create({ data: { ...chosen, webhookUrl, webhookState: webhookUrl ? "due" : "", createdById: userId } });
        const common = { batchId: batch.id, environmentId: input.environmentId, deploymentId: engine.deploymentId, modelId: engine.modelId, skuId: engine.skuId, mode: input.mode, preset: input.preset, createdById: userId, tokenId: caller.tokenId };
        const runs = await tx.run.createManyAndReturn({ data: documents.map(({ id }) => ({ ...common, documentId: id, position: placeOf.get(id) ?? 0 })), select: { id: true, documentId: true } });
        const countOf = new Map(documents.map(({ id, pageCount }) => [id, pageCount]));
        await tx.runPage.createMany({ data: runs.flatMap((run) => Array.from({ length: countOf.get(run.documentId) ?? 0 }, (_, index) => ({ runId: run.id, number: index + 1 }))) });
        return batch;
      },
      { timeout: 60_000, maxWait: 10_000 },
    );
    return { batch: await toBatchRow(db, row), webhookSecret: input.webhookUrl ? webhookSecret(row.id) : null };
  },
});

export const batchesList = read({
  name: "batches.list",
  summary: "Batches that I may see, newest first",
  permission: "document.upload",
  environment: "each",
  input: z.strictObject({ environmentId: z.uuid().optional() }),
  output: z.strictObject({ batches: z.array(BatchRow) }),
  run: async ({ caller, db, input }) => {
    const only = input.environmentId ? { environmentId: input.environmentId } : {};
    const rows = await db.batch.findMany({ where: { AND: [inEnvironmentsWith(caller.actor, "document.upload"), only] }, orderBy: { createdAt: "desc" }, take: 50 });
    const mine = rows.filter((row) => row.createdById === caller.actor.userId || can(caller.actor, "document.manage", row.environmentId));
    return { batches: await Promise.all(mine.map((row) => toBatchRow(db, row))) };
  },
});

const FailedPage = z.strictObject({ document: z.string(), number: z.number().int(), state: z.string(), reason: z.string() });

export const batchesGet = read({
  name: "batches.get",
  summary: "One batch: how its pages stand, when it will be done, and which pages failed",
  permission: "document.read",
  environment: environmentOfBatch,
  input: ById,
  output: z.strictObject({ batch: BatchRow, problems: z.array(FailedPage) }),
  run: async ({ caller, db, input }) => {
    const row = await readableBatch(db, caller.actor, input.id);
    const pages = await db.runPage.findMany({ where: { run: { batchId: row.id }, state: { in: ["failed", "truncated"] } }, include: { run: { select: { document: { select: { name: true } } } } }, orderBy: { endedAt: "desc" }, take: 100 });
    return { batch: await toBatchRow(db, row), problems: pages.map((page) => ({ document: page.run.document.name, number: page.number, state: page.state, reason: page.reason })) };
  },
});
