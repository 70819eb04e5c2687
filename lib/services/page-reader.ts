import "server-only";
import { EngineError } from "@/lib/domain/engine-failure";
import { renderModelOf } from "@/lib/domain/document-rendering";
import { DomainError } from "@/lib/domain/errors";
import { createLoopDetector } from "@/lib/domain/loop-detector";
import { nextStep, temperatureAfter, type AttemptOutcome, type NextStep } from "@/lib/domain/retry-ladder";
import type { Db } from "@/lib/platform/db";
import { readPage, type PageAnswer } from "@/lib/platform/engine";
import type { RenderedPage } from "@/lib/platform/raster/rasteriser";
import { engineOf, forgetWay, type Engine } from "./engines";
import { publish } from "./live";
import { recordAttempt } from "./page-attempt";
import { drawPage, presetOf } from "./page-image";
import { leases } from "./page-lease";
import { finishPage, outcomeOf, readIdOf, type ReadablePage, type ReadAnswer } from "./page-outcome";
import { createPassOn } from "./page-pass-on";
import { requeue } from "./page-queue";

/** Claims that ended without a recorded try: the page has taken its process down with it as often. */
const MAX_LOST_CLAIMS = 4;

type Work = { page: ReadablePage; image: RenderedPage; signal: AbortSignal };
type Try = { temperature: number; maxTokens: number | null };

/** Reads one claimed page to its end: draws it, asks the engine, passes the text on while it comes, climbs the retry ladder, records the outcome. */
export async function readClaimedPage(db: Db, pageId: string, shutdown: AbortSignal): Promise<void> {
  const page = await db.runPage.findUnique({ where: { id: pageId }, include: { attempts: { orderBy: { number: "asc" } }, run: { include: { document: true } } } });
  if (!page) return;
  const lost = new AbortController();
  const signal = AbortSignal.any([shutdown, lost.signal]);
  const unwatch = leases(db).watch(page, () => lost.abort());
  try {
    if (page.attempt - page.attempts.length > MAX_LOST_CLAIMS) return await finishPage(db, page, { failure: "The page broke off four times without a trace of why; the rest of the document is not affected. Print it to a new PDF and try that." });
    await begin(db, page);
    const view = { number: page.number, model: renderModelOf(page.run.modelId), preset: presetOf(page.preset ?? page.run.preset) };
    const image = await drawPage(db, page.run.document, { ...view, signal });
    await climb(db, { page, image, signal });
  } catch (error) {
    if (lost.signal.aborted) return; // cancelled, or another worker has it
    if (shutdown.aborted) return requeue(db, page, { after: new Date(), reason: "" });
    if ((await db.runPage.count({ where: { id: page.id } })) === 0) return; // deleted meanwhile, with its document
    await finishPage(db, page, { failure: error instanceof DomainError ? error.message : "The page failed inside Lectern. The server log names the cause." });
    if (!(error instanceof DomainError)) throw error;
  } finally {
    unwatch();
  }
}

async function begin(db: Db, page: ReadablePage): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.run.updateMany({ where: { id: page.runId, state: "queued" }, data: { state: "running" } });
    await publish(tx, `run:${page.runId}`, { data: { page: page.number, state: "running", offset: 0 } });
  });
}

/** Tries until the page is read, must wait, or cannot be read. */
async function climb(db: Db, work: Work): Promise<void> {
  const { page } = work;
  let maxTokens = page.maxTokens;
  for (;;) {
    const past = page.attempts.filter((attempt) => attempt.readId === readIdOf(page)) as { outcome: AttemptOutcome }[]; // written by recordAttempt
    const tried = await tryOnce(db, work, { temperature: temperatureAfter(past), maxTokens });
    const step = nextStep([...past, tried], { retryAfterSeconds: tried.retryAfterSeconds, jitter: Math.random() });
    if (step.kind === "end" || step.kind === "wait") return leave(db, work, { tried, step });
    await keepTry(db, page, tried);
    if (step.withoutLimit) maxTokens = null;
    await begin(db, page); // the text starts anew
  }
}

