import { expect, test } from "vitest";
import { addScores, scoreReading } from "./score";

test.each([
  ["the same", "Harbour dues\n12.00 EUR", "Harbour dues 12.00 EUR", { errors: 0, characters: 21, found: 4, words: 4 }],
  ["another order", "left column\nright column", "right column\n\nleft column", { errors: 0, characters: 23, found: 4, words: 4 }],
  ["one letter wrong", "Harbour dues", "Harbour dues".replace("b", "h"), { errors: 1, characters: 12, found: 1, words: 2 }],
  ["a line missing", "first line\nsecond", "first line", { characters: 16, found: 2, words: 3 }],
  ["nothing read", "abc", "", { errors: 3, characters: 3, found: 0, words: 1 }],
  ["a word once that stands twice", "EUR EUR", "EUR", { found: 1, words: 2 }],
])("%s", (_what, truth, output, expected) => {
  expect(scoreReading(truth, output)).toMatchObject(expected);
});

test("scores of pages add up", () => {
  expect(addScores([scoreReading("abc", "abd"), scoreReading("x", "x")])).toEqual({ errors: 1, characters: 4, found: 1, words: 2 });
});
