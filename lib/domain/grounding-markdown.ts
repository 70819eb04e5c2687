import { z } from "zod";
import type { Block } from "./grounding";
import { UNTRUSTED } from "./untrusted";
import { isGenerated, labelFamily } from "./grounding-labels";

export type MarkdownOptions = {
  /** Leaves out page furniture: headers, footers, page numbers and pictures in the margin. */
  withoutMargins?: boolean;
  /** Labels whose blocks are left out. */
  hide?: ReadonlySet<string>;
};

/** Whether a block belongs into what is taken away. */
export function isKept({ label }: Pick<Block, "label">, { withoutMargins, hide }: MarkdownOptions): boolean {
  return !(withoutMargins && labelFamily(label) === "margin") && !hide?.has(label);
}

/** One page as Markdown; see `documentToMarkdown`. */
export function pageToMarkdown(blocks: readonly Block[], options: MarkdownOptions = {}): string {
  return documentToMarkdown([blocks], options);
}

/**
 * Pages of blocks as one Markdown text. A continuation joins the nearest block before it with the same label, also over a page
 * break, so that a page number or a figure in between does not swallow it. Tables stay HTML, formulas LaTeX.
 */
export function documentToMarkdown(pages: readonly (readonly Block[])[], options: MarkdownOptions = {}): string {
  const joined: { label: string; text: string }[] = [];
  for (const { label, continues, text } of pages.flat().filter((block) => isKept(block, options))) {
    const previous = continues ? joined.findLast((block) => block.label === label) : undefined;
    if (previous) previous.text = joinText(label, previous.text, text);
    else joined.push({ label, text });
  }
  const parts = joined.filter(({ text }) => text !== "").map(({ label, text }) => blockMarkdown(label, text));
  return parts.length > 0 ? `${parts.join("\n\n")}\n` : "";
}

function joinText(label: string, before: string, after: string): string {
  if (before === "" || after === "") return before + after;
  const isProse = ["text", "heading"].includes(labelFamily(label));
  return `${before}${isProse ? " " : "\n"}${after}`;
}

function blockMarkdown(label: string, text: string): string {
  switch (label) {
    case "title":
      return asHeading("#", text);
    case "section":
      return asHeading("##", text);
    case "code":
      return text.startsWith("```") ? text : `\`\`\`\n${text}\n\`\`\``;
    case "formula":
      return /^(?:\$|\\\[|\\\()/.test(text) ? text : `$$\n${text}\n$$`;
    case "chart":
      return `*Chart data as estimated by the model:*\n\n${text}`;
    default:
      return isGenerated(label) ? `*Picture as described by the model: ${text.replaceAll("*", "\\*")}*` : text;
  }
}

function asHeading(marks: string, text: string): string {
  return text.startsWith("#") || text.includes("\n") ? text : `${marks} ${text}`;
}

/** A block as the JSON export has it. */
export function exportBlock({ label, box, text, continues }: Block): z.infer<typeof ExportedBlock> {
  return { label, bbox: box && [box[0], box[1], box[2], box[3]], text, continues, generated: isGenerated(label) };
}

const ExportedBlock = z.strictObject({
  label: z.string(),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  text: z.string(),
  continues: z.boolean(),
  /** The text is the model's description or estimate, not text that stands on the page. */
  generated: z.boolean(),
});

const ExportedPage = z.strictObject({
  page: z.int().min(1),
  /** Pixels of the picture that the model was given. */
  width: z.int().min(1),
  height: z.int().min(1),
  /** done, truncated, failed … and why, in the words of the run. */
  state: z.string(),
  reason: z.string(),
  blocks: z.array(ExportedBlock),
});

/** The JSON export. Boxes are x1, y1, x2, y2 on a 0–1000 grid, origin top left: pixel = value × width (or height) / 1000. */
export const ExportedDocument = z.strictObject({
  schema: z.literal("lectern.document/1"),
  /** For agents: where the text comes from, and what it must not do. */
  notice: z.string(),
  name: z.string(),
  model: z.string(),
  mode: z.enum(["grounding", "plain"]),
  coordinates: z.literal("0-1000 top-left"),
  pages: z.array(ExportedPage),
});
export type ExportedDocument = z.infer<typeof ExportedDocument>;

/** What an export is made from: the run's facts, and per page the picture's pixels and the parsed blocks. */
export type ExportSource = {
  name: string;
  model: string;
  mode: "grounding" | "plain";
  pages: { number: number; width: number; height: number; state: string; reason: string; blocks: readonly Block[] }[];
};

/** A read document in the shape of the JSON export; margins are left out with the same option as in Markdown. */
export function toExport(source: ExportSource, options: MarkdownOptions = {}): ExportedDocument {
  return {
    schema: "lectern.document/1",
    notice: UNTRUSTED,
    name: source.name,
    model: source.model,
    mode: source.mode,
    coordinates: "0-1000 top-left",
    pages: source.pages.map(({ number, blocks, ...page }) => ({
      page: number,
      ...page,
      blocks: blocks.filter((block) => isKept(block, options)).map(exportBlock),
    })),
  };
}
