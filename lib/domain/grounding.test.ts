import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGroundingParser, parseGrounding, type Block } from "./grounding";
import { isGenerated, labelFamilies, labelFamily } from "./grounding-labels";

const bulletin = `![header](82,31,430,52) Harbour Authority, Quarterly Bulletin
![title](84,96,611,131) # Berth occupancy in spring
![text](84,150,480,402) Between March and May the northern quay served 214 vessels, a rise of
![text+](512,150,910,233) nine percent on the year before, while waiting time fell.

![table](70,210,930,455)
<table><tr><td>**Rope, 10 m**</td></tr></table>
![page_number](489,951,511,968) 7
`;

const damaged = `![text](70,100,930,180) A complete block.
![text](930,300,70,220) Corners swapped.
![text](70,400,1042,460) Right edge beyond 1000.
![list](70,500,930,640) - alpha
- alpha
![tab`;

const brief = (block: Block) => [block.label + (block.continues ? "+" : ""), block.box, block.text];

describe("grounding text", () => {
  it("gives blocks with boxes and the text up to the next marker", () => {
    expect(parseGrounding(bulletin).map(brief)).toEqual([
      ["header", [82, 31, 430, 52], "Harbour Authority, Quarterly Bulletin"],
      ["title", [84, 96, 611, 131], "# Berth occupancy in spring"],
      ["text", [84, 150, 480, 402], "Between March and May the northern quay served 214 vessels, a rise of"],
      ["text+", [512, 150, 910, 233], "nine percent on the year before, while waiting time fell."],
      ["table", [70, 210, 930, 455], "<table><tr><td>**Rope, 10 m**</td></tr></table>"],
      ["page_number", [489, 951, 511, 968], "7"],
    ]);
  });

  it("repairs or drops damaged boxes and keeps every text", () => {
    const blocks = parseGrounding(damaged);
    expect(blocks.map((block) => [block.box, block.boxRepair, block.text])).toEqual([
      [[70, 100, 930, 180], null, "A complete block."],
      [[70, 220, 930, 300], "swapped", "Corners swapped."],
      [[70, 400, 1000, 460], "clamped", "Right edge beyond 1000."],
      [[70, 500, 930, 640], null, "- alpha\n- alpha\n![tab"],
    ]);
    expect(blocks.map((block) => block.index)).toEqual([0, 1, 2, 3]);
  });

  it.each([
    ["no area", "![text](10,10,10,90) kept", null, "empty"],
    ["wholly outside", "![text](1200,0,1400,90) kept", null, "empty"],
    ["negative", "![text](-5,10,20,30) kept", [0, 10, 20, 30], "clamped"],
    ["absurd", "![text](0,0,1000000000,99999999999999999999) kept", [0, 0, 1000, 1000], "clamped"],
    ["blanks in numbers", "![text]( 1 ,\t2, 3\n,4 ) kept", [1, 2, 3, 4], null],
    ["fractions", "![text](1.4,2,3.6,5) kept", [1, 2, 4, 5], null],
  ])("box: %s", (_name, text, ...[box, boxRepair]) => {
    expect(parseGrounding(text)).toMatchObject([{ label: "text", box, boxRepair, text: "kept" }]);
  });

  it.each([
    ["an ordinary picture", "see ![alt](file.png) here"],
    ["three numbers", "see ![text](1,2,3) here"],
    ["five numbers", "see ![text](1,2,3,4,5) here"],
    ["no number", "see ![text](1,,3,4) here"],
    ["a broken number", "see ![text](1,2-3,3,4) here"],
    ["a label that starts with a digit", "see ![1a](1,2,3,4) here"],
    ["an escaped marker", "see !\\[text](1,2,3,4) here"],
    ["an endless label", `see ![${"a".repeat(500)}](1,2,3,4) here`],
  ])("%s is text", (_name, text) => {
    expect(parseGrounding(text)).toMatchObject([{ label: "text", box: null, text }]);
  });

  it("starts again at a marker inside a broken one", () => {
    expect(parseGrounding("![text](1,2![list+](1,2,3,4) x").map(brief)).toEqual([
      ["text", null, "![text](1,2"],
      ["list+", [1, 2, 3, 4], "x"],
    ]);
    expect(parseGrounding("a!![list](1,2,3,4) x").map(brief)).toEqual([
      ["text", null, "a!"],
      ["list", [1, 2, 3, 4], "x"],
    ]);
  });

  it("turns plain Markdown into blocks without boxes, whole tables and fences included", () => {
    const plain = "# Head\n\nOne\ntwo\n\n<table>\n\n<tr></tr></table>\n\n```\na\n\n\nb\n```\n\n$$\nx\n\ny\n$$\n\n- a\n- b\n";
    const blocks = parseGrounding(plain);
    expect(blocks.map((block) => block.label)).toEqual(["title", "text", "table", "code", "formula", "list"]);
    expect(blocks.every((block) => block.box === null)).toBe(true);
    expect(blocks[2]?.text).toBe("<table>\n\n<tr></tr></table>");
  });

  it.each([
    ["with a blank", "![image](image_1.png) 80,120,430,900"],
    ["without one", "![image](image_12.png)80,120,430,900"],
  ])("takes the boxes of LightOnOCR-2, %s", (_how, picture) => {
    expect(parseGrounding(`# Head\n\n${picture}\n\nText below it.\n\n${picture}`).map(brief)).toEqual([
      ["title", null, "# Head"],
      ["image", [80, 120, 430, 900], ""],
      ["text", null, "Text below it."],
      ["image", [80, 120, 430, 900], ""],
    ]);
  });

  it.each(["![image](image_1.png) 80,120,430", "![image](image_1.png) see 80", "![image](picture.png) 1,2,3,4", "![image](image_1.png)", "![image](image_1"])("keeps a picture without a whole box as text: %s", (text) => {
    expect(parseGrounding(`${text} end`)).toMatchObject([{ box: null, text: `${text} end` }]);
    expect(parseGrounding(text)).toMatchObject([{ box: null, text }]);
  });

  it("gives nothing for nothing", () => {
    expect(parseGrounding("")).toEqual([]);
    expect(parseGrounding(" \n\n ")).toEqual([]);
  });
});

