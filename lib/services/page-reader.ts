import "server-only";
import { EngineError } from "@/lib/domain/engine-failure";
import { DomainError } from "@/lib/domain/errors";
import { createLoopDetector } from "@/lib/domain/loop-detector";
import type { Db } from "@/lib/platform/db";
import { readPage, type PageAnswer } from "@/lib/platform/engine";
import type { RenderedPage } from "@/lib/platform/raster/rasteriser";
import { engineOf } from "./engines";
import { publish } from "./live";
import { drawPage, renderModelOf } from "./page-image";
import { keepLease, MAX_ATTEMPTS, requeue } from "./page-queue";
import { sealLiveText, sealPageText } from "./run-rows";
import { finishPage, type ReadablePage } from "./page-outcome";

const FLUSH_MS = 80;
const LEASE_CHECK_MS = 1_000;
const BACKOFF_MS = 2_000;

/** Reads one claimed page to its end: draws it, asks the engine, passes the text on while it comes, records the outcome. */
export async function readClaimedPage(db: Db, pageId: string, shutdown: AbortSignal): Promise<void> {
  const page = await db.runPage.findUnique({ where: { id: pageId }, include: { run: { include: { document: true } } } });
  if (!page) return;
  const lost = new AbortController();
  const signal = AbortSignal.any([shutdown, lost.signal]);
  const watch = setInterval(() => void keepLease(db, page, new Date()).then((isKept) => isKept || lost.abort()), LEASE_CHECK_MS);
  try {
    await begin(db, page);
    const image = await drawPage(page.run.document, { number: page.number, model: renderModelOf(page.run.modelId), preset: page.run.preset as "fast" | "standard" | "best" }, signal); // written by runs.start
    const started = Date.now();
    const answer = await ask(db, page, { image, signal });
    await finishPage(db, page, { answer, image, seconds: (Date.now() - started) / 1000 });
  } catch (error) {
    if (lost.signal.aborted) return; // cancelled, or another worker has it
    if (shutdown.aborted) return requeue(db, page, { after: new Date(), reason: "" });
    await fail(db, page, error);
  } finally {
    clearInterval(watch);
  }
}

async function begin(db: Db, page: ReadablePage): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.run.updateMany({ where: { id: page.runId, state: "queued" }, data: { state: "running" } });
    await publish(tx, `run:${page.runId}`, { data: { page: page.number, state: "running", offset: 0 } });
  });
}

async function ask(db: Db, page: ReadablePage, work: { image: RenderedPage; signal: AbortSignal }): Promise<PageAnswer & { isLoop: boolean }> {
  const engine = await engineOf(db, page.run.deploymentId);
  const loops = createLoopDetector();
  const passOn = createPassOn(db, page);
  let isLoop = false;
  try {
    const answer = await readPage(engine.send, {
      model: engine.servedName,
      imagePng: work.image.png,
      mode: page.run.mode === "plain" ? "plain" : "grounding",
      signal: work.signal,
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

/** Collects pieces of text and stores and publishes them together, a dozen times a second at most. */
function createPassOn(db: Db, page: ReadablePage) {
  let text = "";
  let sent = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  async function flush(): Promise<void> {
    timer = undefined;
    if (sent === text.length) return;
    const topic = `run:${page.runId}` as const;
    const offset = sent;
    const piece = text.slice(offset);
    sent = text.length;
    const data = { sealedText: sealPageText({ id: page.id, environmentId: page.run.environmentId }, text), textLength: text.length };
    await db.$transaction(async (tx) => {
      const mine = await tx.runPage.updateMany({ where: { id: page.id, attempt: page.attempt, state: "running" }, data });
      if (mine.count === 1) await publish(tx, topic, { data: { page: page.number, state: "running", offset }, sealed: sealLiveText(topic, piece) });
    });
  }

  return {
    add(delta: string) {
      text += delta;
      timer ??= setTimeout(() => {
        writing = writing.then(flush);
      }, FLUSH_MS);
    },
    async end() {
      clearTimeout(timer);
      writing = writing.then(flush);
      await writing;
    },
  };
}

function isPassing(error: DomainError): boolean {
  return error instanceof EngineError ? error.canRetry : error.code === "unavailable" || error.code === "rate_limited";
}

/** Passing faults are tried again with growing waits; the rest fails this page and no other. */
async function fail(db: Db, page: ReadablePage, error: unknown): Promise<void> {
  const reason = error instanceof DomainError ? error.message : "The page failed inside Lectern. The server log names the cause.";
  if (error instanceof DomainError && isPassing(error) && page.attempt < MAX_ATTEMPTS) {
    const waitMs = Math.max((error.retryAfterSeconds ?? 0) * 1000, BACKOFF_MS * 2 ** (page.attempt - 1));
    await requeue(db, page, { after: new Date(Date.now() + waitMs), reason: `Trying again: ${reason}` });
    return db.$transaction((tx) => publish(tx, `run:${page.runId}`, { data: { page: page.number, state: "queued", reason } }));
  }
  await finishPage(db, page, { failure: reason });
  if (!(error instanceof DomainError)) throw error;
}
