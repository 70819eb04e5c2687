import "server-only";

type Line = { isTaken: boolean; waiting: (() => void)[]; bell: (() => void) | null };

/**
 * Lines in front of engines: only the first in a line asks the database for a place, and is woken when a page of its engine ends. So a full
 * engine costs one question now and then, however many pages wait for it.
 */
export type Lines = {
  /** Resolves when one stands first; answers how the place in the line is given on. */
  stand(engine: string): Promise<() => void>;
  /** Waits until a page of the engine ends, or so long. */
  wait(engine: string, ms: number, signal: AbortSignal): Promise<void>;
  /** Says that a page of the engine has ended. */
  ring(engine: string): void;
};

export function createLines(): Lines {
  const lines = new Map<string, Line>();

  function lineOf(engine: string): Line {
    const line = lines.get(engine) ?? { isTaken: false, waiting: [], bell: null };
    lines.set(engine, line);
    return line;
  }

  function leave(engine: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) return next();
    line.isTaken = false;
    lines.delete(engine);
  }

  return {
    async stand(engine) {
      const line = lineOf(engine);
      if (line.isTaken) await new Promise<void>((resolve) => line.waiting.push(resolve));
      line.isTaken = true;
      let isFirst = true;
      return () => {
        if (isFirst) leave(engine, line);
        isFirst = false;
      };
    },
    wait(engine, ms, signal) {
      return new Promise((resolve) => {
        const line = lineOf(engine);
        const over = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", over);
          line.bell = null;
          resolve();
        };
        const timer = setTimeout(over, ms);
        signal.addEventListener("abort", over, { once: true });
        line.bell = over;
      });
    },
    ring: (engine) => lines.get(engine)?.bell?.(),
  };
}
