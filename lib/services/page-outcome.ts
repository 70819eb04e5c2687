import "server-only";
import type { Prisma } from "@/lib/generated/prisma/client";
import type { Db, Tx } from "@/lib/platform/db";
import type { PageAnswer } from "@/lib/platform/engine";
import type { RenderedPage } from "@/lib/platform/raster/rasteriser";
import { publish } from "./live";
import { ENDED_PAGE_STATES, sealPageText } from "./run-rows";
import { countPage } from "./usage-log";

export type ReadablePage = Prisma.RunPageGetPayload<{ include: { run: { include: { document: true } } } }>;
export type PageOutcome = { answer: PageAnswer & { isLoop: boolean }; image: RenderedPage; seconds: number } | { failure: string };

/** Records how a page ended, counts it if an engine read it, and ends the run with its last page; all at once or not at all. */
export async function finishPage(db: Db, page: ReadablePage, outcome: PageOutcome): Promise<void> {
  const now = new Date();
  await db.$transaction(async (tx) => {
    const data = "failure" in outcome ? { state: "failed", reason: outcome.failure } : answered(page, outcome);
    const mine = await tx.runPage.updateMany({ where: { id: page.id, attempt: page.attempt, state: "running" }, data: { ...data, endedAt: now, leasedUntil: null } });
    if (!("failure" in outcome)) await countPage(tx, useOf(page, outcome, now)); // the engine's work is paid for, also when the run was cancelled meanwhile
    if (mine.count === 1) await endRun(tx, page, { now, state: data.state, reason: data.reason });
  });
}

async function endRun(tx: Tx, page: ReadablePage, at: { now: Date; state: string; reason: string }): Promise<void> {
  // Pages of one run end one after the other here: the last one must see all the others.
  await tx.$executeRaw`SELECT 1 FROM run WHERE id = ${page.runId}::uuid FOR UPDATE`;
  const open = await tx.runPage.count({ where: { runId: page.runId, state: { notIn: [...ENDED_PAGE_STATES] } } });
  if (open === 0) await tx.run.updateMany({ where: { id: page.runId, state: { in: ["queued", "running"] } }, data: { state: "done", endedAt: at.now } });
  await publish(tx, `run:${page.runId}`, { data: { page: page.number, state: at.state, reason: at.reason, isRunDone: open === 0 } });
}

function answered(page: ReadablePage, { answer, image, seconds }: Exclude<PageOutcome, { failure: string }>) {
  const { state, reason } = verdict(answer);
  return {
    state,
    reason,
    sealedText: sealPageText({ id: page.id, environmentId: page.run.environmentId }, answer.text),
    textLength: answer.text.length,
    width: image.width,
    height: image.height,
    finishReason: answer.finishReason,
    modelReported: answer.modelReported,
    meanConfidence: answer.meanConfidence,
    promptTokens: answer.promptTokens,
    completionTokens: answer.completionTokens,
    seconds,
  };
}

/** A page counts as read only when the model itself came to an end. */
function verdict(answer: PageAnswer & { isLoop: boolean }): { state: "done" | "truncated"; reason: string } {
  if (answer.isLoop || answer.finishReason === "repetition") return { state: "truncated", reason: "The model repeated itself and was stopped; the text up to there is kept." };
  if (answer.finishReason === "length") return { state: "truncated", reason: "The model reached its length limit; the end of the page is missing." };
  if (answer.finishReason !== "stop") return { state: "truncated", reason: "The engine ended the page early; its end may be missing." };
  return { state: "done", reason: "" };
}

function useOf(page: ReadablePage, { answer, seconds }: Exclude<PageOutcome, { failure: string }>, at: Date) {
  return {
    id: page.id,
    at,
    environmentId: page.run.environmentId,
    deploymentId: page.run.deploymentId,
    modelId: page.run.modelId,
    skuId: page.run.skuId,
    feature: "playground" as const,
    userId: page.run.createdById,
    tokenId: page.run.tokenId,
    promptTokens: answer.promptTokens ?? 0,
    completionTokens: answer.completionTokens ?? 0,
    seconds,
  };
}
