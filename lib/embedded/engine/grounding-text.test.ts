import { describe, expect, test } from "vitest";
import { cutPieces, estimateTokens, writePieces } from "./grounding-text";
import type { Block } from "./recogniser";

const blocks: Block[] = [
  { label: "title", box: [80, 90, 610, 130], text: "# Berths", continues: false },
  { label: "text", box: [80, 150, 480, 400], text: "A rise of", continues: false },
  { label: "text", box: [510, 150, 910, 230], text: "nine percent.", continues: true },
  { label: "image", box: [510, 260, 910, 540], text: "", continues: false },
  { label: "table", box: [80, 600, 910, 700], text: "<table><tr><td>![x](1,2,3,4)</td></tr></table>", continues: false },
];

describe("writePieces", () => {
  test("writes one marked piece a block; text that looks like a marker is broken up", () => {
    expect(writePieces(blocks, "grounding").join("")).toBe(
      [
        "![title](80,90,610,130) # Berths",
        "![text](80,150,480,400) A rise of",
        "![text+](510,150,910,230) nine percent.",
        "![image](510,260,910,540)",
        "![table](80,600,910,700) <table><tr><td>!\\[x](1,2,3,4)</td></tr></table>",
      ].join("\n\n"),
    );
  });

  test("plain mode is the same Markdown without markers, continued text joined", () => {
    expect(writePieces(blocks, "plain").join("")).toBe(
      "# Berths\n\nA rise of nine percent.\n\n<table><tr><td>!\\[x](1,2,3,4)</td></tr></table>",
    );
  });

  test("nothing read is an empty answer", () => {
    expect(writePieces([], "grounding")).toEqual([]);
  });
});

describe("cutPieces", () => {
  test("cuts at four characters a token and says so", () => {
    expect(cutPieces(["abcdef", "ghij"], 2)).toEqual({ pieces: ["abcdef", "gh"], isCut: true });
    expect(cutPieces(["abcdef", "gh"], 2)).toEqual({ pieces: ["abcdef", "gh"], isCut: false });
    expect(cutPieces(["abcdef", "gh", "i"], 2)).toEqual({ pieces: ["abcdef", "gh"], isCut: true });
    expect(cutPieces(["abcdef"], undefined)).toEqual({ pieces: ["abcdef"], isCut: false });
  });

  test("never leaves half a character", () => {
    expect(cutPieces(["abc😀"], 1).pieces).toEqual(["abc"]);
  });
});

test("an estimated token is four characters, a begun one counts", () => {
  expect([0, 1, 4, 5].map(estimateTokens)).toEqual([0, 1, 1, 2]);
});
