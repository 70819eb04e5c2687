import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLoopDetector, type Loop } from "./loop-detector";

function detect(text: string, size = text.length): Loop | null {
  const detector = createLoopDetector();
  let found: Loop | null = null;
  for (let at = 0; at < text.length && !found; at += size) found = detector.push(text.slice(at, at + size));
  return found;
}

const lines = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n + 1)).join("\n");
const table = (rows: number, row: string) => `<table>${row.repeat(rows)}</table>`;

describe("loops", () => {
  it.each([
    ["one line", "- alpha\n".repeat(400)],
    ["a sentence", "The quick brown fox jumps over the lazy dog. ".repeat(40)],
    [
      "a paragraph of 500 characters",
      "Between March and May the northern quay served vessels. ".repeat(9).replaceAll("quay", "qu\u00e4y").repeat(12),
    ],
    ["a word", "the ".repeat(500)],
    ["a letter", "a".repeat(3000)],
    ["a numbered list", `${lines(400, (n) => `${n}. The same thing again`)}\n`],
    ["a table row with words", `<table>${"<tr><td>Rope</td><td>Hemp</td></tr>".repeat(60)}`],
    ["the same figures in a row, for ever", `<table>${"<tr><td>0</td><td>0.00</td></tr>".repeat(900)}`],
    ["empty cells, for ever", `<table>${"<td></td>".repeat(5000)}`],
    ["dots, for ever", `Total ${".".repeat(20_000)}`],
    ["blanks, for ever", "Name: ________\n".repeat(2000)],
    ["after an honest page", `${lines(80, (n) => `Line ${n * 7919} of an honest page`)}\n${"and so on, and so forth ".repeat(60)}`],
  ])("finds %s", (_name, text) => {
    expect(detect(text)).not.toBeNull();
    expect(detect(text, 7)).toEqual(detect(text));
  });

  it("tells the pattern", () => {
    expect(detect("- alpha\n".repeat(400))).toMatchObject({ patternLength: 8 });
  });

  it("comes soon", () => {
    const detector = createLoopDetector();
    let length = 0;
    while (length < 5000 && !detector.push("again and again ")) length += 16;
    expect(length).toBeLessThan(600);
  });
});

describe("honest repetition", () => {
  it.each([
    ["a table of contents with leaders", lines(60, (n) => `Chapter ${n} of the book ${".".repeat(120)} ${n * 3}`)],
    ["one long leader", `Total ${".".repeat(400)} 12.50`],
    ["spaced leaders", `Total ${". ".repeat(200)} 12.50`],
    ["a rule", "-".repeat(400)],
    ["a Markdown rule for a wide table", `|${" --- |".repeat(60)}`],
    ["a table of empty cells", table(40, `<tr>${"<td></td>".repeat(12)}</tr>`)],
    ["a pipe table of empty cells", "|  |  |  |  |  |  |\n".repeat(60)],
    ["a table of zeros", table(60, "<tr><td>0</td><td>0</td><td>0.00</td></tr>")],
    ["a table of dashes and n/a", table(60, "<tr><td>–</td><td>n/a</td></tr>")],
    ["blank form lines", "Name: ______________ Date: __________\n".repeat(30)],
    ["numbered blank lines", lines(40, (n) => `${n}. ____________________________`)],
    ["check boxes", "☐ Yes ☐ No\n".repeat(50)],
    ["a refrain", `${"Row, row, row your boat\n".repeat(4)}Gently down the stream`.repeat(2)],
    ["a numbered list of different things", lines(80, (n) => `${n}. Item ${(n * 7919) % 997} of the list`)],
    [
      "a table of different figures",
      table(
        1,
        lines(80, (n) => `<tr><td>${n}</td><td>${(n * 7919) % 997}.00</td></tr>`),
      ),
    ],
    ["blank lines", "\n".repeat(500)],
  ])("spares %s", (_name, text) => {
    expect(detect(text)).toBeNull();
    expect(detect(text, 3)).toBeNull();
  });
});

describe("streaming", () => {
  it("gives the same answer for any cutting", () => {
    const text = fc.array(fc.oneof(fc.constantFrom("ab ", "…", "\n1. x", "<td></td>"), fc.string({ maxLength: 4 })), { maxLength: 30 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 700 }), (pieces, ...[times, size]) => {
        const whole = pieces.join("").repeat(times);
        expect(detect(whole, size)).toEqual(detect(whole));
      }),
      { numRuns: 60 },
    );
  });

  it("reads a million characters in a few seconds", () => {
    const whole = lines(30_000, (n) => `Line ${n * 7919} of a very long answer`);
    const started = performance.now();
    expect(detect(whole, 5)).toBeNull();
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
