import "server-only";
import { centreOf, heightOf } from "../box";
import type { Word } from "../scan";
import { ruleAcross, ruleDown, type Grid } from "./rules";
import type { Cell } from "./table-html";
import { cellText, textRows } from "./text-rows";

type Span = { from: number; to: number; rows: number; words: Word[] };
type Row = { top: number; bottom: number; words: Word[]; spans: Span[] };

const MAX_LINES_OF_A_ROW = 6;
const MIN_LISTED_ROWS = 4;
const SLIVER = 0.03; // of the table's width
const MIN_EMPTY_ROW = 0.6; // of the text height: less is the space between two strokes of a double rule

/**
 * The cells of a grid, row by row. A rule counts only for the rows that it crosses: without one between them two columns
 * are one cell, and a cell with text grows over an empty one below or above when no rule parts them.
 */
export function ruledCells(drawn: Grid, words: readonly Word[]): Cell[][] {
  const grid = { ...drawn, xs: withoutSlivers(drawn.xs, words) };
  const rows = bands(grid, words).flatMap((band) => splitUnruled(grid, band));
  for (const row of rows) row.spans = spansOf(grid, row);
  return joinRows(
    grid,
    rows.filter((row) => row.words.length > 0 || row.spans.length > 1),
  ).map((row) => row.spans.map((span) => ({ text: cellText(span.words), columns: span.to - span.from, rows: span.rows })));
}

/** A frame that stands aslant leaves empty slivers at the sides, which are no columns. */
function withoutSlivers(xs: readonly number[], words: readonly Word[]): number[] {
  const width = (xs.at(-1) ?? 0) - (xs[0] ?? 0);
  const isColumn = ([from, to]: [number, number]) =>
    to - from >= SLIVER * width || words.some((word) => centreOf(word.box).x >= from && centreOf(word.box).x < to);
  const columns = xs.slice(1).map((to, index) => isColumn([xs[index] ?? to, to]));
  return xs.slice(Math.max(0, columns.indexOf(true)), columns.lastIndexOf(true) + 2);
}

function bands(grid: Grid, words: readonly Word[]): Row[] {
  const textHeight = words.reduce((sum, word) => sum + heightOf(word.box), 0) / Math.max(1, words.length);
  return grid.ys
    .slice(1)
    .map((bottom, index): Row => {
      const inBand = words.filter((word) => intervalAt(grid.ys, centreOf(word.box).y) === index);
      return { top: grid.ys[index] ?? bottom, bottom, spans: [], words: inBand };
    })
    .filter((row) => row.words.length > 0 || row.bottom - row.top > MIN_EMPTY_ROW * textHeight);
}

/** A band whose lines reach over several columns again and again is a list of rows without rules between them: one row a line. */
function splitUnruled(grid: Grid, band: Row): Row[] {
  const rows = textRows(band.words);
  const columns = spansOf(grid, band).length;
  const rowsOver = (share: number) =>
    rows.filter((row) => new Set(row.map((word) => columnAt(grid, word))).size >= Math.max(2, share * columns)).length;
  const isHigh = rows.length > MAX_LINES_OF_A_ROW && rowsOver(0) >= rows.length / 2;
  const isList = rows.length >= MIN_LISTED_ROWS && rowsOver(0.5) >= 0.75 * rows.length;
  return isHigh || isList ? rows.map((words) => ({ ...band, words })) : [band];
}

/**
 * The empty bands that part two tables standing close together, which their rules join: the band is divided otherwise
 * than the row above it, so it is no empty row of that table.
 */
export function gapsOf(grid: Grid, words: readonly Word[]): { top: number; bottom: number }[] {
  const rows = bands(grid, words);
  const division = (row: Row) =>
    spansOf(grid, row)
      .map((span) => span.from)
      .join();
  return rows.filter((row, index) => {
    const above = rows[index - 1];
    return row.words.length === 0 && above !== undefined && index < rows.length - 1 && division(row) !== division(above);
  });
}

function spansOf(grid: Grid, row: Row): Span[] {
  const spans: Span[] = [];
  for (let column = 0; column < grid.xs.length - 1; column += 1) {
    const words = row.words.filter((word) => columnAt(grid, word) === column);
    const last = spans.at(-1);
    if (last && !ruleDown(grid, grid.xs[column] ?? 0, [row.top, row.bottom])) {
      last.to = column + 1;
      last.words.push(...words);
    } else {
      spans.push({ from: column, to: column + 1, rows: 1, words });
    }
  }
  return spans;
}

/** Lets cells grow downwards; a row whose cells all belong to the row above is no row of its own. */
function joinRows(grid: Grid, rows: readonly Row[]): Row[] {
  const open = new Map<number, Span>();
  return rows.filter((row) => {
    const pairs = row.spans.map((span) => ({ span, above: open.get(span.from) }));
    const joined = pairs.flatMap(({ span, above }) => (above && isOneCell(grid, row, [above, span]) ? [{ span, above }] : []));
    for (const { span, above } of joined) above.words.push(...span.words);
    if (joined.length === row.spans.length) return false;
    for (const { above } of joined) above.rows += 1;
    row.spans = row.spans.filter((span) => !joined.some((pair) => pair.span === span));
    for (const span of row.spans) {
      for (let column = span.from; column < span.to; column += 1) open.delete(column);
      open.set(span.from, span);
    }
    return true;
  });
}

function isOneCell(grid: Grid, row: Row, [above, below]: [Span, Span]): boolean {
  if (above.to !== below.to || above.words.length > 0 === below.words.length > 0) return false;
  return !ruleAcross(grid, row.top, [grid.xs[below.from] ?? 0, grid.xs[below.to] ?? 0]) && grid.ys.includes(row.top);
}

function columnAt(grid: Grid, word: Word): number {
  return intervalAt(grid.xs, centreOf(word.box).x);
}

/** The interval between two places that holds a value; the outermost take what lies a little outside, so that no word is lost. */
function intervalAt(places: readonly number[], value: number): number {
  const index = places.findLastIndex((place) => place <= value);
  return Math.min(Math.max(0, index), places.length - 2);
}
