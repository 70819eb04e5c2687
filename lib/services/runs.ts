import "server-only";
import { z } from "zod";
import { UNTRUSTED } from "@/lib/domain/untrusted";
import { DomainError } from "@/lib/domain/errors";
import { can } from "@/lib/domain/policy";
import { environmentOfDocument, readableDocument } from "./document-access";
import { environmentById } from "./environment-rows";
import { publish } from "./live";
import { read, write } from "./operation";
import { takeReading } from "./reading-quotas";
import { engineOrWake } from "./wakes-engine";
import { environmentOfRun, readableRun, RunPageView, RunSummary, toPageView, toRunSummary } from "./run-rows";

const ById = z.strictObject({ id: z.uuid() });

export const runsStart = write({
  name: "runs.start",
  summary: "Have a document read by an engine",
  permission: "document.upload",
  environment: async (input, db) => environmentOfDocument({ id: input.documentId }, db),
  effect: "outside",
  input: z.strictObject({
    documentId: z.uuid(),
    deploymentId: z.uuid().nullable(),
    mode: z.enum(["grounding", "plain"]).default("grounding"),
    preset: z.enum(["fast", "standard", "best"]).default("standard"),
    pages: z.array(z.number().int().min(1)).min(1).max(200).optional(),
  }),
  output: RunSummary,
  target: (input, result) => ({ type: "run", id: result?.id ?? null, detail: { documentId: input.documentId, deploymentId: input.deploymentId } }),
  run: async ({ caller, db, input, now }) => {
    const document = await readableDocument(db, caller.actor, input.documentId);
    const engine = await engineOrWake(db, input.deploymentId, { actor: caller.actor, now });
    if (input.deploymentId) {
      const deployment = await db.deployment.findUniqueOrThrow({ where: { id: input.deploymentId }, select: { environmentId: true } });
      if (!can(caller.actor, "document.upload", deployment.environmentId)) throw new DomainError("not_found", "There is no such deployment, or you have no access to it.");
    }
    const numbers = input.pages ?? Array.from({ length: document.pageCount }, (_, index) => index + 1);
    const outside = numbers.find((number) => number > document.pageCount);
    if (outside) throw new DomainError("unprocessable", `The document has ${document.pageCount} pages; page ${outside} was asked for.`);
    await takeReading(db, { environment: await environmentById(db, document.environmentId), userId: caller.actor.userId ?? "" }, new Set(numbers).size);
    const run = await db.run.create({
      data: {
        documentId: document.id,
        environmentId: document.environmentId,
        deploymentId: engine.deploymentId,
        modelId: engine.modelId,
        skuId: engine.skuId,
        mode: input.mode,
        preset: input.preset,
        createdById: caller.actor.userId ?? "",
        tokenId: caller.tokenId,
        pages: { create: [...new Set(numbers)].map((number) => ({ number })) },
      },
      include: { pages: true },
    });
    await db.$transaction((tx) => publish(tx, `run:${run.id}`, { data: { state: "queued" } }));
    return toRunSummary(run);
  },
});

export const runsGet = read({
  name: "runs.get",
  summary: "One run with the text of each page as far as it has been read",
  permission: "document.read",
  environment: environmentOfRun,
  audited: true,
  input: ById,
  output: z.strictObject({ notice: z.string(), run: RunSummary, pages: z.array(RunPageView) }),
  target: (input) => ({ type: "run", id: input.id }),
  run: async ({ caller, db, input }) => {
    const run = await readableRun(db, caller.actor, input.id);
    return { notice: UNTRUSTED, run: toRunSummary(run), pages: run.pages.map((page) => toPageView(run, page)) };
  },
});

export const runsList = read({
  name: "runs.list",
  summary: "The runs of a document, newest first",
  permission: "document.read",
  environment: async (input, db) => environmentOfDocument({ id: input.documentId }, db),
  input: z.strictObject({ documentId: z.uuid() }),
  output: z.strictObject({ runs: z.array(RunSummary) }),
  run: async ({ caller, db, input }) => {
    await readableDocument(db, caller.actor, input.documentId);
    const rows = await db.run.findMany({ where: { documentId: input.documentId }, include: { pages: { select: { state: true } } }, orderBy: { createdAt: "desc" }, take: 50 });
    return { runs: rows.map(toRunSummary) };
  },
});

export const runsCancel = write({
  name: "runs.cancel",
  summary: "Stop a run; pages that were read stay",
  permission: "document.upload",
  environment: environmentOfRun,
  effect: "database",
  input: ById,
  output: ById,
  target: (input) => ({ type: "run", id: input.id }),
  run: async ({ caller, db, input, now }) => {
    const run = await readableRun(db, caller.actor, input.id);
    await db.runPage.updateMany({ where: { runId: run.id, state: { in: ["queued", "running"] } }, data: { state: "cancelled", reason: "Cancelled.", endedAt: now } });
    await db.run.updateMany({ where: { id: run.id, state: { in: ["queued", "running"] } }, data: { state: "cancelled", endedAt: now } });
    await publish(db, `run:${run.id}`, { data: { state: "cancelled" } });
    return { id: run.id };
  },
});
