import pricing from "./data/pricing.json";
import { parsePriceBook, type PriceBook } from "./price-book";

let parsed: PriceBook | null = null;

/** The price book that ships with Lectern (prices of 2025 and 2026 with sources and dates), validated when first used. */
export function defaultPriceBook(): PriceBook {
  parsed ??= parsePriceBook(pricing);
  return parsed;
}
