import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BREAK, diffWords, wordsOf, type DiffPart } from "./word-diff";

const shown = (parts: DiffPart[]) => parts.map(({ kind, words, move }) => `${kind}${move ?? ""}: ${words.join(" ").replaceAll(BREAK, "/")}`);

describe("two readings of the same page", () => {
  it("show what only one has", () => {
    const { left, right, same, onlyLeft, onlyRight } = diffWords("The quay served 214 vessels", "The quay served 241 vessels");
    expect(shown(left)).toEqual(["same: The quay served", "only: 214", "same: vessels"]);
    expect(shown(right)).toEqual(["same: The quay served", "only: 241", "same: vessels"]);
    expect({ same, onlyLeft, onlyRight }).toEqual({ same: 4, onlyLeft: 1, onlyRight: 1 });
  });

  it("show a passage that stands elsewhere as moved, with its other place", () => {
    const aside = "see the table of berths below";
    const { left, right, moved } = diffWords(`${aside} First paragraph is here. Second one follows now.`, `First paragraph is here. Second one follows now. ${aside}`);
    expect(shown(left)).toEqual([`moved1: ${aside}`, "same: First paragraph is here. Second one follows now."]);
    expect(shown(right)).toEqual(["same: First paragraph is here. Second one follows now.", `moved1: ${aside}`]);
    expect(moved).toBe(6);
  });

  it("pairs several moved passages, the longest first, and leaves what changed inside them", () => {
    const [a, b] = ["one two three four five six", "red green blue black white"];
    const { left, right } = diffWords(`${a} middle stays as it is here ${b}`, `${b} middle stays as it is here ${a} extra`);
    expect(shown(left)).toEqual([`moved1: ${a}`, "same: middle stays as it is here", `moved2: ${b}`]);
    expect(shown(right)).toEqual([`moved2: ${b}`, "same: middle stays as it is here", `moved1: ${a}`, "only: extra"]);
  });

  it("takes three equal words for chance", () => {
    expect(diffWords("of the quay X Y Z W V U", "X Y Z W V U of the quay").moved).toBe(0);
  });

  it.each([
    ["a  b\n\n\nc", ["a", "b", BREAK, "c"]],
    ["", []],
    ["  \n ", []],
  ])("tells words of %j apart", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("loses no word of either text, whatever they are", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "\n", "f g h i j k"), { maxLength: 60 }).map((words) => words.join(" "));
    const holds = fc.property(text, text, (before, after) => {
      const { left, right } = diffWords(before, after);
      expect(left.flatMap(({ words }) => words)).toEqual(wordsOf(before));
      expect(right.flatMap(({ words }) => words)).toEqual(wordsOf(after));
      const moves = (parts: DiffPart[]) => parts.filter(({ kind }) => kind === "moved").map(({ move, words }) => `${move} ${words.join(" ")}`).sort();
      expect(moves(left)).toEqual(moves(right));
    });
    fc.assert(holds, { numRuns: 150 });
  });
});
