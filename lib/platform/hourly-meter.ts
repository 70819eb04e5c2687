import "server-only";
import { RateLimiterMemory } from "rate-limiter-flexible";

const HOUR_SECONDS = 3600;

/** How much each key has used of something in its present hour, which begins with its first use; in this process. */
export type HourlyMeter = {
  /** What was used so far, and the seconds until the hour is over. */
  usedBy(key: string): Promise<{ used: number; secondsLeft: number }>;
  add(key: string, amount: number): Promise<void>;
};

export function createHourlyMeter(): HourlyMeter {
  const uses = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: HOUR_SECONDS });
  return {
    async usedBy(key) {
      const found = await uses.get(key);
      return { used: found?.consumedPoints ?? 0, secondsLeft: Math.ceil((found?.msBeforeNext ?? 0) / 1000) };
    },
    async add(key, amount) {
      await uses.penalty(key, amount);
    },
  };
}
