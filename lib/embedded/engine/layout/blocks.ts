import "server-only";
import { areaOf, centreOf, heightOf, holds, intersect, unionOf, type Box } from "../box";
import type { Line, Scan } from "../scan";
import { findTitle, labelOf, markdownItem, startsItem, type Label, type PageStyle, type Paragraph } from "./labels";
import { bodyHeight, joinLines, keepLines, textOf } from "./lines";
import { findTables, type Item } from "./tables";

/** A labelled block in reading order, its box in pixels of the scan; `continues` when it goes on with the block before. */
export type LaidBlock = { label: Label; box: Box; text: string; continues: boolean };

const MAX_GAP = 1.1; // of the text height
const MAX_HEIGHT_RATIO = 1.3;
const MIN_PICTURE = 0.004; // of the page

/** Turns what was read on a page into labelled blocks with Markdown text; tables are HTML, pictures have no text. */
export function layOut(scan: Scan): LaidBlock[] {
  const lines = keepLines(scan);
  const groups = groupItems(findTables(lines, scan));
  const page: PageStyle = { width: scan.width, height: scan.height, bodyHeight: bodyHeight(lines) };
  const title = findTitle(
    groups.flatMap((group) => (group.kind === "paragraph" ? [group.paragraph] : [])),
    page,
  );
  const blocks = groups.map((group): LaidBlock => {
    if (group.kind === "table") return { label: "table", box: group.table.box, text: group.table.html, continues: false };
    const label = labelOf(group.paragraph, page, title);
    return { label, box: group.paragraph.box, text: paragraphText(group.paragraph, label), continues: false };
  });
  return placePictures(markContinued(blocks), scan, lines);
}

type Group = { kind: "paragraph"; paragraph: Paragraph } | Extract<Item, { kind: "table" }>;

function groupItems(items: readonly Item[]): Group[] {
  const groups: Group[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    const before = last?.kind === "paragraph" ? last.paragraph.lines.at(-1) : undefined;
    if (item.kind === "table") groups.push(item);
    else if (last?.kind === "paragraph" && before && isSameParagraph(before, item.line))
      last.paragraph = paragraphOf([...last.paragraph.lines, item.line]);
    else groups.push({ kind: "paragraph", paragraph: paragraphOf([item.line]) });
  }
  return groups;
}

function paragraphOf(lines: Line[]): Paragraph {
  return { lines, box: unionOf(lines.map((line) => line.box)), height: bodyHeight(lines) };
}

function isSameParagraph(before: Line, line: Line): boolean {
  const height = Math.min(before.height, line.height);
  if (before.paragraph !== line.paragraph || Math.max(before.height, line.height) > MAX_HEIGHT_RATIO * height) return false;
  return line.box.y0 - before.box.y1 <= MAX_GAP * height;
}

function paragraphText({ lines }: Paragraph, label: Label): string {
  const texts = lines.map((line) => escapeTags(textOf(line)));
  if (label === "list") return listText(texts);
  const text = joinLines(texts);
  if (label === "title") return `# ${text}`;
  return label === "section" ? `## ${text}` : text;
}

/** What looks like a tag on the page is text: unescaped, Markdown would take it for HTML and not show it. */
function escapeTags(text: string): string {
  return text.replace(/<(?=[\p{L}/!?])/gu, "\\<");
}

function listText(texts: readonly string[]): string {
  const items: string[][] = [];
  for (const text of texts) {
    const item = items.at(-1);
    if (item && !startsItem(text)) item.push(text);
    else items.push([markdownItem(text)]);
  }
  return items.map(joinLines).join("\n");
}

/** A text that starts with a small letter at the top of the next column goes on with the text that ended without a full stop. */
function markContinued(blocks: readonly LaidBlock[]): LaidBlock[] {
  return blocks.map((block, index) => {
    const before = blocks[index - 1];
    const isNextColumn = before !== undefined && block.box.x0 >= before.box.x1 && block.box.y0 < before.box.y0;
    const continues =
      isNextColumn &&
      before.label === "text" &&
      block.label === "text" &&
      !/[.:!?]["”’)]?$/.test(before.text) &&
      /^\p{Ll}/u.test(block.text);
    return { ...block, continues };
  });
}

function placePictures(blocks: readonly LaidBlock[], scan: Scan, lines: readonly Line[]): LaidBlock[] {
  const placed = [...blocks];
  for (const box of scan.pictures.filter((picture) => isPicture(picture, scan, lines))) {
    if (blocks.some((block) => block.label === "table" && holds(block.box, centreOf(box)))) continue;
    const below = placed.findIndex((block) => block.box.y0 >= box.y0 + heightOf(box) / 2 && block.box.x0 < box.x1 && block.box.x1 > box.x0);
    placed.splice(below < 0 ? placed.length : below, 0, { label: "image", box, text: "", continues: false });
  }
  return placed;
}

function isPicture(picture: Box, scan: Scan, lines: readonly Line[]): boolean {
  if (areaOf(picture) < MIN_PICTURE * scan.width * scan.height) return false;
  const covered = lines.reduce((sum, line) => sum + coveredArea(line.box, picture), 0);
  return covered < areaOf(picture) / 2;
}

function coveredArea(a: Box, b: Box): number {
  return areaOf(intersect(a, b));
}
