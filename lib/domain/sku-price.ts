import { z } from "zod";
import { nodePrice, sku, type PriceBook } from "./price-book";

/** The price of a node-hour, or why there is none. Money is a decimal string. */
export const SkuPriceAnswer = z.discriminatedUnion("state", [
  z.strictObject({
    state: z.literal("priced"),
    perHour: z.string(),
    currency: z.string(),
    region: z.string(),
    source: z.string(),
    asOf: z.string(),
    isDerived: z.boolean(),
  }),
  z.strictObject({ state: z.literal("unpriced"), name: z.string(), reason: z.string() }),
]);
export type SkuPriceAnswer = z.infer<typeof SkuPriceAnswer>;

/** The first region of the book that has an on-demand price for the size, in force at `at` (epoch ms; absent: the last one). SKUs outside the book are unpriced, never free. */
export function priceOfSku(skuId: string, book: PriceBook, at?: number): SkuPriceAnswer {
  const region = sku(book, skuId)?.prices.find((price) => price.mode === "on_demand")?.region;
  const price = nodePrice(book, { skuId, region: region ?? "any region", mode: "on_demand", ...(at === undefined ? {} : { at }) });
  if (price.state === "unpriced") return price;
  const { perHour, currency, source, asOf, isDerived } = price;
  return { state: "priced", perHour, currency, region: price.region, source, asOf, isDerived };
}
