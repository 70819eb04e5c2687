/** How far a reading is from the truth: errors and length in characters, words found and words there. */
export type Score = { errors: number; characters: number; found: number; words: number };

const squeeze = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim();
const wordsOf = (text: string) => squeeze(text).split(" ").filter(Boolean);

/**
 * Each line of the truth is looked for anywhere in the output, as engines order columns and margins differently: its errors are the
 * fewest insertions, deletions and replacements that make it a part of the output (Sellers' algorithm). Words are compared whole, with
 * case and punctuation, each as often as it stands there.
 */
export function scoreReading(truth: string, output: string): Score {
  const read = squeeze(output);
  const lines = truth.split(/[\n\f]/).map(squeeze).filter(Boolean);
  const left = new Map<string, number>();
  for (const word of wordsOf(output)) left.set(word, (left.get(word) ?? 0) + 1);
  let found = 0;
  const words = wordsOf(truth);
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count > 0) found += 1;
    left.set(word, count - 1);
  }
  return { errors: lines.reduce((sum, line) => sum + errorsOf(line, read), 0), characters: lines.reduce((sum, line) => sum + line.length, 0), found, words: words.length };
}

function errorsOf(line: string, text: string): number {
  let before = new Uint32Array(text.length + 1); // a part may begin anywhere
  for (let row = 1; row <= line.length; row += 1) {
    const now = new Uint32Array(text.length + 1);
    now[0] = row;
    const letter = line.charCodeAt(row - 1);
    for (let at = 1; at <= text.length; at += 1) {
      const replaced = (before[at - 1] ?? 0) + (text.charCodeAt(at - 1) === letter ? 0 : 1);
      now[at] = Math.min(replaced, (before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1);
    }
    before = now;
  }
  return before.reduce((least, each) => Math.min(least, each), line.length); // and end anywhere
}

export function addScores(scores: readonly Score[]): Score {
  const sum = (pick: (score: Score) => number) => scores.reduce((total, score) => total + pick(score), 0);
  return { errors: sum((score) => score.errors), characters: sum((score) => score.characters), found: sum((score) => score.found), words: sum((score) => score.words) };
}
