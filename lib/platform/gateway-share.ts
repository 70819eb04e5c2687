import "server-only";

type Line<T> = { now: Promise<T>; next: Promise<T> | null };

/**
 * Shares a question among those who ask it at once. Whoever comes while one is under way gets the answer of the next, never one that began
 * before: what is learned is never older than the asking, so that a revoked token is refused at once.
 */
export function shareQuestion<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, Line<T>>();

  function begin(key: string, ask: () => Promise<T>): Promise<T> {
    const line: Line<T> = { now: ask(), next: null };
    lines.set(key, line);
    const over = () => {
      if (!line.next) lines.delete(key);
    };
    line.now.then(over, over);
    return line.now;
  }

  return (key, ask) => {
    const line = lines.get(key);
    if (!line) return begin(key, ask);
    line.next ??= line.now.then(
      () => begin(key, ask),
      () => begin(key, ask),
    );
    return line.next;
  };
}

type Kept<T> = { value: Promise<T>; until: number; asking: boolean };

/**
 * Keeps answers that may be a moment old. After `freshMs` the next who asks has it looked up anew but does not wait, until `keptMs`: then
 * everybody waits. A failed look-up is not kept.
 */
export function keepAnswers<T>({ freshMs, keptMs, most = 1_000 }: { freshMs: number; keptMs: number; most?: number }) {
  const kept = new Map<string, Kept<T>>();

  function look(key: string, ask: () => Promise<T>): Promise<T> {
    if (kept.size >= most) kept.clear();
    const value = ask();
    kept.set(key, { value, until: Date.now() + freshMs, asking: false });
    value.catch(() => kept.get(key)?.value === value && kept.delete(key));
    return value;
  }

  function refresh(key: string, known: Kept<T>, ask: () => Promise<T>): void {
    if (known.asking) return;
    known.asking = true;
    ask().then(
      (value) => kept.get(key) === known && kept.set(key, { value: Promise.resolve(value), until: Date.now() + freshMs, asking: false }),
      () => kept.get(key) === known && kept.delete(key),
    );
  }

  return {
    get(key: string, ask: () => Promise<T>): Promise<T> {
      const known = kept.get(key);
      const age = known ? Date.now() - known.until : Infinity;
      if (!known || age > keptMs - freshMs) return look(key, ask);
      if (age > 0) refresh(key, known, ask);
      return known.value;
    },
    drop: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}
