import "server-only";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "@/lib/domain/errors";
import type { GatewayLimits } from "@/lib/domain/rate-limit";

export type GatewayMeter = {
  /** Counts pages before they are read. Throws `rate_limited` with the limit's name and the seconds to wait. */
  pages(who: { token: string | null; user: string; environment: string }, pages: number): Promise<void>;
  /** Throws `rate_limited` when this address has sent too many tokens that are not valid. */
  assertWelcome(address: string): Promise<void>;
  refused(address: string): Promise<void>;
  /** Takes one of the caller's places for requests under way; answers how it is given back. Throws `rate_limited`. */
  enter(caller: string): () => void;
};

/** The limits of the gateway, counted in this process. */
export function createGatewayMeter({ pagesPerMinute, refusedPerMinute, parallel }: GatewayLimits): GatewayMeter {
  const perMinute = (points: number) => new RateLimiterMemory({ points, duration: 60 });
  const limits = [
    { what: "this token", key: "token", limiter: perMinute(pagesPerMinute.ofToken), points: pagesPerMinute.ofToken },
    { what: "this person", key: "user", limiter: perMinute(pagesPerMinute.ofPerson), points: pagesPerMinute.ofPerson },
    { what: "this environment", key: "environment", limiter: perMinute(pagesPerMinute.ofEnvironment), points: pagesPerMinute.ofEnvironment },
  ] as const;
  const refusals = perMinute(refusedPerMinute);
  const under = new Map<string, number>();

  return {
    async pages(who, pages) {
      for (const { what, key, limiter, points } of limits) {
        const id = who[key];
        if (id === null) continue;
        await limiter.consume(id, pages).catch((refusal: unknown) => {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          throw tooMany(`The limit of ${points} pages a minute for ${what} is reached.`, refusal.msBeforeNext);
        });
      }
    },
    async assertWelcome(address) {
      const known = await refusals.get(address);
      if (known && known.consumedPoints >= refusedPerMinute) throw tooMany("Too many requests with a token that is not valid came from this address.", known.msBeforeNext);
    },
    async refused(address) {
      await refusals.consume(address).catch(() => undefined); // counted; the next one is told
    },
    enter(caller) {
      const now = under.get(caller) ?? 0;
      if (now >= parallel) throw new DomainError("rate_limited", `The limit of ${parallel} requests at once is reached. Try again when one has ended.`, { retryAfterSeconds: 1 });
      under.set(caller, now + 1);
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        const left = (under.get(caller) ?? 1) - 1;
        if (left === 0) under.delete(caller);
        else under.set(caller, left);
      };
    },
  };
}

function tooMany(sentence: string, msBeforeNext: number): DomainError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new DomainError("rate_limited", `${sentence} Try again in ${seconds} s.`, { retryAfterSeconds: seconds });
}
