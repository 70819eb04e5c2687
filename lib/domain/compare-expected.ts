import { DomainError } from "./errors";

const MARK = /^[ \t]*-{2,}[ \t]*page[ \t]+(\d{1,5})[ \t]*-{2,}[ \t]*$/gim;

/**
 * The expected text of each page, by its number: pages parted by form feeds, in order, or each under a line like "--- page 3 ---". Text for a
 * single page needs neither. Throws `invalid_input` when it cannot be told which page a text is for.
 */
export function splitExpected(text: string, pages: readonly number[]): Record<number, string> {
  const marks = [...text.matchAll(MARK)];
  if (marks.length > 0) return Object.fromEntries(marks.map((mark, index) => [Number(mark[1]), text.slice(mark.index + mark[0].length, marks[index + 1]?.index).trim()]));
  const parts = text.split("\f");
  if (parts.length > 1 && parts.at(-1)?.trim() === "") parts.pop(); // programs end the last page with one too
  if (parts.length !== pages.length)
    throw new DomainError("invalid_input", `The text has ${parts.length} ${parts.length === 1 ? "part" : "parts"} and ${pages.length} pages are compared. Part the pages with form feeds, or put a line like "--- page 3 ---" above each.`);
  return Object.fromEntries(pages.map((page, index) => [page, (parts[index] ?? "").trim()]));
}

/** The same as one text, to be changed or kept. */
export function joinExpected(pages: Record<number, string>): string {
  const numbers = Object.keys(pages).map(Number).sort((a, b) => a - b);
  return numbers.map((number) => `--- page ${number} ---\n${pages[number] ?? ""}`).join("\n\n");
}