describe("streaming", () => {
  it("shows a block while it grows, and holds back what may become a marker", () => {
    const parser = createGroundingParser();
    parser.push("![text](1,2,3,4) Hel");
    expect(parser.blocks.map(brief)).toEqual([["text", [1, 2, 3, 4], "Hel"]]);
    const first = parser.blocks[0];
    parser.push("lo\n![li");
    expect(parser.blocks.map(brief)).toEqual([["text", [1, 2, 3, 4], "Hello"]]);
    parser.push("st](5,6,7,8)");
    expect(parser.blocks.map(brief)).toEqual([
      ["text", [1, 2, 3, 4], "Hello"],
      ["list", [5, 6, 7, 8], ""],
    ]);
    expect(parser.blocks[0]).not.toBe(first);
    expect(parser.blocks[0]).toBe(parser.blocks[0]);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      "![text](1,2,3,4)",
      "![table+](9,8,7,6) ",
      "![image](image_1.png) 1,2,30,40",
      "![image](image_",
      ") 5,6,",
      "![",
      "!",
      "](",
      "text",
      "(1,2,",
      "3,4)",
      "+",
      "\n",
      "\n\n",
      " ",
      "<table>",
      "</table>",
      "$$",
      "```",
      "# ",
      "- ",
    ),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

  it("gives the same blocks for any cutting of any text", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(12), { maxLength: 60 }), (whole, cuts) => {
        const parser = createGroundingParser();
        let at = 0;
        for (const length of cuts) {
          parser.push(whole.slice(at, at + length));
          void parser.blocks;
          at += length;
        }
        parser.push(whole.slice(at));
        expect(parser.finish()).toEqual(parseGrounding(whole));
      }),
      { numRuns: 400 },
    );
  });

  it("loses no visible character of any text without a complete marker", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const unmarked = whole.replaceAll(")", "");
        const visible = (value: string) => value.replace(/\s/g, "");
        expect(
          visible(
            parseGrounding(unmarked)
              .map((block) => block.text)
              .join(""),
          ),
        ).toBe(visible(unmarked));
      }),
    );
  });

  it.each([
    ["bangs", "!".repeat(500_000)],
    ["open markers", "![text](1,2,".repeat(100_000)],
    ["one endless label", `![${"a".repeat(800_000)}`],
    ["blank lines", "\n".repeat(400_000)],
  ])("takes linear time on %s, character by character", (_name, whole) => {
    const started = performance.now();
    const parser = createGroundingParser();
    for (const char of whole) parser.push(char);
    parser.finish();
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe("labels", () => {
  it.each([
    ["title", "heading"],
    ["table", "table"],
    ["chart", "figure"],
    ["code", "formula"],
    ["page_number", "margin"],
    ["stamp", "text"],
  ])("%s is %s", (label, family) => {
    expect(labelFamily(label)).toBe(family);
    expect(labelFamilies).toContain(family);
  });

  it("knows which text the model made up", () => {
    expect(["chart", "image", "table", "text"].filter(isGenerated)).toEqual(["chart", "image"]);
  });
});
