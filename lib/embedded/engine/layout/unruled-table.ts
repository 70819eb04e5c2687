import "server-only";
import { unionOf } from "../box";
import type { Line, Word } from "../scan";
import type { Cell } from "./table-html";
import { tableWords, textRows } from "./text-rows";

type Run = { x0: number; x1: number; text: string };

const MIN_GAP = 0.9; // of the text height
const MAX_CROSSING = 0.08; // of the rows

/** The cells of lines that Tesseract takes for a table without rules: rows by height, columns where (nearly) all rows leave a gap. */
export function unruledCells(lines: readonly Line[]): Cell[][] {
  const gap = MIN_GAP * medianHeight(lines);
  const rows = textRows(tableWords(lines)).map((words) => runsOf(words, gap));
  const borders = columnBorders(rows, gap);
  return rows.map((runs) => cellsOf(runs, borders));
}

function medianHeight(lines: readonly Line[]): number {
  const heights = lines.map((line) => line.height).sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)] ?? 0;
}

function runsOf(words: readonly Word[], gap: number): Run[] {
  const runs: Word[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    const end = run?.at(-1)?.box.x1;
    if (run && end !== undefined && word.box.x0 - end <= gap) run.push(word);
    else runs.push([word]);
  }
  return runs.map((run) => ({ ...unionOf(run.map((word) => word.box)), text: run.map((word) => word.text).join(" ") }));
}

/** The middles of the gaps that at most a few rows write across, from left to right. */
function columnBorders(rows: readonly Run[][], gap: number): number[] {
  const edges = rows
    .flat()
    .flatMap((run) => [
      { x: run.x0, step: 1 },
      { x: run.x1, step: -1 },
    ])
    .sort((a, b) => a.x - b.x || b.step - a.step);
  const allowed = rows.length * MAX_CROSSING;
  const borders: number[] = [];
  let crossing = 0;
  let gapStart: number | undefined;
  for (const { x, step } of edges) {
    if (gapStart !== undefined && step > 0 && crossing + step > allowed) {
      if (x - gapStart > gap) borders.push((gapStart + x) / 2);
      gapStart = undefined;
    }
    crossing += step;
    if (step < 0 && crossing <= allowed && gapStart === undefined) gapStart = x;
  }
  return borders;
}

function cellsOf(runs: readonly Run[], borders: readonly number[]): Cell[] {
  const cells: Cell[] = [];
  let filled = 0;
  const columnAt = (x: number) => borders.filter((border) => border < x).length;
  for (const run of runs) {
    const from = columnAt(run.x0);
    const to = columnAt(run.x1) + 1;
    const last = cells.at(-1);
    if (last && from < filled) {
      last.text = `${last.text} ${run.text}`;
      last.columns += Math.max(0, to - filled);
    } else {
      for (let column = filled; column < from; column += 1) cells.push({ text: "", columns: 1, rows: 1 });
      cells.push({ text: run.text, columns: to - from, rows: 1 });
    }
    filled = Math.max(filled, to);
  }
  for (let column = filled; column <= borders.length; column += 1) cells.push({ text: "", columns: 1, rows: 1 });
  return cells;
}
