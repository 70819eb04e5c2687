import { z } from "zod";

/** How the sample page was read after a rollout had become ready. Rates are those of one page at a time; the page's text is not kept. */
export const Smoke = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("reading"), at: z.string() }),
  z.strictObject({ state: z.literal("read"), at: z.string(), sample: z.string(), seconds: z.number(), pagesPerSecond: z.number(), tokensPerSecond: z.number().nullable() }),
  z.strictObject({ state: z.literal("failed"), at: z.string(), message: z.string() }),
]);
export type Smoke = z.infer<typeof Smoke>;

/** What a rollout's facts hold of it; null when no page was tried. */
export function smokeIn(facts: unknown): Smoke | null {
  return z.object({ smoke: Smoke }).safeParse(facts).data?.smoke ?? null;
}
