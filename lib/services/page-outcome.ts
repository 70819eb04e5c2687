import "server-only";
import { parseGrounding } from "@/lib/domain/grounding";
import type { Prisma } from "@/lib/generated/prisma/client";
import type { Db, Tx } from "@/lib/platform/db";
import type { PageAnswer } from "@/lib/platform/engine";
import type { RenderedPage } from "@/lib/platform/raster/rasteriser";
import { publish } from "./live";
import { held } from "./page-queue";
import { ENDED_PAGE_STATES, sealPageText } from "./run-rows";
import { countPage } from "./usage-log";

export type ReadablePage = Prisma.RunPageGetPayload<{ include: { attempts: true; run: { include: { document: true } } } }>;
export type ReadAnswer = PageAnswer & { isLoop: boolean };
export type PageOutcome = { answer: ReadAnswer; image: RenderedPage; seconds: number } | { failure: string };

/** How the text of a page is sealed: with the key in memory when its document is never stored. */
export function sealingOf(page: ReadablePage): { isHeld: boolean } {
  return { isHeld: page.run.document.heldBy !== null };
}

/** Records how a page ended, counts it if an engine read it, and ends the run with its last page; all at once or not at all. */
export async function finishPage(db: Db, page: ReadablePage, outcome: PageOutcome): Promise<void> {
  const now = new Date();
  await db.$transaction(async (tx) => {
    const data = "failure" in outcome ? { state: "failed", reason: outcome.failure } : answered(page, outcome);
    const mine = await tx.runPage.updateMany({ where: held(page), data: { ...data, endedAt: now, leasedUntil: null } });
    if (!("failure" in outcome)) await countPage(tx, useOf(page, now)); // the engine's work is paid for, also when the run was cancelled meanwhile
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
  const { state, reason, note } = verdict(page.run.mode, answer);
  const fonts = image.lacksFonts ? "The page came out white although the PDF holds text: its font is not in the file. Save the PDF with its fonts embedded and upload that." : "";
  return {
    state,
    reason,
    note: note || fonts,
    sealedText: sealPageText({ id: page.id, environmentId: page.run.environmentId }, answer.text, sealingOf(page)),
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

/** How a try ended. A page counts as read only when the model itself came to an end. */
export function outcomeOf(mode: string, answer: ReadAnswer): "loop" | "truncated" | "no_boxes" | "read" {
  if (answer.isLoop || answer.finishReason === "repetition") return "loop";
  if (answer.finishReason !== "stop") return "truncated";
  const isPlain = mode === "grounding" && answer.text.trim() !== "" && parseGrounding(answer.text).every((block) => block.box === null);
  return isPlain ? "no_boxes" : "read";
}

type Verdict = { state: "done" | "truncated"; reason: string; note: string };

function verdict(mode: string, answer: ReadAnswer): Verdict {
  switch (outcomeOf(mode, answer)) {
    case "loop":
      return { state: "truncated", reason: "The model repeated itself at every temperature and was stopped; the text up to there is kept.", note: "" };
    case "truncated":
      return { state: "truncated", reason: answer.finishReason === "length" ? "The model reached its length limit; the end of the page is missing." : "The engine ended the page early; its end may be missing.", note: "" };
    case "no_boxes":
      return { state: "done", reason: "", note: "The model answered without boxes; the page is kept as plain text." };
    case "read":
      return { state: "done", reason: "", note: "" };
  }
}

/** What a reading cost: all its tries, as the engine worked on each. */
function useOf(page: ReadablePage, at: Date) {
  const tries = page.attempts.filter((attempt) => attempt.readId === readIdOf(page));
  return {
    id: readIdOf(page),
    at,
    environmentId: page.run.environmentId,
    deploymentId: page.run.deploymentId,
    modelId: page.run.modelId,
    skuId: page.run.skuId,
    feature: page.run.batchId ? ("batch" as const) : ("playground" as const),
    userId: page.run.createdById,
    tokenId: page.run.tokenId,
    promptTokens: sum(tries.map((attempt) => attempt.promptTokens ?? 0)),
    completionTokens: sum(tries.map((attempt) => attempt.completionTokens ?? 0)),
    seconds: sum(tries.map((attempt) => attempt.seconds)),
  };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The id under which this reading is counted. */
export function readIdOf(page: { id: string; readId: string | null }): string {
  return page.readId ?? page.id;
}
