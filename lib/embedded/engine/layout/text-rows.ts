import "server-only";
import { centreOf, heightOf } from "../box";
import type { Line, Word } from "../scan";

const SAME_ROW = 0.5; // of the height of a word

/** Words that stand on one height, from left to right; rows from top to bottom, whatever lines they were read in. */
export function textRows(words: readonly Word[]): Word[][] {
  const rows: { y: number; height: number; words: Word[] }[] = [];
  const sorted = [...words].sort((a, b) => centreOf(a.box).y - centreOf(b.box).y);
  for (const word of sorted) {
    const { y } = centreOf(word.box);
    const row = rows.at(-1);
    if (row && y - row.y <= SAME_ROW * Math.max(row.height, heightOf(word.box))) {
      row.y = (row.y * row.words.length + y) / (row.words.length + 1);
      row.height = Math.max(row.height, heightOf(word.box));
      row.words.push(word);
    } else {
      rows.push({ y, height: heightOf(word.box), words: [word] });
    }
  }
  return rows.map((row) => row.words.sort((a, b) => a.box.x0 - b.box.x0));
}

/** The words of lines as table text: a stroke read from a rule (`|`) is not text. */
export function tableWords(lines: readonly Line[]): Word[] {
  return lines
    .flatMap((line) => line.words)
    .map((word) => ({ ...word, text: word.text.replace(/^[|¦]+|[|¦]+$/g, "") }))
    .filter((word) => word.text !== "");
}

export function cellText(words: readonly Word[]): string {
  return textRows(words)
    .map((row) => row.map((word) => word.text).join(" "))
    .join(" ");
}
