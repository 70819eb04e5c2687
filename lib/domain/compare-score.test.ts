import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance, scorePage, sumScores } from "./compare-score";

/** The textbook's own form. */
function plainDistance(a: string, b: string): number {
  const [x, y] = [Array.from(a), Array.from(b)];
  const rows = [...x.keys(), x.length].map((i) => [...y.keys(), y.length].map((j) => (i === 0 ? j : j === 0 ? i : 0)));
  for (let i = 1; i <= x.length; i += 1)
    for (let j = 1; j <= y.length; j += 1) rows[i]![j] = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + (x[i - 1] === y[j - 1] ? 0 : 1));
  return rows[x.length]![y.length]!;
}

describe("a reading against the expected text", () => {
  it.each([
    ["kitten", "sitting", 3],
    ["", "abc", 3],
    ["flaw", "lawn", 2],
    ["Zürich 😀", "Zurich 😃", 2],
  ])("%s and %s are %i edits apart", (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  it("finds the distance of any two texts as the textbook does", () => {
    const text = fc.string({ maxLength: 40 });
    const like = fc.array(fc.constantFrom("a", "b"), { maxLength: 200 }).map((letters) => letters.join(""));
    const holds = fc.property(fc.oneof(text, like), fc.oneof(text, like), (a, b) => {
      expect(editDistance(a, b)).toBe(plainDistance(a, b));
    });
    fc.assert(holds, { numRuns: 60 });
  });

  it("takes a page of 10,000 characters with some errors in no time", () => {
    const page = Array.from({ length: 2_000 }, (_, index) => `w${index}`).join(" ");
    expect(scorePage(page, page.replaceAll("7", "1")).errors).toBe(page.split("7").length - 1);
  });

  it("counts characters and words, blanks and breaks alike", () => {
    expect(scorePage("The quay\nserved 214 vessels", "The  quay served 241 vessels")).toMatchObject({ errors: 2, foundWords: 4, expectedWords: 5, wordRecall: 0.8 });
    expect(scorePage("a a b", "a b b")).toMatchObject({ foundWords: 2 });
    expect(scorePage("", "")).toMatchObject({ characterErrorRate: 0, wordRecall: 1 });
    expect(scorePage("", "x")).toMatchObject({ characterErrorRate: 1 });
  });

  it("sums pages before it makes shares", () => {
    const sum = sumScores([scorePage("abcd", "abcx"), scorePage("abcdefgh abcdefgh", "abcdefgh abcdefgh")]);
    expect(sum).toMatchObject({ errors: 1, expectedCharacters: 21, foundWords: 2, expectedWords: 3 });
    expect(sum?.characterErrorRate).toBeCloseTo(1 / 21);
    expect(sumScores([])).toBeNull();
  });
});