type Tried = { outcome: AttemptOutcome; reason: string; retryAfterSeconds: number | undefined; seconds: number; answer: ReadAnswer | null; route: Engine["route"] | ""; startedAt: Date } & Try;

async function keepTry(db: Db, page: ReadablePage, tried: Tried): Promise<void> {
  page.attempts.push(await recordAttempt(db, page, { ...tried, promptTokens: tried.answer?.promptTokens ?? null, completionTokens: tried.answer?.completionTokens ?? null }));
}

async function leave(db: Db, { page, image }: Work, { tried, step }: { tried: Tried; step: Exclude<NextStep, { kind: "again" }> }): Promise<void> {
  await keepTry(db, page, tried);
  if (step.kind === "wait") {
    const reason = `Trying again in ${Math.ceil(step.ms / 1000)} s: ${tried.reason}`;
    await requeue(db, page, { after: new Date(Date.now() + step.ms), reason });
    return db.$transaction((tx) => publish(tx, `run:${page.runId}`, { data: { page: page.number, state: "queued", reason } }));
  }
  if (tried.answer) await finishPage(db, page, { answer: tried.answer, image, seconds: tried.seconds });
  else await finishPage(db, page, { failure: tried.reason });
}

async function tryOnce(db: Db, work: Work, settings: Try): Promise<Tried> {
  const startedAt = new Date();
  const base = { ...settings, startedAt, retryAfterSeconds: undefined, answer: null };
  const seconds = () => (Date.now() - startedAt.getTime()) / 1000;
  let route: Engine["route"] | "" = "";
  try {
    const engine = await engineOf(db, work.page.run.deploymentId);
    route = engine.route;
    const answer = await ask(db, work, { engine, ...settings });
    const outcome = outcomeOf(work.page.run.mode, answer);
    const reason = outcome === "loop" ? "The model repeated itself." : "";
    return { ...base, outcome, reason, answer, route, seconds: seconds() };
  } catch (error) {
    if (work.signal.aborted) {
      await keepTry(db, work.page, { ...base, outcome: "cancelled", reason: "Stopped.", route, seconds: seconds() });
      throw error;
    }
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "unavailable") forgetWay(work.page.run.deploymentId);
    return { ...base, outcome: faultOf(error, settings), reason: error.message, retryAfterSeconds: error.retryAfterSeconds, route, seconds: seconds() };
  }
}

function faultOf(error: DomainError, { maxTokens }: Try): AttemptOutcome {
  if (!(error instanceof EngineError)) return error.code === "unavailable" || error.code === "rate_limited" ? "unreachable" : "failed";
  if (error.reason === "context_exceeded" && maxTokens !== null) return "over_limit";
  if (error.reason === "busy") return "busy";
  return error.canRetry ? "broken" : "refused";
}

/** A batch's page shows its text when it is read: thousands of them are not written down piece by piece. */
const nobodyLooksOn = { add: () => undefined, end: async () => undefined };

async function ask(db: Db, { page, image, signal }: Work, { engine, temperature, maxTokens }: Try & { engine: Engine }): Promise<PageAnswer & { isLoop: boolean }> {
  const loops = createLoopDetector();
  const passOn = page.run.batchId === null ? createPassOn(db, page) : nobodyLooksOn;
  let isLoop = false;
  try {
    const answer = await readPage(engine.send, {
      model: engine.servedName,
      imagePng: image.png,
      mode: page.run.mode === "plain" ? "plain" : "grounding",
      temperature,
      stopsLoops: engine.route !== "embedded",
      signal,
      ...(maxTokens === null ? {} : { maxTokens }),
      ...(engine.hasThinkingSwitch ? { chatTemplateKwargs: { enable_thinking: false } } : {}),
      onDelta: (delta) => {
        passOn.add(delta);
        isLoop = loops.push(delta) !== null;
        return isLoop ? "stop" : undefined;
      },
    });
    return { ...answer, isLoop };
  } finally {
    await passOn.end();
  }
}
