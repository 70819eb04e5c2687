import "server-only";
import { EngineError } from "./engine-error";

/** Something that does one job at a time; `broken` aborts when it dies of itself. */
export type Member = { broken: AbortSignal; stop(): Promise<void> };

export type PoolOptions<M extends Member> = { size: number; maxWaiting: number; timeLimitMs: number; start(): Promise<M> };

export type Pool<M extends Member> = {
  /**
   * Runs a job on a member that is free, or waits for one in turn. The time limit counts from the job's start.
   * @throws EngineError ServiceUnavailableError at once, before any waiting, when the queue is full or the pool closed.
   */
  run<T>(job: (member: M) => Promise<T>, signal: AbortSignal): Promise<T>;
  load(): { running: number; waiting: number };
  close(): Promise<void>;
};

/**
 * A few members that each do one job at a time and start when first needed. A member whose job failed, was given up or
 * ran too long is stopped and replaced: after that its thread cannot be trusted, and stopping never settles the job itself.
 */
export function createPool<M extends Member>(options: PoolOptions<M>): Pool<M> {
  const idle: (M | undefined)[] = Array.from({ length: options.size }, () => undefined);
  const waiting: ((member: M | undefined) => void)[] = [];
  const started = new Set<M>();
  let running = 0;
  let isClosed = false;

  function giveBack(member: M | undefined): void {
    const next = waiting.shift();
    if (next) next(member);
    else idle.push(member);
  }

  async function discard(member: M): Promise<void> {
    started.delete(member);
    await member.stop();
  }

  async function begin(): Promise<M> {
    const member = await options.start();
    if (isClosed) {
      await member.stop();
      throw stopping();
    }
    started.add(member);
    member.broken.addEventListener("abort", () => started.delete(member), { once: true });
    return member;
  }

  async function work<T>(free: M | undefined, job: (member: M) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted || isClosed) {
      giveBack(free);
      throw signal.aborted ? signal.reason : stopping();
    }
    running += 1;
    let member = free && started.has(free) ? free : undefined;
    try {
      member ??= await begin();
      return await withinLimits(job(member), { broken: member.broken, signal, timeLimitMs: options.timeLimitMs });
    } catch (error) {
      if (member) await discard(member);
      member = undefined;
      throw error;
    } finally {
      running -= 1;
      giveBack(member);
    }
  }

  return {
    run(job, signal) {
      if (isClosed) throw stopping();
      if (idle.length > 0) return work(idle.pop(), job, signal);
      if (waiting.length >= options.maxWaiting) throw new EngineError("ServiceUnavailableError", "The engine's queue is full; try again in a few seconds.");
      return waitForTurn(waiting, signal).then((member) => work(member, job, signal));
    },
    load: () => ({ running, waiting: waiting.length }),
    async close() {
      isClosed = true;
      await Promise.all([...started].map(discard));
    },
  };
}

function stopping(): EngineError {
  return new EngineError("ServiceUnavailableError", "The engine is stopping.");
}

function waitForTurn<M>(waiting: ((member: M) => void)[], signal: AbortSignal): Promise<M> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      waiting.splice(waiting.indexOf(take), 1);
      reject(signal.reason);
    };
    const take = (member: M) => {
      signal.removeEventListener("abort", onAbort);
      resolve(member);
    };
    waiting.push(take);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

async function withinLimits<T>(job: Promise<T>, limits: { broken: AbortSignal; signal: AbortSignal; timeLimitMs: number }): Promise<T> {
  const { broken, signal, timeLimitMs } = limits;
  const over = new AbortController();
  const cut = new Promise<never>((_, reject) => {
    const rejectOn = (source: AbortSignal, reason: () => unknown) => {
      if (source.aborted) reject(reason());
      else source.addEventListener("abort", () => reject(reason()), { once: true, signal: over.signal });
    };
    rejectOn(signal, () => signal.reason);
    rejectOn(broken, () => new EngineError("InternalServerError", "The reading thread ended unexpectedly; send the page again."));
    const late = new EngineError("InternalServerError", `Reading the page took longer than ${timeLimitMs / 1000} s and was stopped.`);
    const timer = setTimeout(() => reject(late), timeLimitMs);
    over.signal.addEventListener("abort", () => clearTimeout(timer));
  });
  job.catch(() => undefined); // when cut off it may still fail, later and unheard
  try {
    return await Promise.race([job, cut]);
  } finally {
    over.abort();
  }
}
