import "server-only";
import { EngineError } from "./engine-error";

/** Something that does one job at a time; `broken` aborts when it dies of itself. */
export type Member = { broken: AbortSignal; stop(): Promise<void> };

export type PoolOptions<M extends Member> = { size: number; maxWaiting: number; timeLimitMs: number; start(): Promise<M> };

export type Load = { running: number; waiting: number };

export type Pool<M extends Member> = {
  /**
   * Runs a job on a member that is free, or waits for one in turn. The time limit counts from the job's start.
   * @throws EngineError ServiceUnavailableError at once, before any waiting, when the queue is full or the pool closed.
   */
  run<T>(job: (member: M) => Promise<T>, signal: AbortSignal): Promise<T>;
  load(): Load;
  /** False from a member that could not be started until one could. */
  isHealthy(): boolean;
  close(): Promise<void>;
};

/** Starts and stops the members of a pool and knows which are alive. */
function createCrew<M extends Member>(start: () => Promise<M>) {
  const alive = new Set<M>();
  let canStart = true;
  let isClosed = false;

  async function stop(member: M): Promise<void> {
    alive.delete(member);
    await member.stop();
  }

  async function begin(): Promise<M> {
    const member = await start().catch((cause: unknown) => {
      canStart = false;
      throw new EngineError(
        "ServiceUnavailableError",
        "A reading thread could not be started; see that memory is free and the data folder can be read.",
        { cause },
      );
    });
    canStart = true;
    alive.add(member);
    member.broken.addEventListener("abort", () => alive.delete(member), { once: true });
    if (isClosed) {
      await stop(member);
      throw stopping();
    }
    return member;
  }

  return {
    begin,
    stop,
    isAlive: (member: M) => alive.has(member),
    isHealthy: () => canStart && !isClosed,
    isClosed: () => isClosed,
    async close() {
      isClosed = true;
      await Promise.all([...alive].map(stop));
    },
  };
}

/**
 * A few members that each do one job at a time and start when first needed. A member whose job failed, was given up or
 * ran too long is stopped and replaced: after that its thread cannot be trusted, and stopping never settles the job itself.
 */
export function createPool<M extends Member>(options: PoolOptions<M>): Pool<M> {
  const crew = createCrew(options.start);
  const idle: (M | undefined)[] = Array.from({ length: options.size }, () => undefined);
  const waiting: ((member: M | undefined) => void)[] = [];
  let running = 0;

  function giveBack(member: M | undefined): void {
    const next = waiting.shift();
    if (next) next(member);
    else idle.push(member);
  }

  async function work<T>(free: M | undefined, job: (member: M) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted || crew.isClosed()) {
      giveBack(free);
      throw signal.aborted ? signal.reason : stopping();
    }
    running += 1;
    let member = free && crew.isAlive(free) ? free : undefined;
    try {
      member ??= await crew.begin();
      return await withinLimits(job(member), { broken: member.broken, signal, timeLimitMs: options.timeLimitMs });
    } catch (error) {
      if (member) await crew.stop(member);
      member = undefined;
      throw error;
    } finally {
      running -= 1;
      giveBack(member);
    }
  }

  return {
    run(job, signal) {
      if (crew.isClosed()) throw stopping();
      if (idle.length > 0) return work(idle.pop(), job, signal);
      if (waiting.length >= options.maxWaiting)
        throw new EngineError("ServiceUnavailableError", "The engine's queue is full; try again in a few seconds.");
      return waitForTurn(waiting, signal).then((member) => work(member, job, signal));
    },
    load: () => ({ running, waiting: waiting.length }),
    isHealthy: crew.isHealthy,
    close: crew.close,
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
    const late = new EngineError("GatewayTimeoutError", `Reading the page took longer than ${timeLimitMs / 1000} s and was stopped.`);
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
