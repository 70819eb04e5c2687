import type { Block } from "./grounding";

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** A block's words without Markdown and HTML marks; cells are parted by a tab, rows by a line break. Formulas stay as LaTeX. */
export function plainText({ label, text }: Pick<Block, "label" | "text">): string {
  if (label === "code") return text.replace(/^```[^\n]*\n?|\n?```$/g, "");
  return unescapeEntities(stripTags(text))
    .replace(/^[ \t]{0,3}#{1,6}[ \t]+/gm, "")
    .replace(/(\*\*|__)(?=\S)([^\n]*?\S)\1/g, "$2")
    .replace(/\\([\\`*_{}[\]()#+\-.!$|<>])/g, "$1")
    .replace(/[ \t]+\n/g, "\n")
    .trim();
}

function stripTags(text: string): string {
  return text
    .replace(/<\/(?:td|th)>\s*(?=<t[dh])/gi, "\t")
    .replace(/<\/tr>\s*(?=<tr)|<br\s*\/?>/gi, "\n")
    .replace(/<\/?[a-z][^<>]{0,400}>/gi, "");
}

function unescapeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|([a-z]{2,6}));/gi, (whole, code: string | undefined, name: string | undefined) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const point = Number(code);
    return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : whole;
  });
}

/** A place where the words stand: the page, the block's index on it, and how often. */
export type Hit = { page: number; block: number; count: number };

/** Letters as they are compared: without case and accents, white space as one blank. */
export function foldText(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/\s+/g, " ").toLowerCase();
}

/** Where the words stand, in reading order. Fewer than two characters find nothing. */
export function findText(pages: readonly { number: number; blocks: readonly Block[] }[], query: string): Hit[] {
  const wanted = foldText(query).trim();
  if (wanted.length < 2) return [];
  return pages.flatMap(({ number, blocks }) =>
    blocks.flatMap((block) => {
      const count = foldText(plainText(block)).split(wanted).length - 1;
      return count > 0 ? [{ page: number, block: block.index, count }] : [];
    }),
  );
}
