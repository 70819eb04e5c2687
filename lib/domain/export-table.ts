import { plainText } from "./block-text";
import type { Block } from "./grounding";

export type Cell = { text: string; isHeader: boolean; colSpan: number; rowSpan: number };
export type Table = { rows: Cell[][] };

const MAX_SPAN = 100;
/** Spans of a damaged table can pile up sideways without end; what lies further right joins the last column. */
const MAX_COLUMNS = 256;
const tags = /<(\/?)(table|tr|td|th)\b([^<>]{0,400})>/gi;

function spanOf(attributes: string, name: string): number {
  const value = Number(new RegExp(`\\b${name}\\s*=\\s*["']?(\\d{1,3})`, "i").exec(attributes)?.[1] ?? 1);
  return Math.min(MAX_SPAN, Math.max(1, value));
}

/** The tables of a block, from HTML or from Markdown's pipes; none when the block holds none. Total: takes any text. */
export function tablesOf(block: Pick<Block, "label" | "text">): Table[] {
  return /<t(?:able|r|d|h)\b/i.test(block.text) ? htmlTables(block.text) : pipeTables(block.text);
}

function htmlTables(text: string): Table[] {
  const tables: Table[] = [];
  let cell: (Cell & { from: number }) | null = null;
  const endCell = (to: number) => {
    if (cell) cell.text = plainText({ label: "text", text: text.slice(cell.from, to) });
    cell = null;
  };
  const row = () => tables.at(-1)?.rows.at(-1);
  for (const match of text.matchAll(tags)) {
    const [whole, slash = "", name = "", attributes = ""] = match;
    const tag = name.toLowerCase();
    endCell(match.index);
    if (slash) continue;
    if (tag === "table" || tables.length === 0) tables.push({ rows: [] });
    if (tag === "tr" || (tag !== "table" && !row())) tables.at(-1)?.rows.push([]);
    if (tag !== "td" && tag !== "th") continue;
    cell = { text: "", isHeader: tag === "th", colSpan: spanOf(attributes, "colspan"), rowSpan: spanOf(attributes, "rowspan"), from: match.index + whole.length };
    row()?.push(cell);
  }
  endCell(text.length);
  return tables.filter(({ rows }) => rows.some((cells) => cells.length > 0)).map(({ rows }) => ({ rows: rows.map((cells) => cells.map(({ text: words, isHeader, colSpan, rowSpan }) => ({ text: words, isHeader, colSpan, rowSpan }))) }));
}

const rule = /^\s*\|?\s*:?-{1,}:?\s*(?:\|\s*:?-{1,}:?\s*)*\|?\s*$/;

function pipeTables(text: string): Table[] {
  const lines = text.split("\n");
  const at = lines.findIndex((line, index) => line.includes("|") && rule.test(lines[index + 1] ?? "") && (lines[index + 1] ?? "").includes("|"));
  if (at < 0) return [];
  const end = lines.findIndex((line, index) => index > at + 1 && !line.includes("|"));
  const body = lines.slice(at, end < 0 ? lines.length : end).filter((_, index) => index !== 1);
  return [{ rows: body.map((line, index) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((each) => ({ text: plainText({ label: "text", text: each.trim() }), isHeader: index === 0, colSpan: 1, rowSpan: 1 }))) }];
}

/** The table as a plain grid: what spans stands in its first field, the rest is empty. */
export function toGrid({ rows }: Table): string[][] {
  const grid: (string | undefined)[][] = rows.map(() => []);
  rows.forEach((cells, y) => {
    let x = 0;
    for (const cell of cells) {
      while (x < MAX_COLUMNS - 1 && grid[y]?.[x] !== undefined) x += 1;
      const width = Math.min(cell.colSpan, MAX_COLUMNS - x);
      for (let dy = 0; dy < cell.rowSpan && y + dy < rows.length; dy += 1) fill(grid[y + dy], { from: x, width, text: dy === 0 ? cell.text : "" });
      x = Math.min(MAX_COLUMNS - 1, x + width);
    }
  });
  const width = Math.max(0, ...grid.map((row) => row.length));
  return grid.map((row) => Array.from({ length: width }, (_, x) => row[x] ?? ""));
}

function fill(row: (string | undefined)[] | undefined, { from, width, text }: { from: number; width: number; text: string }): void {
  if (!row) return;
  for (let x = from; x < from + width; x += 1) row[x] = x === from ? [row[x], text].filter(Boolean).join(" ") : (row[x] ?? "");
}

/** A spreadsheet would run a text that begins like a formula; a number may begin with its sign. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.,\s]+%?$/.test(text) ? `'${text}` : text;
}

/** RFC 4180, with lines ended by CRLF; no field can start a formula. */
export function toCsv(table: Table): string {
  const field = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return toGrid(table).map((row) => `${row.map((text) => field(harmless(text))).join(",")}\r\n`).join("");
}
