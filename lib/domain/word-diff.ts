import { diffArrays } from "diff";

/** How words of one text stand to the other. `move` pairs a passage with its other place; it is the same number on both sides. */
export type DiffPart = { kind: "same" | "only" | "moved"; words: string[]; move: number | null };
/** Both texts whole, each in its own order; "only" is what the other has not. */
export type WordDiff = { left: DiffPart[]; right: DiffPart[]; same: number; moved: number; onlyLeft: number; onlyRight: number };

/** A line break among the words. */
export const BREAK = "\n";
/** Shorter runs of equal words are chance, not a passage that was moved. */
const LEAST_MOVED_WORDS = 4;

/** Words as they are told apart: by white space, letters as they are. Line breaks count as words of their own, several as one. */
export function wordsOf(text: string): string[] {
  return text.trim().match(/\s*\n\s*|\S+/g)?.map((word) => (word.trim() === "" ? BREAK : word)) ?? [];
}

type Run = { words: string[]; kind: DiffPart["kind"]; move: number | null };

/**
 * Compares two texts word by word (Myers, by the package "diff"), and then looks for passages that one text has elsewhere: runs of at least
 * four equal words among what is left over on either side, the longest first. Line breaks alone are no difference.
 */
export function diffWords(before: string, after: string): WordDiff {
  const [left, right]: [Run[], Run[]] = [[], []];
  for (const change of diffArrays(wordsOf(before), wordsOf(after))) {
    const run: Run = { words: change.value, kind: change.added || change.removed ? "only" : "same", move: null };
    if (!change.added) left.push(run);
    if (!change.removed) right.push({ ...run });
  }
  const sides = pairMoves(left, right);
  const count = (runs: Run[], kind: DiffPart["kind"]) => runs.filter((run) => run.kind === kind).reduce((sum, run) => sum + run.words.filter((word) => word !== BREAK).length, 0);
  return {
    left: sides.left.map(toPart),
    right: sides.right.map(toPart),
    same: count(sides.left, "same"),
    moved: count(sides.left, "moved"),
    onlyLeft: count(sides.left, "only"),
    onlyRight: count(sides.right, "only"),
  };
}

function toPart({ kind, words, move }: Run): DiffPart {
  return { kind: words.every((word) => word === BREAK) ? "same" : kind, words, move };
}

type Match = { run: number; from: number; other: number; otherFrom: number; length: number };

/** Takes the longest common run out of both sides, until none is long enough. */
function pairMoves(left: Run[], right: Run[]): { left: Run[]; right: Run[] } {
  for (let move = 1; ; move += 1) {
    const match = longestMatch(left, right);
    if (!match) return { left, right };
    left = carve(left, { run: match.run, from: match.from, length: match.length }, move);
    right = carve(right, { run: match.other, from: match.otherFrom, length: match.length }, move);
  }
}

type Start = { run: number; from: number; words: readonly string[] };

/** Every place in runs that are left over at which a passage could begin. */
function startsIn(runs: readonly Run[]): Start[] {
  return runs.flatMap(({ kind, words }, run) => (kind === "only" ? Array.from({ length: Math.max(0, words.length - LEAST_MOVED_WORDS + 1) }, (_, from) => ({ run, from, words })) : []));
}

function longestMatch(left: readonly Run[], right: readonly Run[]): Match | null {
  const places = new Map<string, Start[]>();
  for (const start of startsIn(right)) {
    const key = keyAt(start.words, start.from);
    places.set(key, [...(places.get(key) ?? []), start]);
  }
  let best: Match | null = null;
  for (const { run, from, words } of startsIn(left)) {
    for (const place of places.get(keyAt(words, from)) ?? []) {
      const length = commonLength(words, from, { words: place.words, at: place.from });
      const isPassage = realWords(words.slice(from, from + length)) >= LEAST_MOVED_WORDS;
      if (isPassage && length > (best?.length ?? 0)) best = { run, from, other: place.run, otherFrom: place.from, length };
    }
  }
  return best;
}

function keyAt(words: readonly string[], at: number): string {
  return words.slice(at, at + LEAST_MOVED_WORDS).join(" ");
}

function realWords(words: readonly string[]): number {
  return words.filter((word) => word !== BREAK).length;
}

function commonLength(words: readonly string[], from: number, other: { words: readonly string[]; at: number }): number {
  let length = 0;
  while (from + length < words.length && other.at + length < other.words.length && words[from + length] === other.words[other.at + length]) length += 1;
  return length;
}

function carve(runs: readonly Run[], { run: index, from, length }: { run: number; from: number; length: number }, move: number): Run[] {
  const run = runs[index];
  if (!run) return [...runs];
  const parts: Run[] = [
    { ...run, words: run.words.slice(0, from) },
    { ...run, words: run.words.slice(from, from + length), kind: "moved", move },
    { ...run, words: run.words.slice(from + length) },
  ];
  return [...runs.slice(0, index), ...parts.filter(({ words }) => words.length > 0), ...runs.slice(index + 1)];
}
