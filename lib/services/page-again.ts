import "server-only";
import { z } from "zod";
import { DomainError, notFound } from "@/lib/domain/errors";
import { listModels } from "@/lib/platform/engine";
import { engineOf } from "./engines";
import { publish } from "./live";
import { write } from "./operation";
import { ENDED_PAGE_STATES, environmentOfRun, readableRun, type ReadableRun } from "./run-rows";

/** Room for the chat template and for what a renderer's rounding costs, in tokens. */
const SLACK_TOKENS = 128;
/** A first answer as long as LightOn's benchmarks reserve (reference: README of lightonai/LightOnOCR). */
const LONG_ANSWER_TOKENS = 12_288;

type Page = ReadableRun["pages"][number];

/** The longest answer that the engine has room for beside this page's picture. Throws `unprocessable` when the page has had it already. */
async function longerLimit(run: ReadableRun, page: Page, send: Parameters<typeof listModels>[0]): Promise<number> {
  const used = page.completionTokens ?? 0;
  const context = (await listModels(send).catch(() => []))[0]?.maxTokens ?? null;
  const room = context === null ? Math.max(LONG_ANSWER_TOKENS, used * 2) : context - (page.promptTokens ?? 0) - SLACK_TOKENS;
  if (room > used) return room;
  throw new DomainError("unprocessable", `The engine's context of ${context ?? 0} tokens is full: read the page with the fast preset, which leaves more room for text, or deploy with a longer context.`);
}

export const runsReadAgain = write({
  name: "runs.readAgain",
  summary: "Have one page of a run read again: as before, with a longer limit, or with a smaller picture",
  permission: "document.upload",
  environment: environmentOfRun,
  effect: "outside",
  input: z.strictObject({ id: z.uuid(), page: z.number().int().min(1), with: z.enum(["same", "longer", "fast"]).default("same") }),
  output: z.strictObject({ id: z.uuid() }),
  target: (input) => ({ type: "run", id: input.id, detail: { page: input.page, with: input.with } }),
  run: async ({ caller, db, input }) => {
    const run = await readableRun(db, caller.actor, input.id);
    const page = run.pages.find(({ number }) => number === input.page);
    if (!page) throw notFound("page");
    if (!ENDED_PAGE_STATES.some((state) => state === page.state)) throw new DomainError("conflict", "The page is being read. Cancel the run first, or wait for its end.");
    const { send } = await engineOf(db, run.deploymentId);
    const change = input.with === "longer" ? { maxTokens: await longerLimit(run, page, send) } : input.with === "fast" ? { preset: "fast", maxTokens: null } : {};
    await db.$transaction(async (tx) => {
      const anew = { state: "queued", reason: "", note: "", readId: crypto.randomUUID(), attempt: 0, leasedUntil: null, startedAt: null, endedAt: null, sealedText: null, textLength: 0, finishReason: null, meanConfidence: null };
      const { count } = await tx.runPage.updateMany({ where: { id: page.id, state: page.state }, data: { ...anew, ...change } });
      if (count === 0) throw new DomainError("conflict", "Someone else has had the page read again just now.");
      await tx.run.update({ where: { id: run.id }, data: { state: "running", endedAt: null } });
      await publish(tx, `run:${run.id}`, { data: { page: page.number, state: "queued", reason: "" } });
    });
    return { id: run.id };
  },
});
