import "server-only";
import { DomainError } from "@/lib/domain/errors";
import { retryAfter, type EngineRoom } from "@/lib/domain/rate-limit";

type Waiting = { go(): void };
type Line = { running: number; waiting: Waiting[]; secondsPerPage: number };

export type Slots = {
  /** Waits for a place at the engine. Answers how it is given back. Throws `rate_limited` at once when the line is full, or the signal's reason. */
  take(key: string, room: EngineRoom, signal: AbortSignal): Promise<() => void>;
  /** Pages at the engine and in front of it. */
  load(key: string): number;
};

/** Bounded lines in front of engines, one for each key, first come first served; counted in this process. */
export function createSlots(): Slots {
  const lines = new Map<string, Line>();

  function lineOf(key: string): Line {
    const line = lines.get(key) ?? { running: 0, waiting: [], secondsPerPage: 1 };
    lines.set(key, line);
    return line;
  }

  function occupy(line: Line): () => void {
    const started = performance.now();
    line.running += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      line.running -= 1;
      line.secondsPerPage = 0.9 * line.secondsPerPage + (0.1 * (performance.now() - started)) / 1000;
      line.waiting.shift()?.go();
    };
  }

  async function take(key: string, room: EngineRoom, signal: AbortSignal) {
    signal.throwIfAborted();
    const line = lineOf(key);
    if (line.running < room.running) return occupy(line);
    if (line.waiting.length >= room.waiting) {
      const seconds = retryAfter({ room, secondsPerPage: line.secondsPerPage });
      throw new DomainError("rate_limited", `The engine reads ${line.running} pages and ${line.waiting.length} wait for it: the queue is full. Try again in ${seconds} s.`, { retryAfterSeconds: seconds });
    }
    return new Promise<() => void>((resolve, reject) => {
      const leave = () => {
        line.waiting = line.waiting.filter((other) => other !== entry);
        reject(signal.reason as Error); // an aborted request's reason is an Error
      };
      const entry: Waiting = {
        go: () => {
          signal.removeEventListener("abort", leave);
          resolve(occupy(line));
        },
      };
      line.waiting.push(entry);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  return { take, load: (key) => (lines.get(key)?.running ?? 0) + (lines.get(key)?.waiting.length ?? 0) };
}
