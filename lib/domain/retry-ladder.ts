import { defaultSampling } from "./engine-request";

/** How one try at a page ended. */
export const ATTEMPT_OUTCOMES = ["read", "no_boxes", "loop", "truncated", "busy", "unreachable", "broken", "over_limit", "refused", "cancelled", "failed"] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** What the ladder knows of the tries before: how each ended. */
export type PastAttempt = { outcome: AttemptOutcome };

/** What comes next: ask again at once with these settings, put the page back for a while, or end with what there is. */
export type NextStep = { kind: "again"; temperature: number; withoutLimit: boolean } | { kind: "wait"; ms: number } | { kind: "end" };

// A model that loops at its card's temperature seldom does at a higher one; olmOCR climbs the same way
// (https://github.com/allenai/olmocr: 0.1 … 1.0), in more steps than a person wants to wait for.
const temperatures = [defaultSampling.temperature, 0.5, 0.8] as const;
const maxPassingFaults = 6;
const firstWaitMs = 1_000;
const maxWaitMs = 60_000;

const passing: readonly AttemptOutcome[] = ["busy", "unreachable", "broken"];

function count(attempts: readonly PastAttempt[], outcome: AttemptOutcome): number {
  return attempts.filter((attempt) => attempt.outcome === outcome).length;
}

/** The temperature for the next try: one rung higher for each loop so far. */
export function temperatureAfter(attempts: readonly PastAttempt[]): number {
  return temperatures[Math.min(count(attempts, "loop"), temperatures.length - 1)] ?? temperatures[0];
}

/**
 * What to do after the last of `attempts`. A loop is tried again hotter, at most twice; a passing fault waits twice as long each time,
 * from 1 s to 60 s or as long as the engine's Retry-After says, at most five times; a limit that does not fit the context is taken off
 * once. `jitter` (0–1) spreads pages that failed together over the half second after.
 */
export function nextStep(attempts: readonly PastAttempt[], { retryAfterSeconds, jitter }: { retryAfterSeconds: number | undefined; jitter: number }): NextStep {
  const last = attempts.at(-1)?.outcome;
  if (last === undefined) return { kind: "end" };
  const temperature = temperatureAfter(attempts);
  if (last === "loop") return count(attempts, "loop") < temperatures.length ? { kind: "again", temperature, withoutLimit: false } : { kind: "end" };
  if (last === "over_limit") return count(attempts, "over_limit") === 1 ? { kind: "again", temperature, withoutLimit: true } : { kind: "end" };
  if (!passing.includes(last)) return { kind: "end" };
  const faults = attempts.filter(({ outcome }) => passing.includes(outcome)).length;
  if (faults >= maxPassingFaults) return { kind: "end" };
  const backoff = Math.min(maxWaitMs, firstWaitMs * 2 ** (faults - 1));
  return { kind: "wait", ms: Math.max(backoff, (retryAfterSeconds ?? 0) * 1000) + Math.round(jitter * 500) };
}
