import "server-only";
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { EngineError } from "@/lib/domain/engine-failure";
import { DomainError } from "@/lib/domain/errors";
import { createLoopDetector } from "@/lib/domain/loop-detector";
import { nextStep, temperatureAfter, type AttemptOutcome } from "@/lib/domain/retry-ladder";
import { readPage, type PageAnswer } from "@/lib/platform/engine";
import type { Gateway } from "./gateway";
import { countReading, dropReading, type Reading } from "./gateway-count";
import type { Offer } from "./gateway-engines";
import { atSomeEngine } from "./gateway-route";

/** A client waits for the answer: longer pauses are its own to make. */
const LONGEST_WAIT_MS = 5_000;

export type PageToRead = { offers: readonly Offer[]; userId: string | null; tokenId: string | null; png: Uint8Array; signal: AbortSignal };
export type ReadText = { text: string; isCut: boolean };

/** Reads one picture with boxes, climbs the retry ladder, and counts the page once with what all its tries took. */
export async function readPicture(gateway: Gateway, page: PageToRead): Promise<ReadText> {
  const past: { outcome: AttemptOutcome }[] = [];
  const spent = { promptTokens: 0, completionTokens: 0, pieces: 0, isDone: false };
  for (;;) {
    const tried = await tryPicture(gateway, page, { temperature: temperatureAfter(past), spent });
    past.push({ outcome: tried.outcome });
    const step = nextStep(past, { retryAfterSeconds: undefined, jitter: Math.random() });
    if (step.kind === "again") continue;
    if (step.kind === "wait" && step.ms <= LONGEST_WAIT_MS) {
      await setTimeout(step.ms, undefined, { signal: page.signal });
      continue;
    }
    if ("error" in tried) throw tried.error;
    await countReading(gateway, tried.reading);
    return { text: tried.answer.text, isCut: tried.outcome !== "read" };
  }
}

type Tried = { outcome: AttemptOutcome; reading: Reading; answer: PageAnswer } | { outcome: AttemptOutcome; error: DomainError };
type Settings = { temperature: number; spent: Reading["tap"]["facts"] };

async function tryPicture(gateway: Gateway, { offers, userId, tokenId, png, signal }: PageToRead, { temperature, spent }: Settings): Promise<Tried> {
  const loops = createLoopDetector();
  try {
    return await atSomeEngine(gateway, offers, {
      signal,
      work: async (place) => {
        const reading: Reading = { id: randomUUID(), place, userId, tokenId, tap: { facts: { ...spent, promptTokens: null, completionTokens: null } }, startedAt: performance.now() };
        const leave = () => void countReading(gateway, reading).catch(() => undefined); // it logs its failure
        signal.addEventListener("abort", leave, { once: true });
        try {
          const isLoop = { now: false };
          const answer = await readPage(place.engine.send, {
            model: place.engine.servedName,
            imagePng: png,
            mode: "grounding",
            temperature,
            signal,
            stopsLoops: place.engine.route !== "embedded",
            ...(place.engine.hasThinkingSwitch ? { chatTemplateKwargs: { enable_thinking: false } } : {}),
            onDelta: (delta) => {
              reading.tap.facts.pieces += 1;
              isLoop.now = loops.push(delta) !== null;
              return isLoop.now ? "stop" : undefined;
            },
          });
          place.release();
          spent.promptTokens = (spent.promptTokens ?? 0) + (answer.promptTokens ?? 0);
          spent.completionTokens = (spent.completionTokens ?? 0) + (answer.completionTokens ?? reading.tap.facts.pieces);
          reading.tap.facts = { ...spent };
          return { outcome: outcomeOf(answer, isLoop.now), reading, answer };
        } catch (error) {
          if (!signal.aborted) dropReading(reading);
          throw error;
        } finally {
          signal.removeEventListener("abort", leave);
        }
      },
    });
  } catch (error) {
    if (signal.aborted || !(error instanceof DomainError)) throw error;
    return { outcome: faultOf(error), error };
  }
}

function outcomeOf({ finishReason }: PageAnswer, isLoop: boolean): AttemptOutcome {
  if (isLoop || finishReason === "repetition") return "loop";
  return finishReason === "stop" ? "read" : "truncated";
}

function faultOf(error: DomainError): AttemptOutcome {
  if (error.code === "rate_limited") return "refused"; // the queue is full: the client is told to come back
  if (!(error instanceof EngineError)) return error.code === "unavailable" ? "unreachable" : "failed";
  if (error.reason === "busy") return "busy";
  return error.canRetry ? "broken" : "refused";
}
