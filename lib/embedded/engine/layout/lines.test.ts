import { describe, expect, test } from "vitest";
import { sampleLine, samplePage } from "../fixtures/sample-page";
import { bodyHeight, joinLines, keepLines, textOf } from "./lines";

const kept = (page: ReturnType<typeof samplePage>) => keepLines(page).map(textOf);

describe("keepLines", () => {
  test("drops specks without letters but keeps poorly read words", () => {
    const line = sampleLine("Total .: due", { x: 0, y: 100 });
    const [first, speck, last] = line.words;
    if (!first || !speck || !last) throw new Error("three words");
    const words = [{ ...first, confidence: 5 }, { ...speck, confidence: 5 }, last];
    expect(kept(samplePage([{ ...line, words }]))).toEqual(["Total due"]);
  });

  test("drops short fragments that were read badly, not short lines that were read well", () => {
    const lines = [sampleLine("iL", { x: 0, y: 0 }, { confidence: 30 }), sampleLine("No", { x: 0, y: 50 }, { confidence: 90 })];
    expect(kept(samplePage(lines))).toEqual(["No"]);
  });

  test("drops texture read as text inside a photograph, not a caption printed on it", () => {
    const pictures = [{ x0: 0, y0: 0, x1: 500, y1: 200 }];
    const lines = [
      sampleLine("wrzk mlla", { x: 10, y: 20 }, { confidence: 50 }),
      sampleLine("Harbour", { x: 10, y: 60 }, { confidence: 90 }),
    ];
    expect(kept(samplePage(lines, { pictures }))).toEqual(["Harbour"]);
  });
});

test.each([
  [["The harbour was", "closed."], "The harbour was closed."],
  [["a regu-", "lar service"], "a regular service"],
  [["Anglo-", "Saxon kings"], "Anglo- Saxon kings"],
  [["2018-", "23 pages"], "2018- 23 pages"],
  [[], ""],
])("joinLines(%j)", (lines, text) => {
  expect(joinLines(lines)).toBe(text);
});

test("the body height is that of most characters, not of most lines", () => {
  const lines = [
    sampleLine("A", { x: 0, y: 0 }, { height: 60 }),
    sampleLine("B", { x: 0, y: 90 }, { height: 60 }),
    sampleLine("running text that is much longer than the headings", { x: 0, y: 180 }, { height: 20 }),
  ];
  expect(bodyHeight(lines)).toBe(20);
});
