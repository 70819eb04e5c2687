/** What repeats at the end of a model's answer. Lengths in characters; the text itself is not kept. */
export type Loop = { patternLength: number; repeats: number };

export type LoopDetector = {
  /** Takes the next piece of the answer; the loop, once the end of the text has become one. */
  push(delta: string): Loop | null;
};

/** How a repeated pattern reads; the less it says, the more often honest pages repeat it. */
type PatternKind = "words" | "entry" | "filler";

// A loop runs to the token limit, tens of thousands of characters. Honest repetition ends: a page has under 100 lines, a leader
// or a rule under 400 characters, and a table of empty cells some hundred cells of 9–30 characters.
const limits: Record<PatternKind, { repeats: number; characters: number }> = {
  words: { repeats: 8, characters: 240 },
  entry: { repeats: 90, characters: 1200 },
  filler: { repeats: 300, characters: 9000 },
};

const windowLength = 12_000;
const checkEvery = 256;

/**
 * Finds answers that go round in circles, while they stream: the tail of the text is one pattern over and over. Looks every 256
 * characters, wherever the pieces are cut, in time that grows with the text's length only. List numbers count as equal, so that
 * "1. a 2. a 3. a" is a loop too.
 */
export function createLoopDetector(): LoopDetector {
  let tail = "";
  let untilCheck = checkEvery;
  let found: Loop | null = null;

  return {
    push(delta) {
      let rest = delta;
      while (!found && rest.length >= untilCheck) {
        tail = (tail + rest.slice(0, untilCheck)).slice(-windowLength);
        rest = rest.slice(untilCheck);
        untilCheck = checkEvery;
        found = findLoop(tail);
      }
      if (found) return found;
      tail = (tail + rest).slice(-windowLength);
      untilCheck -= rest.length;
      return null;
    },
  };
}

function findLoop(tail: string): Loop | null {
  const text = tail.replace(/(^|\n)([ \t]*)\d{1,4}(?=[.)] )/g, "$1$2#");
  const matches = suffixMatches(text);
  for (let period = 1; period <= text.length / 2; period += 1) {
    const characters = period + (matches[period] ?? 0);
    const repeats = Math.floor(characters / period);
    if (repeats < limits.words.repeats || characters < limits.words.characters) continue;
    const limit = limits[kindOf(text.slice(-period))];
    return repeats >= limit.repeats && characters >= limit.characters ? { patternLength: period, repeats } : null;
  }
  return null;
}

/** For each shift, how many characters at the end of the text equal those `shift` before them (Z-algorithm on the reversed text). */
function suffixMatches(text: string): Int32Array {
  const length = text.length;
  const matches = new Int32Array(length);
  const at = (index: number) => text.charCodeAt(length - 1 - index);
  let left = 0;
  let right = 0;
  for (let i = 1; i < length; i += 1) {
    let match = i < right ? Math.min(right - i, matches[i - left] ?? 0) : 0;
    while (i + match < length && at(match) === at(i + match)) match += 1;
    matches[i] = match;
    if (i + match > right) {
      left = i;
      right = i + match;
    }
  }
  return matches;
}

const blankToFill = /[_.·…]{4,}|(?:[_.] ){4,}|[☐□○]|\[ ?\]/u;

function kindOf(pattern: string): PatternKind {
  const twice = pattern + pattern; // a tag or a blank may lie across the seam
  const visible = twice.replace(/<[^<>]*>/g, " ").replace(/^[^<>]*>|<[^<>]*$/g, " ");
  if (!/\p{L}|\p{N}/u.test(visible)) return "filler";
  const isCells = twice.includes("<t") || twice.includes("|");
  const isShort = visible.split(/[^\p{L}\p{N}]+/u).every((word) => word.length <= 3 || /^\d+$/.test(word));
  return blankToFill.test(twice) || (isCells && isShort) || pattern.includes("#") ? "entry" : "words";
}
