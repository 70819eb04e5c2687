import "server-only";
import { z } from "zod";
import { notFound } from "@/lib/domain/errors";
import type { Actor } from "@/lib/domain/policy";
import { ATTEMPT_OUTCOMES } from "@/lib/domain/retry-ladder";
import type { Db, Tx } from "@/lib/platform/db";
import { isSealedInMemory, memoryVault } from "@/lib/platform/memory-vault";
import type { SealPlace } from "@/lib/platform/seal";
import { vault } from "@/lib/platform/vault";
import { readableDocument } from "./document-access";

export const PAGE_STATES = ["queued", "running", "done", "truncated", "failed", "cancelled"] as const;
export const ENDED_PAGE_STATES = ["done", "truncated", "failed", "cancelled"] as const;

/** One try at a page. `seconds` is the engine's time; `temperature` what the model was asked with. */
export const AttemptView = z.strictObject({
  number: z.number().int(),
  outcome: z.enum(ATTEMPT_OUTCOMES),
  reason: z.string(),
  temperature: z.number(),
  route: z.enum(["embedded", "direct", "proxy", ""]),
  completionTokens: z.number().int().nullable(),
  seconds: z.number(),
});

export const RunPageView = z.strictObject({
  id: z.uuid(),
  number: z.number().int(),
  state: z.enum(PAGE_STATES),
  reason: z.string(),
  /** What one should know of a page that was read, such as that it came without boxes. */
  note: z.string(),
  /** How the picture was drawn that the model was given. */
  preset: z.enum(["fast", "standard", "best"]),
  text: z.string(),
  modelReported: z.string().nullable(),
  meanConfidence: z.number().nullable(),
  promptTokens: z.number().int().nullable(),
  completionTokens: z.number().int().nullable(),
  seconds: z.number().nullable(),
  attempts: z.array(AttemptView),
});

export const RunSummary = z.strictObject({
  id: z.uuid(),
  documentId: z.uuid(),
  environmentId: z.uuid(),
  deploymentId: z.uuid().nullable(),
  modelId: z.string(),
  mode: z.enum(["grounding", "plain"]),
  preset: z.enum(["fast", "standard", "best"]),
  state: z.enum(["queued", "running", "done", "cancelled"]),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  pagesTotal: z.number().int(),
  pagesEnded: z.number().int(),
  pagesFailed: z.number().int(),
});

type PlacedPage = { id: string; environmentId: string };
/** `isHeld`: the document is never stored, so its text is sealed with the key that only this process knows. */
type Sealing = { isHeld: boolean };
export const pageTextPlace = (page: PlacedPage): SealPlace => ({ environment: page.environmentId, object: page.id, purpose: "page-text" });
const livePlace = (topic: string): SealPlace => ({ environment: "portal", object: topic, purpose: "live" });

function seal(text: string, at: SealPlace, { isHeld }: Sealing): Uint8Array<ArrayBuffer> {
  return new Uint8Array((isHeld ? memoryVault() : vault()).seal(Buffer.from(text), at));
}

function open(sealed: Uint8Array, at: SealPlace): string {
  return (isSealedInMemory(sealed) ? memoryVault() : vault()).open(sealed, at).toString("utf8");
}

/** A page's text as it is stored. */
export function sealPageText(page: PlacedPage, text: string, sealing: Sealing): Uint8Array<ArrayBuffer> {
  return seal(text, pageTextPlace(page), sealing);
}

export function openPageText(page: PlacedPage, sealed: Uint8Array | null): string {
  return sealed ? open(sealed, pageTextPlace(page)) : "";
}

/** A piece of text on its way through the live stream. */
export function sealLiveText(topic: string, text: string, sealing: Sealing): Uint8Array {
  return seal(text, livePlace(topic), sealing);
}

export function openLiveText(topic: string, sealed: Uint8Array): string {
  return open(sealed, livePlace(topic));
}

/** The environment of a run, for the pipeline. */
export async function environmentOfRun(input: { id: string }, db: Db): Promise<string | null> {
  const row = await db.run.findUnique({ where: { id: input.id }, select: { environmentId: true } });
  return row?.environmentId ?? null;
}

/** The run with its pages, if the actor may read its document. Throws `not_found`. */
export async function readableRun(db: Db | Tx, actor: Actor, id: string) {
  const run = await db.run.findUnique({ where: { id }, include: { pages: { orderBy: { number: "asc" }, include: { attempts: { orderBy: { number: "asc" } } } }, document: true } });
  if (!run) throw notFound("run");
  await readableDocument(db, actor, run.documentId);
  return run;
}

export type ReadableRun = Awaited<ReturnType<typeof readableRun>>;

/** A page as it is shown, its text opened. */
export function toPageView(run: ReadableRun, page: ReadableRun["pages"][number]): z.infer<typeof RunPageView> {
  return RunPageView.parse({
    id: page.id,
    number: page.number,
    state: page.state,
    reason: page.reason,
    note: page.note,
    preset: page.preset ?? run.preset,
    text: openPageText({ id: page.id, environmentId: run.environmentId }, page.sealedText),
    modelReported: page.modelReported,
    meanConfidence: page.meanConfidence,
    promptTokens: page.promptTokens,
    completionTokens: page.completionTokens,
    seconds: page.seconds,
    attempts: page.attempts.map(({ number, outcome, reason, temperature, route, completionTokens, seconds }) => ({ number, outcome, reason, temperature, route, completionTokens, seconds })),
  });
}

type RunRow = { id: string; documentId: string; environmentId: string; deploymentId: string | null; modelId: string; mode: string; preset: string; state: string; createdAt: Date; endedAt: Date | null; pages: { state: string }[] };

export function toRunSummary(run: RunRow): z.infer<typeof RunSummary> {
  const ended = run.pages.filter((page) => ENDED_PAGE_STATES.some((state) => state === page.state));
  return RunSummary.parse({
    id: run.id,
    documentId: run.documentId,
    environmentId: run.environmentId,
    deploymentId: run.deploymentId,
    modelId: run.modelId,
    mode: run.mode,
    preset: run.preset,
    state: run.state,
    createdAt: run.createdAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
    pagesTotal: run.pages.length,
    pagesEnded: ended.length,
    pagesFailed: ended.filter((page) => page.state === "failed").length,
  });
}
