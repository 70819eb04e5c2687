/** How near a reading comes to the expected text. Shares from 0 to 1; the character error rate may exceed 1 when much was added. */
export type PageScore = { characterErrorRate: number; wordRecall: number; expectedCharacters: number; expectedWords: number; errors: number; foundWords: number };

/** Text as it is compared: composed letters, every run of white space one blank. */
export function comparable(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

/** Character error rate (edits over expected characters) and word recall (expected words that were read, each as often as it stands there). */
export function scorePage(expected: string, read: string): PageScore {
  const [wanted, got] = [comparable(expected), comparable(read)];
  const errors = editDistance(wanted, got);
  const words = wanted === "" ? [] : wanted.split(" ");
  const left = new Map<string, number>();
  for (const word of got.split(" ")) left.set(word, (left.get(word) ?? 0) + 1);
  let foundWords = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    foundWords += 1;
  }
  return scoreOf({ errors, expectedCharacters: [...wanted].length, foundWords, expectedWords: words.length });
}

/** The score of several pages together: sums first, then shares. */
export function sumScores(scores: readonly PageScore[]): PageScore | null {
  if (scores.length === 0) return null;
  const sum = (of: (score: PageScore) => number) => scores.reduce((total, score) => total + of(score), 0);
  return scoreOf({ errors: sum(({ errors }) => errors), expectedCharacters: sum((score) => score.expectedCharacters), foundWords: sum((score) => score.foundWords), expectedWords: sum((score) => score.expectedWords) });
}

function scoreOf(facts: Omit<PageScore, "characterErrorRate" | "wordRecall">): PageScore {
  const { errors, expectedCharacters, foundWords, expectedWords } = facts;
  return { ...facts, characterErrorRate: expectedCharacters === 0 ? (errors === 0 ? 0 : 1) : errors / expectedCharacters, wordRecall: expectedWords === 0 ? 1 : foundWords / expectedWords };
}

/**
 * Fewest insertions, deletions and replacements of characters between two texts (Levenshtein). Looks at a band around the diagonal that is
 * doubled until the answer lies within it (Ukkonen 1985), so that like texts cost little whatever their length.
 */
export function editDistance(before: string, after: string): number {
  const [a, b] = [codesOf(before), codesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [left, right] = [a.subarray(start, a.length - end), b.subarray(start, b.length - end)];
  const most = Math.max(left.length, right.length);
  for (let band = 64; band < most; band *= 2) {
    const found = distanceWithin(left, right, band);
    if (found <= band) return found;
  }
  return distanceWithin(left, right, most);
}

function codesOf(text: string): Uint32Array {
  return Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/** The distance, right as long as it is at most `band`. What lies outside the band is never looked at, but for the cell on either edge. */
function distanceWithin(a: Uint32Array, b: Uint32Array, band: number): number {
  const far = a.length + b.length + 1;
  let row = Uint32Array.from({ length: b.length + 2 }, (_, j) => (j <= band ? j : far));
  let next = new Uint32Array(b.length + 2).fill(far);
  for (let i = 1; i <= a.length; i += 1) {
    const [from, to] = [Math.max(1, i - band), Math.min(b.length, i + band)];
    next[from - 1] = from === 1 && i <= band ? i : far;
    for (let j = from; j <= to; j += 1) {
      const replaced = (row[j - 1] ?? far) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, (row[j] ?? far) + 1, (next[j - 1] ?? far) + 1);
    }
    next[to + 1] = far;
    [row, next] = [next, row];
  }
  return row[b.length] ?? far;
}
