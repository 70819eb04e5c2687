import { describe, expect, test } from "vitest";
import type { Box } from "../box";
import { sampleLine, samplePage } from "../fixtures/sample-page";
import type { Line } from "../scan";
import { findTables } from "./tables";

const across = (y: number, from = 100, to = 700): Box => ({ x0: from, y0: y, x1: to, y1: y + 2 });
const down = (x: number, from = 100, to = 400): Box => ({ x0: x, y0: from, x1: x + 2, y1: to });

function tablesOf(lines: Line[], rules: Box[] = []): string[] {
  return findTables(lines, samplePage(lines, { rules })).map((item) => (item.kind === "table" ? item.table.html : "-"));
}

describe("ruled tables", () => {
  const frame = [across(100), across(200), across(300), across(400), down(100), down(400), down(700)];

  test("cells come from the rules; a first row of words is a header", () => {
    const lines = [
      sampleLine("Item", { x: 120, y: 140 }),
      sampleLine("Price", { x: 420, y: 140 }),
      sampleLine("Rope, 10 m", { x: 120, y: 240 }),
      sampleLine("12.00", { x: 420, y: 240 }),
      sampleLine("Oil & tar", { x: 120, y: 340 }),
      sampleLine("|| <4.50>", { x: 420, y: 340 }),
    ];
    expect(tablesOf(lines, frame)).toEqual([
      "<table><tr><th>Item</th><th>Price</th></tr><tr><td>Rope, 10 m</td><td>12.00</td></tr><tr><td>Oil &amp; tar</td><td>&lt;4.50&gt;</td></tr></table>",
    ]);
  });

  test("a rule that does not cross a row does not part its cells", () => {
    const rules = [across(100), across(200), across(300), across(400), down(100), down(400, 100, 300), down(700)];
    const lines = [
      sampleLine("a", { x: 120, y: 140 }),
      sampleLine("b", { x: 420, y: 140 }),
      sampleLine("1", { x: 120, y: 240 }),
      sampleLine("2", { x: 420, y: 240 }),
      sampleLine("All of it together", { x: 330, y: 340 }),
    ];
    expect(tablesOf(lines, rules)).toEqual([
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr><tr><td colspan="2">All of it together</td></tr></table>',
    ]);
  });

  test("a cell grows over the empty one below when no rule parts them", () => {
    const rules = [across(100), across(200), across(300, 400, 700), across(400), down(100), down(400), down(700)];
    const lines = [
      sampleLine("a", { x: 120, y: 140 }),
      sampleLine("b", { x: 420, y: 140 }),
      sampleLine("both", { x: 120, y: 240 }),
      sampleLine("2", { x: 420, y: 240 }),
      sampleLine("3", { x: 420, y: 340 }),
    ];
    expect(tablesOf(lines, rules)).toEqual([
      '<table><tr><th>a</th><th>b</th></tr><tr><td rowspan="2">both</td><td>2</td></tr><tr><td>3</td></tr></table>',
    ]);
  });

  test("a high band that lists lines over several columns becomes one row a line", () => {
    const names = ["Oslo", "Bergen", "Turku", "Narva"];
    const lines = [
      sampleLine("Port", { x: 120, y: 140 }),
      sampleLine("Calls", { x: 420, y: 140 }),
      ...names.flatMap((name, index) => [
        sampleLine(name, { x: 120, y: 210 + index * 45 }),
        sampleLine(`${index}`, { x: 420, y: 210 + index * 45 }),
      ]),
    ];
    const rules = [across(100), across(200), across(400), down(100), down(400), down(700)];
    expect(tablesOf(lines, rules)[0]?.match(/<tr>/g)).toHaveLength(5);
  });

  test("a frame that stands aslant has no empty column at its side, and a word on the frame is not lost", () => {
    const lines = [
      sampleLine("1", { x: 120, y: 140 }),
      sampleLine("2", { x: 420, y: 140 }),
      sampleLine("3", { x: 120, y: 240 }),
      sampleLine("4", { x: 420, y: 391 }),
    ];
    const html = "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td></td></tr><tr><td></td><td>4</td></tr></table>";
    expect(tablesOf(lines, [...frame, across(100, 88, 110)])).toEqual([html]);
  });

  test("a frame with one filled row stays text", () => {
    expect(tablesOf([sampleLine("Notice to all", { x: 120, y: 140 })], frame)).toEqual(["-"]);
  });
});

describe("tables without rules", () => {
  const row = (text: string, y: number) => sampleLine(text, { x: 100, y }, { kind: 6 });

  test("columns are the gaps that all rows leave", () => {
    const lines = [row("Reign | 959", 100), row("Heir | Edward", 140), row("House | Wessex", 180)];
    expect(tablesOf(lines)).toEqual([
      "<table><tr><td>Reign</td><td>959</td></tr><tr><td>Heir</td><td>Edward</td></tr><tr><td>House</td><td>Wessex</td></tr></table>",
    ]);
  });

  test("one row in a dozen may write across a gap, and then spans it", () => {
    const lines = Array.from({ length: 13 }, (_, index) => row(index === 12 ? "ab cd ef gh" : "abc | xyz", 100 + index * 40));
    expect(tablesOf(lines)[0]).toContain('<td colspan="2">ab cd ef gh</td>');
  });

  test("lines without a common gap stay text, and so do lines that Tesseract takes for text", () => {
    expect(tablesOf([row("one two three four", 100), row("five six seven", 140)])).toEqual(["-", "-"]);
    expect(tablesOf([sampleLine("a | b", { x: 100, y: 100 }), sampleLine("c | d", { x: 100, y: 140 })])).toEqual(["-", "-"]);
  });
});
