import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findText, plainText } from "./block-text";
import { parseGrounding } from "./grounding";

describe("a block's words", () => {
  it.each([
    ["title", "# Berth **occupancy**", "Berth occupancy"],
    ["table", '<table><tr><th rowspan="2">Item</th><th>Price</th></tr><tr><td>Rope &amp; chain</td><td>\\$12.00</td></tr></table>', "Item\tPrice\nRope & chain\t$12.00"],
    ["text", "2 * 3 < 5 and a_b_c", "2 * 3 < 5 and a_b_c"],
    ["code", "```\nif (a < b) # x\n```", "if (a < b) # x"],
    ["text", "&#233;t&eacute; &#0; &#1114112;", "ét&eacute; &#0; &#1114112;"],
  ])("%s", (label, text, expected) => expect(plainText({ label, text })).toBe(expected));

  it("are found for any text, in time", () => {
    fc.assert(fc.property(fc.string(), fc.string(), (label, text) => typeof plainText({ label, text }) === "string"));
    const started = performance.now();
    plainText({ label: "text", text: "<a".repeat(200_000) + "**".repeat(100_000) + "&".repeat(100_000) });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("search", () => {
  const pages = [
    { number: 1, blocks: parseGrounding("![title](1,1,9,9) # Réservé\n![text](1,1,9,9) a reserve, a **Reserve**") },
    { number: 2, blocks: parseGrounding("![table](1,1,9,9) <table><tr><td>td</td><td>RÉSERVE</td></tr></table>") },
  ];

  it("finds words in any case and accent, over all pages, in reading order", () => {
    expect(findText(pages, "reserve")).toEqual([{ page: 1, block: 0, count: 1 }, { page: 1, block: 1, count: 2 }, { page: 2, block: 0, count: 1 }]);
  });

  it("does not find what is only a mark, and nothing for a single letter", () => {
    expect(findText(pages, "<td")).toEqual([]);
    expect(findText(pages, "r")).toEqual([]);
  });
});
