import "server-only";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "@/lib/domain/errors";

const WINDOW_SECONDS = 15 * 60;
const ATTEMPTS_PER_ADDRESS = 30;
const ATTEMPTS_PER_ACCOUNT = 10;

export type SignInLimits = {
  /** Counts an attempt before the password is looked at. Throws `rate_limited` with the seconds to wait. */
  attempt(address: string, account: string): Promise<void>;
  /** Forgets the attempts on an account once its password was right. */
  succeeded(account: string): Promise<void>;
};

/** Limits that count in this process: per client address, and per account whether it exists or not. */
export function createSignInLimits(): SignInLimits {
  const byAddress = new RateLimiterMemory({ points: ATTEMPTS_PER_ADDRESS, duration: WINDOW_SECONDS });
  const byAccount = new RateLimiterMemory({ points: ATTEMPTS_PER_ACCOUNT, duration: WINDOW_SECONDS });
  return {
    attempt: async (address, account) => {
      await consume(byAddress, address, "from this address");
      await consume(byAccount, account, "for this account");
    },
    succeeded: async (account) => void (await byAccount.delete(account)),
  };
}

async function consume(limiter: RateLimiterMemory, key: string, what: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.ceil(refusal.msBeforeNext / 1000);
    throw new DomainError("rate_limited", `Too many sign-in attempts ${what}. Try again in ${Math.ceil(seconds / 60)} min.`, { retryAfterSeconds: seconds });
  }
}

const shared = globalThis as typeof globalThis & { lecternSignInLimits?: SignInLimits };

/** The limits of this process. */
export function signInLimits(): SignInLimits {
  shared.lecternSignInLimits ??= createSignInLimits();
  return shared.lecternSignInLimits;
}
