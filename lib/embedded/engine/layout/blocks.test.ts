import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sampleLine, samplePage } from "../fixtures/sample-page";
import type { Scan } from "../scan";
import { layOut, type LaidBlock } from "./blocks";
import { keepLines } from "./lines";

function recorded(name: string): Scan {
  return JSON.parse(readFileSync(path.join(process.cwd(), "lib/embedded/engine/fixtures", `${name}.scan.json`), "utf8"));
}

const textsOf = (blocks: LaidBlock[], label: string) => blocks.filter((block) => block.label === label).map((block) => block.text);

describe("a recorded invoice", () => {
  const blocks = layOut(recorded("invoice-en"));

  test("has its title, its paragraphs and its two tables apart", () => {
    expect(textsOf(blocks, "title")).toEqual(["# CONTOSO LTD."]);
    expect(textsOf(blocks, "text")).toContain("Microsoft Delivery 123 Ship St, Redmond WA, 98052");
    expect(textsOf(blocks, "section")).toContain("## THANK YOU FOR YOUR BUSINESS!");
    const [terms, items, ...others] = textsOf(blocks, "table");
    expect(others).toEqual([]);
    expect(terms).toContain("<tr><td></td><td>PO-3333</td><td></td><td></td><td></td><td></td></tr>");
    expect(items).toContain("<tr><th>QUANTITY</th><th>DESCRIPTION</th><th>UNIT PRICE</th><th>TOTAL</th></tr>");
    expect(items).toContain('<tr><td colspan="3">TOTAL DUE</td><td>$610.00</td></tr>');
  });
});

test("tables that stand side by side under another stay three tables", () => {
  const tables = textsOf(layOut(recorded("invoice-fr")), "table");
  const withAmounts = tables.filter((table) => /Huile d'olive|TVA collectée|Solde à payer/.test(table));
  expect(withAmounts).toHaveLength(3);
  expect(withAmounts[2]).toContain("<td>Solde à payer</td><td>470,15 €</td>");
});

test("three columns are read one after the other, and a sentence goes on in the next column", () => {
  const blocks = layOut(recorded("gazette"));
  const place = (start: string) => blocks.findIndex((block) => block.text.includes(start));
  expect(place("Proposed Rules")).toBeLessThan(place("SUMMARY: The FAA"));
  expect(place("SUMMARY: The FAA")).toBeLessThan(place("For Boeing service information"));
  expect(place("For Boeing service information")).toBeLessThan(place("CBI is commercial"));
  expect(blocks.find((block) => block.text.startsWith("proposal, explain"))?.continues).toBe(true);
  expect(textsOf(blocks, "list")).toContain("- Fax: 202-493-2251.");
});

test.each(["invoice-en", "invoice-fr"])("no word of %s is lost on the way into blocks and cells", (name) => {
  const scan = recorded(name);
  const text = layOut(scan)
    .map((block) => block.text)
    .join(" ")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
  const words = keepLines(scan).flatMap((line) => line.words.map((word) => word.text.replace(/^\|+|\|+$/g, "")));
  expect(words.filter((word) => !text.includes(word))).toEqual([]);
});

describe("paragraphs", () => {
  const y = (index: number) => 700 + index * 26;

  test("end at a wide gap, at another letter size and at a new paragraph of Tesseract", () => {
    const lines = [
      sampleLine("First line", { x: 100, y: y(0) }),
      sampleLine("goes on.", { x: 100, y: y(1) }),
      sampleLine("After a gap.", { x: 100, y: y(3) }),
      sampleLine("In larger letters.", { x: 100, y: y(4) }, { height: 30 }),
      sampleLine("A new one.", { x: 100, y: y(6) }, { paragraph: 2 }),
    ];
    expect(layOut(samplePage(lines)).map((block) => block.text)).toEqual([
      "First line goes on.",
      "After a gap.",
      "In larger letters.",
      "A new one.",
    ]);
  });

  test("what looks like a tag is escaped, a comparison is not", () => {
    const lines = [sampleLine("the <lazy> dog: 3 < 4", { x: 100, y: y(0) })];
    expect(layOut(samplePage(lines)).map((block) => block.text)).toEqual(["the \\<lazy> dog: 3 < 4"]);
  });

  test("a list keeps its items on lines of their own", () => {
    const lines = ["• rope of", "hemp", "• oil"].map((text, index) => sampleLine(text, { x: 100, y: y(index) }));
    expect(layOut(samplePage(lines))).toMatchObject([{ label: "list", text: "- rope of hemp\n- oil" }]);
  });
});

describe("pictures", () => {
  const photo = { x0: 100, y0: 300, x1: 500, y1: 600 };

  test("stand before the first block below them, without an invented description", () => {
    const lines = [sampleLine("Above it.", { x: 100, y: 200 }), sampleLine("Below it.", { x: 100, y: 640 }, { paragraph: 2 })];
    expect(layOut(samplePage(lines, { pictures: [photo] }))).toMatchObject([
      { text: "Above it." },
      { label: "image", box: photo, text: "" },
      { text: "Below it." },
    ]);
  });

  test("specks and pictures that are half text are none", () => {
    const rows = Array.from({ length: 10 }, (_, index) => sampleLine("x".repeat(38), { x: 110, y: 305 + index * 28 }));
    expect(layOut(samplePage(rows, { pictures: [photo, { x0: 0, y0: 0, x1: 30, y1: 30 }] })).map((block) => block.label)).not.toContain(
      "image",
    );
  });
});
