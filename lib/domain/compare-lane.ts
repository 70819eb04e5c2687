import { plainText } from "./block-text";
import { parseGrounding } from "./grounding";

/** Lanes of one comparison. */
export const laneLimits = { least: 2, most: 4 } as const;

/** A page's words in reading order, without Markdown, markup and boxes: what lanes are compared by. */
export function laneText(answer: string): string {
  return parseGrounding(answer).map(plainText).filter(Boolean).join("\n");
}

/** The expected text, whose Markdown and markup count as little as the lanes'. */
export function expectedText(text: string): string {
  return plainText({ label: "text", text });
}

export type LaneCost = { perPage: number; perThousand: number };

/** What a page costs that has an engine to itself for its seconds, in the node's currency, and a thousand of them one after the other. */
export function laneCost({ perHour, secondsPerPage }: { perHour: number; secondsPerPage: number }): LaneCost {
  const perPage = (perHour * secondsPerPage) / 3600;
  return { perPage, perThousand: perPage * 1000 };
}
