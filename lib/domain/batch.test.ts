import { describe, expect, it } from "vitest";
import { secondsLeft } from "./batch";

const WINDOW = 500;

/** Random numbers that are the same in every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** When each page ends on an engine with so many slots, which takes pages in order. */
function endsOf({ slots, pages, secondsOf }: { slots: number; pages: number; secondsOf: () => number }): number[] {
  const free = Array.from({ length: slots }, () => 0);
  const ends = Array.from({ length: pages }, () => {
    const slot = free.indexOf(Math.min(...free));
    free[slot] = (free[slot] ?? 0) + secondsOf();
    return free[slot];
  });
  return ends.sort((a, b) => a - b);
}

function estimateAt(ends: number[], { done, slots }: { done: number; slots: number }): number | null {
  const seen = ends.slice(Math.max(0, done - WINDOW), done);
  const isFromStart = done < WINDOW;
  const spanSeconds = (seen.at(-1) ?? 0) - (isFromStart ? 0 : (seen[0] ?? 0));
  return secondsLeft({ total: ends.length, done, truncated: 0, failed: 0, cancelled: 0, running: Math.min(slots, ends.length - done) }, { pages: seen.length, spanSeconds, isFromStart });
}

describe("the finish estimate", () => {
  const cases = [1, 2, 8, 32].flatMap((slots) => [400, 2_000, 20_000].map((pages) => [slots, pages] as const));
  it.each(cases)("is right within a fifth after a tenth is done: %i pages at once, %i in all", (slots, pages) => {
    const random = numbers(slots * 31 + pages);
    const kinds = { "all alike": () => 1, "from half a second to three": () => 0.5 + 2.5 * random() };
    for (const secondsOf of Object.values(kinds)) {
      const ends = endsOf({ slots, pages, secondsOf });
      for (const share of [0.1, 0.13, 0.25, 0.5, 0.75]) {
        const done = Math.ceil(pages * share);
        const truth = (ends.at(-1) ?? 0) - (ends[done - 1] ?? 0);
        const wrong = Math.abs((estimateAt(ends, { done, slots }) ?? Infinity) - truth);
        expect(wrong, `${slots} slots, ${pages} pages, ${share}`).toBeLessThanOrEqual(Math.max(0.2 * truth, 3)); // or by one page's time, near the end
      }
    }
  });

  it("says nothing before five pages, and nothing is left when all are done", () => {
    const progress = { total: 1000, done: 100, truncated: 0, failed: 0, cancelled: 0, running: 4 };
    expect(secondsLeft(progress, { pages: 101, spanSeconds: 50, isFromStart: false })).toBe(449);
    expect(secondsLeft(progress, { pages: 98, spanSeconds: 50, isFromStart: true })).toBe(449);
    expect(secondsLeft(progress, { pages: 3, spanSeconds: 1, isFromStart: true })).toBeNull();
    expect(secondsLeft({ ...progress, done: 1000 }, { pages: 101, spanSeconds: 50, isFromStart: false })).toBe(0);
  });
});
