import "server-only";
import { z } from "zod";
import { notFound } from "@/lib/domain/errors";
import type { Actor } from "@/lib/domain/policy";
import type { Db, Tx } from "@/lib/platform/db";
import { vault } from "@/lib/platform/vault";
import { readableDocument } from "./document-access";

export const PAGE_STATES = ["queued", "running", "done", "truncated", "failed", "cancelled"] as const;
export const ENDED_PAGE_STATES = ["done", "truncated", "failed", "cancelled"] as const;

export const RunPageView = z.strictObject({
  id: z.uuid(),
  number: z.number().int(),
  state: z.enum(PAGE_STATES),
  reason: z.string(),
  text: z.string(),
  modelReported: z.string().nullable(),
  meanConfidence: z.number().nullable(),
  promptTokens: z.number().int().nullable(),
  completionTokens: z.number().int().nullable(),
  seconds: z.number().nullable(),
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
const place = (page: PlacedPage) => ({ environment: page.environmentId, object: page.id, purpose: "page-text" });

/** A page's text as it is stored. */
export function sealPageText(page: PlacedPage, text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(vault().seal(Buffer.from(text), place(page)));
}

export function openPageText(page: PlacedPage, sealed: Uint8Array | null): string {
  return sealed ? vault().open(sealed, place(page)).toString("utf8") : "";
}

/** A piece of text on its way through the live stream. */
export function sealLiveText(topic: string, text: string): Uint8Array {
  return vault().seal(Buffer.from(text), { environment: "portal", object: topic, purpose: "live" });
}

export function openLiveText(topic: string, sealed: Uint8Array): string {
  return vault().open(sealed, { environment: "portal", object: topic, purpose: "live" }).toString("utf8");
}

/** The environment of a run, for the pipeline. */
export async function environmentOfRun(input: { id: string }, db: Db): Promise<string | null> {
  const row = await db.run.findUnique({ where: { id: input.id }, select: { environmentId: true } });
  return row?.environmentId ?? null;
}

/** The run with its pages, if the actor may read its document. Throws `not_found`. */
export async function readableRun(db: Db | Tx, actor: Actor, id: string) {
  const run = await db.run.findUnique({ where: { id }, include: { pages: { orderBy: { number: "asc" } }, document: true } });
  if (!run) throw notFound("run");
  await readableDocument(db, actor, run.documentId);
  return run;
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
