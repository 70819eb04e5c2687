import "server-only";
import { z } from "zod";
import { laneLimits } from "@/lib/domain/compare-lane";
import { joinExpected, splitExpected } from "@/lib/domain/compare-expected";
import { DomainError } from "@/lib/domain/errors";
import { environmentsWith } from "@/lib/domain/policy";
import { UNTRUSTED } from "@/lib/domain/untrusted";
import { ComparisonRow, environmentOfComparison, lanesOf, LaneView, openExpected, readableComparison, sealExpected, toComparisonRow } from "./compare-rows";
import { environmentOfDocument, readableDocument, readableDocuments } from "./document-access";
import { read, write } from "./operation";
import { execute } from "./pipeline";
import { runsCancel, runsStart } from "./runs";

const ById = z.strictObject({ id: z.uuid() });
const Lane = z.strictObject({ deploymentId: z.uuid().nullable(), mode: z.enum(["grounding", "plain"]).default("grounding"), preset: z.enum(["fast", "standard", "best"]).default("standard") });
const target = (input: { id: string }) => ({ type: "comparison", id: input.id });

export const compareCreate = write({
  name: "compare.create",
  summary: "Have the same pages read two to four times, by different engines or in different ways",
  permission: "document.upload",
  environment: async (input, db) => environmentOfDocument({ id: input.documentId }, db),
  effect: "outside",
  input: z.strictObject({
    documentId: z.uuid(),
    name: z.string().trim().max(100).optional(),
    pages: z.array(z.number().int().min(1)).min(1).max(50).optional(),
    lanes: z.array(Lane).min(laneLimits.least, "Compare at least two lanes.").max(laneLimits.most, "Compare at most four lanes."),
  }),
  output: ComparisonRow,
  target: (input, result) => ({ type: "comparison", id: result?.id ?? null, detail: { documentId: input.documentId, lanes: input.lanes.length } }),
  run: async ({ caller, db, input }) => {
    const document = await readableDocument(db, caller.actor, input.documentId);
    if (document.heldBy !== null) throw new DomainError("unprocessable", "This document is only in memory, and a comparison is kept. Choose one that is stored.");
    const pages = input.pages ?? Array.from({ length: Math.min(50, document.pageCount) }, (_, index) => index + 1);
    const runIds: string[] = [];
    try {
      for (const lane of input.lanes) runIds.push((await execute(runsStart, { db, caller, input: { documentId: document.id, pages, ...lane } })).id);
    } catch (error) {
      for (const id of runIds) await execute(runsCancel, { db, caller, input: { id } }); // all lanes or none
      throw error;
    }
    const row = await db.comparison.create({
      data: { environmentId: document.environmentId, documentId: document.id, name: input.name || document.name, runIds, createdById: caller.actor.userId ?? "" },
      include: { document: { select: { name: true } } },
    });
    return toComparisonRow(row);
  },
});

export const compareList = read({
  name: "compare.list",
  summary: "Comparisons of documents that I may read, newest first",
  permission: "document.read",
  environment: "each",
  input: z.strictObject({ environmentId: z.uuid().optional(), documentId: z.uuid().optional() }),
  output: z.strictObject({ comparisons: z.array(ComparisonRow) }),
  run: async ({ caller, db, input }) => {
    const seen = environmentsWith(caller.actor, "document.read");
    const rows = await db.comparison.findMany({
      where: { ...input, AND: [seen === "all" ? {} : { environmentId: { in: seen } }, { document: { AND: [readableDocuments(caller.actor, environmentsWith(caller.actor, "document.manage")), { deletedAt: null }] } }] },
      include: { document: { select: { name: true } } },
      orderBy: { createdAt: "desc" },
      take: 100,
    });
    return { comparisons: rows.map(toComparisonRow) };
  },
});

export const compareGet = read({
  name: "compare.get",
  summary: "One comparison: every lane with its pages, seconds, tokens, costs and, with an expected text, its scores",
  permission: "document.read",
  environment: environmentOfComparison,
  audited: true,
  input: ById,
  output: z.strictObject({ notice: z.string(), comparison: ComparisonRow, expected: z.string(), lanes: z.array(LaneView) }),
  target,
  run: async ({ caller, db, input }) => {
    const row = await readableComparison(db, caller.actor, input.id);
    const expected = openExpected(row);
    return { notice: UNTRUSTED, comparison: toComparisonRow(row), expected: Object.keys(expected).length === 0 ? "" : joinExpected(expected), lanes: await lanesOf(db, caller.actor, row) };
  },
});

export const compareSetExpected = write({
  name: "compare.setExpected",
  summary: "Give the text that the pages should have; empty takes it away",
  permission: "document.upload",
  environment: environmentOfComparison,
  effect: "database",
  input: z.strictObject({ id: z.uuid(), text: z.string().max(2_000_000, "The text has at most 2 million characters.") }),
  output: ById,
  target,
  run: async ({ caller, db, input }) => {
    const row = await readableComparison(db, caller.actor, input.id);
    const [first] = row.runIds;
    const pages = await db.runPage.findMany({ where: { runId: first ?? row.id }, select: { number: true }, orderBy: { number: "asc" } });
    const sealedExpected = input.text.trim() === "" ? null : sealExpected(row, splitExpected(input.text, pages.map(({ number }) => number)));
    await db.comparison.update({ where: { id: row.id }, data: { sealedExpected } });
    return { id: row.id };
  },
});

export const compareDelete = write({
  name: "compare.delete",
  summary: "Forget a comparison and its expected text; its runs stay with the document",
  permission: "document.upload",
  environment: environmentOfComparison,
  effect: "database",
  input: ById,
  output: ById,
  target,
  run: async ({ caller, db, input }) => {
    const row = await readableComparison(db, caller.actor, input.id);
    await db.comparison.delete({ where: { id: row.id } });
    return { id: row.id };
  },
});
