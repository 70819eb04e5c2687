import "server-only";
import { centreOf, holds, unionOf, type Box } from "../box";
import type { Line, Scan } from "../scan";
import { withWords } from "./lines";
import { gapsOf, ruledCells } from "./ruled-table";
import { findGrids, rulesBetween, type Grid } from "./rules";
import { isTabular, tableHtml, type Cell } from "./table-html";
import { tableWords } from "./text-rows";
import { unruledCells } from "./unruled-table";

export type Table = { box: Box; html: string };

/** A page in reading order: lines, and in the place of a table's first line the table. */
export type Item = { kind: "line"; line: Line } | { kind: "table"; table: Table };

const TABLE_BLOCK = 6;

/** Takes tables out of the lines: first those drawn with rules, then those that Tesseract calls tables. */
export function findTables(lines: readonly Line[], scan: Scan): Item[] {
  const grids = partedGrids(scan.rules, lines, scan.width);
  let items: Item[] = lines.map((line) => ({ kind: "line", line }));
  for (const grid of grids) items = takeRuled(items, grid);
  return takeUnruled(items);
}

function partedGrids(rules: readonly Box[], lines: readonly Line[], pageWidth: number): Grid[] {
  return findGrids(rules, pageWidth).flatMap((grid) => {
    const inside = lines.flatMap((line) => part(line, grid.box).inside);
    const gaps = gapsOf(grid, tableWords(inside));
    if (gaps.length === 0) return [grid];
    const tops = [grid.box.y0, ...gaps.map((gap) => gap.bottom)];
    const own = [...grid.horizontal, ...grid.vertical];
    return tops.flatMap((top, index) => partedGrids(rulesBetween(own, [top - 1, (gaps[index]?.top ?? grid.box.y1) + 1]), lines, pageWidth));
  });
}

function takeRuled(items: Item[], grid: Grid): Item[] {
  const parted = items.map((item) => (item.kind === "line" ? { item, ...part(item.line, grid.box) } : { item, inside: [], outside: [] }));
  const lines = parted.flatMap(({ inside }) => inside);
  const words = tableWords(lines);
  const table = makeTable(ruledCells(grid, words), grid.box);
  if (!table) return items;
  const first = parted.findIndex(({ inside }) => inside.length > 0);
  return parted.flatMap(({ item, inside, outside }, index): Item[] => {
    if (inside.length === 0) return [item];
    const rest = outside.map((line): Item => ({ kind: "line", line }));
    return index === first ? [{ kind: "table", table }, ...rest] : rest;
  });
}

function part(line: Line, box: Box): { inside: Line[]; outside: Line[] } {
  const isInside = (word: Line["words"][number]) => holds(box, centreOf(word.box));
  const pick = (words: Line["words"]) => (words.length > 0 ? [withWords(line, words)] : []);
  return { inside: pick(line.words.filter(isInside)), outside: pick(line.words.filter((word) => !isInside(word))) };
}

function takeUnruled(items: readonly Item[]): Item[] {
  const runs: Item[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (run && isSameTable(run.at(-1), item)) run.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run): Item[] => {
    const lines = run.flatMap((item) => (item.kind === "line" && item.line.kind === TABLE_BLOCK ? [item.line] : []));
    const table = makeTable(unruledCells(lines), unionOf(lines.map((line) => line.box)));
    return table ? [{ kind: "table", table }] : run;
  });
}

function isSameTable(before: Item | undefined, item: Item): boolean {
  if (before?.kind !== "line" || item.kind !== "line") return false;
  return before.line.kind === TABLE_BLOCK && item.line.kind === TABLE_BLOCK && before.line.block === item.line.block;
}

function makeTable(cells: readonly Cell[][], box: Box): Table | undefined {
  return isTabular(cells) ? { box, html: tableHtml(cells) } : undefined;
}
