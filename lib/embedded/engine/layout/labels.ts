import "server-only";
import type { Box } from "../box";
import { lettersIn, type Line, type Size } from "../scan";
import { textOf } from "./lines";

export type Label =
  "title" | "section" | "text" | "list" | "caption" | "footnote" | "aside_text" | "header" | "footer" | "page_number" | "table" | "image";

/** Lines that belong together, with their common box. */
export type Paragraph = { lines: Line[]; box: Box; height: number };

/** What a label depends on besides the paragraph itself: the page's size and the height of its running text, in pixels. */
export type PageStyle = Size & { bodyHeight: number };

const PAGE_NUMBER = /^(page|seite|p\.)?\s*[-–—]?\s*\d{1,5}(\s*(\/|of|sur|von|de)\s*\d{1,5})?\s*[-–—]?$/i;
const CAPTION = /^(fig(ure|\.)?|table(au)?|tab\.|abb(ildung|\.)?|tabelle)\s*\d+/i;
/** Tesseract often reads a round bullet as a small e. */
const BULLET = /^([•●▪◦‣·*–-]\s|e\s(?=\p{Lu}))/u;
const NUMBER = /^\(?(\d{1,2}|[a-z])[.)]\s/;
const NUMBERED_HEADING = /^(\d{1,2}(\.\d{1,2})+\.?|\d{1,2}\.|[IVX]+\.)\s+\p{Lu}/u;
/** A line that ends on a small word goes on elsewhere: no heading. */
const UNFINISHED = /(,|\s\p{Ll}{1,3})$/u;
const FOOTNOTE_MARK = /^(\d{1,3}|[*†‡§¹²³])/;
const VERTICAL_BLOCK = 7;
const OUTER_TENTH = 0.1;
const RUNNING_HEAD = 0.065; // of the page's height, above and below

/** The tallest short paragraph of the upper part, below the running head, when clearly taller than the running text. */
export function findTitle(paragraphs: readonly Paragraph[], page: PageStyle): Paragraph | undefined {
  return paragraphs
    .filter(
      ({ lines, box, height }) =>
        lines.length <= 3 && box.y0 < 0.4 * page.height && !isOuter(box, page, RUNNING_HEAD) && height > 1.35 * page.bodyHeight,
    )
    .filter((paragraph) => lettersIn(contentOf(paragraph)) >= 3)
    .reduce<Paragraph | undefined>((best, one) => (best && best.height >= one.height ? best : one), undefined);
}

export function labelOf(paragraph: Paragraph, page: PageStyle, title: Paragraph | undefined): Label {
  const text = contentOf(paragraph);
  if (PAGE_NUMBER.test(text) && isOuter(paragraph.box, page, OUTER_TENTH)) return "page_number";
  if (paragraph === title) return "title";
  if (CAPTION.test(text)) return "caption";
  if (paragraph.lines.length <= 3 && isOuter(paragraph.box, page, RUNNING_HEAD))
    return paragraph.box.y0 < page.height / 2 ? "header" : "footer";
  if (isList(paragraph)) return "list";
  if (isSection(paragraph, page, text)) return "section";
  if (isFootnote(paragraph, page, text)) return "footnote";
  return paragraph.lines.every((line) => line.kind === VERTICAL_BLOCK) ? "aside_text" : "text";
}

/** Whether a line starts a list item. */
export function startsItem(text: string): boolean {
  return BULLET.test(text) || NUMBER.test(text);
}

/** The same line with its bullet, if it has one, written as Markdown. */
export function markdownItem(text: string): string {
  return text.replace(BULLET, "- ");
}

function contentOf(paragraph: Paragraph): string {
  return paragraph.lines.map(textOf).join(" ");
}

function isOuter(box: Box, page: PageStyle, share: number): boolean {
  return box.y1 <= page.height * share || box.y0 >= page.height * (1 - share);
}

/** A number alone starts a heading as often as a list, so a list of numbers needs two. */
function isList({ lines }: Paragraph): boolean {
  const texts = lines.map(textOf);
  const items = texts.filter(startsItem).length;
  return items >= lines.length / 3 && (items >= 2 || texts.some((text) => BULLET.test(text)));
}

function isSection({ lines }: Paragraph, page: PageStyle, text: string): boolean {
  if (lines.length > 2 || text.length >= 90 || text.endsWith(".") || UNFINISHED.test(text) || lettersIn(text) < 3) return false;
  const isCapitals = lettersIn(text) >= 4 && text === text.toUpperCase() && lettersIn(text) > text.length / 2;
  const isTall = lines.every((line) => line.height > 1.18 * page.bodyHeight);
  return isTall || isCapitals || NUMBERED_HEADING.test(text);
}

function isFootnote({ box, height }: Paragraph, page: PageStyle, text: string): boolean {
  return box.y0 > 0.75 * page.height && height < 0.9 * page.bodyHeight && FOOTNOTE_MARK.test(text);
}
