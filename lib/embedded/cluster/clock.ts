import "server-only";

/** Time as the sandbox sees it. Nothing in the sandbox polls: everything that waits is one `after`. */
export type SandboxClock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs once after `delayMs` of this clock's time; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void;
};

/** setTimeout fires at once for a longer delay than this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A clock that runs `speed` times as fast as the wall: 1 for a person who watches, 1000 and more for tests. */
export function createClock(speed = 1): SandboxClock {
  const startedAt = Date.now();
  const startedTicks = performance.now();
  return {
    now: () => Math.round(startedAt + (performance.now() - startedTicks) * speed),
    after(delayMs, run) {
      const timer = setTimeout(run, Math.min(Math.max(delayMs, 0) / speed, LONGEST_TIMER_MS));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

export function microTimestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 23)}000Z`;
}
