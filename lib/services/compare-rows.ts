import "server-only";
import { z } from "zod";
import { models } from "@/lib/domain/catalog";
import { scorePage, sumScores, type PageScore } from "@/lib/domain/compare-score";
import { expectedText, laneCost, laneText } from "@/lib/domain/compare-lane";
import { notFound } from "@/lib/domain/errors";
import type { Actor } from "@/lib/domain/policy";
import { priceOfSku } from "@/lib/domain/sku-price";
import type { Comparison } from "@/lib/generated/prisma/client";
import type { Db, Tx } from "@/lib/platform/db";
import type { SealPlace } from "@/lib/platform/seal";
import { vault } from "@/lib/platform/vault";
import { readableDocument } from "./document-access";
import { EMBEDDED_MODEL } from "./engines";
import { priceBook } from "./prices-book";
import { PAGE_STATES, openPageText, readableRun, toRunSummary, type ReadableRun } from "./run-rows";

const Score = z.strictObject({ characterErrorRate: z.number(), wordRecall: z.number(), expectedCharacters: z.number().int(), expectedWords: z.number().int(), errors: z.number().int(), foundWords: z.number().int() });
const Price = z.strictObject({ perHour: z.number(), currency: z.string(), source: z.string(), asOf: z.string(), perPage: z.number().nullable(), perThousand: z.number().nullable() });

export const LanePage = z.strictObject({
  number: z.number().int(),
  state: z.enum(PAGE_STATES),
  reason: z.string(),
  /** The model's own words, boxes included. */
  answer: z.string(),
  seconds: z.number().nullable(),
  promptTokens: z.number().int().nullable(),
  completionTokens: z.number().int().nullable(),
  score: Score.nullable(),
});

export const LaneView = z.strictObject({
  runId: z.uuid(),
  engine: z.string(),
  modelId: z.string(),
  modelName: z.string(),
  mode: z.enum(["grounding", "plain"]),
  preset: z.enum(["fast", "standard", "best"]),
  state: z.enum(["queued", "running", "done", "cancelled"]),
  pagesTotal: z.number().int(),
  pagesEnded: z.number().int(),
  /** Sums and means over the pages that were read. */
  seconds: z.number(),
  secondsPerPage: z.number().nullable(),
  tokens: z.number().int(),
  price: Price.nullable(),
  /** Why there is no price; null when there is one. */
  unpriced: z.string().nullable(),
  score: Score.nullable(),
  pages: z.array(LanePage),
});
export type LaneView = z.infer<typeof LaneView>;

export const ComparisonRow = z.strictObject({
  id: z.uuid(),
  environmentId: z.uuid(),
  documentId: z.uuid(),
  documentName: z.string(),
  name: z.string(),
  lanes: z.number().int(),
  hasExpected: z.boolean(),
  createdAt: z.iso.datetime(),
});

type Stored = Comparison & { document: { name: string } };

export function toComparisonRow(row: Stored): z.infer<typeof ComparisonRow> {
  const { id, environmentId, documentId, name } = row;
  return { id, environmentId, documentId, documentName: row.document.name, name, lanes: row.runIds.length, hasExpected: row.sealedExpected !== null, createdAt: row.createdAt.toISOString() };
}

export async function environmentOfComparison(input: { id: string }, db: Db): Promise<string | null> {
  const row = await db.comparison.findUnique({ where: { id: input.id }, select: { environmentId: true } });
  return row?.environmentId ?? null;
}

/** The comparison, if the actor may read its document. Throws `not_found`. */
export async function readableComparison(db: Db | Tx, actor: Actor, id: string): Promise<Stored> {
  const row = await db.comparison.findUnique({ where: { id }, include: { document: { select: { name: true } } } });
  if (!row) throw notFound("comparison");
  await readableDocument(db, actor, row.documentId);
  return row;
}

