import { describe, expect, it } from "vitest";
import { joinExpected, splitExpected } from "./compare-expected";
import { laneCost, laneText } from "./compare-lane";

describe("the expected text of several pages", () => {
  it.each([
    ["only one", [3], { 3: "only one" }],
    ["first\fsecond\f", [1, 2], { 1: "first", 2: "second" }],
    ["-- page 2 --\nsecond\n\n--- Page 1 ---\nfirst", [1, 2], { 1: "first", 2: "second" }],
  ])("%j for pages %j", (text, pages, expected) => {
    expect(splitExpected(text, pages)).toEqual(expected);
  });

  it("says what to do when pages cannot be told apart", () => {
    expect(() => splitExpected("one text", [1, 2])).toThrow(/1 part and 2 pages are compared.*form feeds/);
  });

  it("comes back as it was", () => {
    const pages = { 1: "a\nb", 12: "c" };
    expect(splitExpected(joinExpected(pages), [1, 12])).toEqual(pages);
  });
});

describe("a lane", () => {
  it("is compared by its words alone", () => {
    expect(laneText("![title](1,1,9,9) # **Berths**\n![table](1,1,9,9) <table><tr><td>a</td><td>b</td></tr></table>")).toBe("Berths\na\tb");
  });

  it("costs its node's hour by the second", () => {
    expect(laneCost({ perHour: 0.9, secondsPerPage: 2 })).toEqual({ perPage: 0.0005, perThousand: 0.5 });
  });
});
