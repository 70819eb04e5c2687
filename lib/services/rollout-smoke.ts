import "server-only";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pageSizeOf, renderModelOf, renderSize } from "@/lib/domain/document-rendering";
import { DomainError } from "@/lib/domain/errors";
import type { Smoke } from "@/lib/domain/rollout-smoke";
import type { Db } from "@/lib/platform/db";
import { listModels, readPage } from "@/lib/platform/engine";
import { rasteriser } from "@/lib/platform/raster/rasteriser";
import { limitsIn } from "./document-limits";
import { engineOf, type Engine } from "./engines";
import { publish } from "./live";

const SAMPLE = "scan-simple.pdf";
const TRIES = 3;
/** A Service may need a moment to lead to a pod that has just become ready. */
const BETWEEN_TRIES_MS = 2_000;
const READ_MS = 120_000;

/** Has the newest ready rollout of a deployment read one sample page through its service, once, and keeps how fast it was. The text is kept nowhere. */
export async function smokeTest(db: Db, deploymentId: string, signal: AbortSignal): Promise<void> {
  const rolloutId = await claim(db, deploymentId);
  if (rolloutId === null) return;
  const smoke = await tryOut(db, deploymentId, signal);
  if (signal.aborted) return;
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`UPDATE rollout SET facts = facts || jsonb_build_object('smoke', ${JSON.stringify(smoke)}::jsonb) WHERE id = ${rolloutId}::uuid`;
    await publish(tx, `deployment:${deploymentId}`, { data: { smoke: smoke.state } });
  });
}

/** Of several processes that see the deployment become ready, one reads the page. */
async function claim(db: Db, deploymentId: string): Promise<string | null> {
  const reading = JSON.stringify({ smoke: { state: "reading", at: new Date().toISOString() } });
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE rollout SET facts = facts || ${reading}::jsonb
    WHERE id = (SELECT o.id FROM rollout o JOIN revision v ON v.id = o.revision_id WHERE v.deployment_id = ${deploymentId}::uuid AND o.state = 'ready' ORDER BY o.started_at DESC LIMIT 1)
      AND NOT jsonb_exists(facts, 'smoke')
    RETURNING id`;
  return rows[0]?.id ?? null;
}

async function tryOut(db: Db, deploymentId: string, signal: AbortSignal): Promise<Smoke> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await readSample(db, await engineOf(db, deploymentId), AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]));
    } catch (error) {
      if (signal.aborted || tries === TRIES) return { state: "failed", at: new Date().toISOString(), message: sentenceOf(error) };
      await wait(BETWEEN_TRIES_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof DomainError) return error.message;
  return error instanceof Error && error.name === "TimeoutError" ? `It was not read within ${READ_MS / 1000} s.` : "Reading failed inside Lectern; the server log has the cause.";
}

async function readSample(db: Db, engine: Engine, signal: AbortSignal): Promise<Smoke> {
  await listModels(engine.send, signal); // what does not answer at all needs no picture
  const imagePng = await drawSample(db, engine, signal);
  const started = performance.now();
  const answer = await readPage(engine.send, {
    model: engine.servedName,
    imagePng,
    mode: "grounding",
    temperature: 0.2,
    signal,
    ...(engine.hasThinkingSwitch ? { chatTemplateKwargs: { enable_thinking: false } } : {}),
  });
  const seconds = (performance.now() - started) / 1000;
  if (answer.text.trim() === "") throw new DomainError("upstream_failed", "The engine answered the sample page with nothing.");
  const tokens = answer.completionTokens;
  return { state: "read", at: new Date().toISOString(), sample: SAMPLE, seconds, pagesPerSecond: 1 / seconds, tokensPerSecond: tokens === null ? null : tokens / seconds };
}

/** The first page of the sample as the model is shown it. */
async function drawSample(db: Db, { deploymentId, modelId }: Engine, signal: AbortSignal): Promise<Buffer> {
  const bytes = await readFile(path.join(process.cwd(), "public", "samples", SAMPLE));
  const row = await db.deployment.findUniqueOrThrow({ where: { id: deploymentId ?? "" }, select: { environmentId: true } });
  const source = { id: `sample:${SAMPLE}`, bytes: async () => ({ byteLength: bytes.byteLength, pieces: pieces(bytes) }) };
  const call = { name: SAMPLE, limits: await limitsIn(db, row.environmentId), signal };
  const [page] = (await rasteriser().inspect(source, call)).pages;
  if (!page) throw new DomainError("not_found", "The sample has no page.");
  const size = renderSize({ model: renderModelOf(modelId), preset: "standard", page: pageSizeOf(page) });
  return (await rasteriser().renderPage(source, { number: page.number, ...size }, call)).png;
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
