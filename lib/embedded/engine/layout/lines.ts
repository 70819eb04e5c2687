import "server-only";
import { centreOf, holds, unionOf } from "../box";
import { lettersIn, type Line, type Scan, type Word } from "../scan";

const MIN_CONFIDENCE_WITHOUT_LETTERS = 10;
const MIN_CONFIDENCE_OF_FRAGMENT = 35;
const MIN_CONFIDENCE_IN_PICTURE = 65;
const FRAGMENT_LETTERS = 4;

/** The lines worth keeping, in reading order: specks, fragments and texture of photographs read as text are left out. */
export function keepLines(scan: Scan): Line[] {
  return scan.lines
    .map((line) =>
      withWords(
        line,
        line.words.filter((word) => !isSpeck(word)),
      ),
    )
    .filter((line) => line.words.length > 0 && !isNoise(line, scan));
}

/** The same line with only these words; its box is drawn anew around them. */
export function withWords(line: Line, words: Word[]): Line {
  return { ...line, words, box: unionOf(words.map((word) => word.box)) };
}

export function textOf(line: Line): string {
  return line.words.map((word) => word.text).join(" ");
}

/** Joins lines to running text: a hyphen before a small letter at the next line's start goes, else a space comes between. */
export function joinLines(lines: readonly string[]): string {
  return lines.reduce((text, line) => {
    if (text === "") return line;
    const splitsWord = /\p{L}[-‐]$/u.test(text) && /^\p{Ll}/u.test(line);
    return splitsWord ? text.slice(0, -1) + line : `${text} ${line}`;
  }, "");
}

/** Height of the page's running text in pixels: the median row height, each line weighted by its characters. */
export function bodyHeight(lines: readonly Line[]): number {
  const weighted = lines.map((line) => ({ height: line.height, weight: textOf(line).length })).sort((a, b) => a.height - b.height);
  const half = weighted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let seen = 0;
  for (const { height, weight } of weighted) {
    seen += weight;
    if (seen >= half) return height;
  }
  return 0;
}

function isSpeck(word: Word): boolean {
  return word.confidence < MIN_CONFIDENCE_WITHOUT_LETTERS && lettersIn(word.text) === 0;
}

function isNoise(line: Line, scan: Scan): boolean {
  const confidence = line.words.reduce((sum, word) => sum + word.confidence, 0) / line.words.length;
  if (confidence < MIN_CONFIDENCE_OF_FRAGMENT && lettersIn(textOf(line)) < FRAGMENT_LETTERS) return true;
  const centre = centreOf(line.box);
  return confidence < MIN_CONFIDENCE_IN_PICTURE && scan.pictures.some((picture) => holds(picture, centre));
}
