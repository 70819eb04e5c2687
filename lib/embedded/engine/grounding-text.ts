import "server-only";
import type { Block } from "./recogniser";

export type Mode = "plain" | "grounding";

/**
 * The answer's text, one piece a block, in LightOnOCR-3's syntax: `![label](x1,y1,x2,y2) text`, `label+` for a block that
 * continues the one before. Plain mode is the same Markdown without markers; text of the page that looks like a marker is broken up.
 */
export function writePieces(blocks: readonly Block[], mode: Mode): string[] {
  const shown = mode === "grounding" ? blocks : blocks.filter((block) => block.text !== "");
  return shown.map((block, index) => {
    const text = block.text.replaceAll("![", "!\\[");
    if (mode === "plain") return `${separator(block, index)}${text}`;
    const marker = `![${block.label}${block.continues ? "+" : ""}](${block.box.join(",")})`;
    return `${index === 0 ? "" : "\n\n"}${`${marker} ${text}`.trimEnd()}`;
  });
}

function separator(block: Block, index: number): string {
  if (index === 0) return "";
  return block.continues ? " " : "\n\n";
}

/** Characters that count as one token. This engine has no tokeniser: all its output token counts are estimates by this number. */
export const CHARACTERS_PER_TOKEN = 4;

/** Estimated tokens of a text: its characters divided by four, rounded up. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** The pieces up to `maxTokens` estimated tokens, and whether something was cut off. */
export function cutPieces(pieces: readonly string[], maxTokens: number | undefined): { pieces: string[]; isCut: boolean } {
  if (maxTokens === undefined) return { pieces: [...pieces], isCut: false };
  let left = maxTokens * CHARACTERS_PER_TOKEN;
  const kept: string[] = [];
  for (const piece of pieces) {
    const part = piece.slice(0, left).replace(/[\uD800-\uDBFF]$/, ""); // never half of a surrogate pair
    if (part !== "") kept.push(part);
    left -= piece.length;
    if (left < 0) return { pieces: kept, isCut: true };
  }
  return { pieces: kept, isCut: false };
}