const ExpectedPages = z.record(z.string(), z.string());
export const comparisonPlace = ({ id, environmentId }: Pick<Comparison, "id" | "environmentId">): SealPlace => ({ environment: environmentId, object: id, purpose: "comparison-expected" });

export function sealExpected(row: Pick<Comparison, "id" | "environmentId">, pages: Record<number, string>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(vault().seal(Buffer.from(JSON.stringify(pages)), comparisonPlace(row)));
}

/** The expected text by page; empty without one. */
export function openExpected(row: Comparison): Record<number, string> {
  return row.sealedExpected ? ExpectedPages.parse(JSON.parse(vault().open(row.sealedExpected, comparisonPlace(row)).toString("utf8"))) : {};
}

/** The lanes with their pages, scored where there is an expected text. */
export async function lanesOf(db: Db, actor: Actor, row: Comparison): Promise<LaneView[]> {
  const expected = openExpected(row);
  const runs = await Promise.all(row.runIds.map((id) => readableRun(db, actor, id)));
  const names = new Map((await db.deployment.findMany({ where: { id: { in: runs.flatMap(({ deploymentId }) => deploymentId ?? []) } }, select: { id: true, name: true } })).map(({ id, name }) => [id, name]));
  const book = await priceBook(db);
  return runs.map((run) => toLane(run, { expected, engine: run.deploymentId === null ? "Embedded CPU engine" : (names.get(run.deploymentId) ?? "a deleted deployment"), price: run.skuId ? priceOfSku(run.skuId, book) : null }));
}

type LaneFacts = { expected: Record<number, string>; engine: string; price: ReturnType<typeof priceOfSku> | null };

function toLane(run: ReadableRun, { expected, engine, price }: LaneFacts): LaneView {
  const { id: runId, modelId, mode, preset, state, pagesTotal, pagesEnded } = toRunSummary(run);
  const pages = run.pages.map((page) => toLanePage(run, page, expected[page.number]));
  const read = pages.filter(({ seconds }) => seconds !== null);
  const seconds = read.reduce((sum, page) => sum + (page.seconds ?? 0), 0);
  const secondsPerPage = read.length === 0 ? null : seconds / read.length;
  const score = sumScores(pages.flatMap((page) => page.score ?? []));
  const modelName = modelId === EMBEDDED_MODEL ? "Tesseract 5: not LightOnOCR-3" : (models.find(({ id }) => id === modelId)?.name ?? modelId);
  const tokens = read.reduce((sum, page) => sum + (page.promptTokens ?? 0) + (page.completionTokens ?? 0), 0);
  return { runId, engine, modelId, modelName, mode, preset, state, pagesTotal, pagesEnded, seconds, secondsPerPage, tokens, ...priced(price, secondsPerPage), score, pages };
}

function priced(price: LaneFacts["price"], secondsPerPage: number | null): Pick<LaneView, "price" | "unpriced"> {
  if (price === null) return { price: null, unpriced: "It runs on this machine's own processor, which has no price here." };
  if (price.state === "unpriced") return { price: null, unpriced: price.reason };
  const { currency, source, asOf } = price;
  const perHour = Number(price.perHour);
  const cost = secondsPerPage === null ? { perPage: null, perThousand: null } : laneCost({ perHour, secondsPerPage });
  return { price: { perHour, currency, source, asOf, ...cost }, unpriced: null };
}

function toLanePage(run: ReadableRun, page: ReadableRun["pages"][number], expected: string | undefined): z.infer<typeof LanePage> {
  const answer = openPageText({ id: page.id, environmentId: run.environmentId }, page.sealedText);
  const isRead = page.state === "done" || page.state === "truncated";
  const score: PageScore | null = expected !== undefined && isRead ? scorePage(expectedText(expected), laneText(answer)) : null;
  const { number, reason, seconds, promptTokens, completionTokens } = page;
  return { number, state: LanePage.shape.state.parse(page.state), reason: reason || page.note, answer, seconds, promptTokens, completionTokens, score };
}
