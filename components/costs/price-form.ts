import type { PriceFormKind } from "./price-fields";

const text = (values: FormData, name: string) => String(values.get(name) ?? "").trim();
const optional = (values: FormData, name: string) => text(values, name) || undefined;
const number = (values: FormData, name: string) => (text(values, name) === "" ? undefined : Number(text(values, name)));

/** "1000000 1.50" and "0.60", one tier a line: the pages up to which it goes, then the price per 1,000. */
export function tiersOf(lines: string): { upTo: number | null; per1000: string }[] {
  return lines
    .split("\n")
    .map((line) => line.trim().split(/[\s;:]+/))
    .filter((parts) => parts[0] !== "")
    .map(([first = "", second]) => (second === undefined ? { upTo: null, per1000: first } : { upTo: Number(first.replaceAll(/[,_]/g, "")), per1000: second }));
}

/** From when a price counts, as the form says it: null is the beginning of all records. */
function fromOf(values: FormData): string | null {
  const choice = text(values, "from");
  if (choice === "beginning") return null;
  const at = text(values, "fromAt");
  return choice === "at" && at !== "" ? new Date(at).toISOString() : new Date().toISOString();
}

/** What the form holds, for the domain's schema to check. */
export function draftOf(kind: PriceFormKind, values: FormData): unknown {
  const origin = { source: text(values, "source"), asOf: text(values, "asOf"), effectiveFrom: fromOf(values) };
  const currency = text(values, "currency").toUpperCase();
  switch (kind) {
    case "node":
      return { kind, skuId: text(values, "skuId"), region: text(values, "region"), mode: text(values, "mode"), perHour: text(values, "perHour"), currency, discountPercent: optional(values, "discountPercent"), ...origin };
    case "node_type":
      return { kind, skuId: text(values, "skuId"), provider: text(values, "provider"), sku: text(values, "sku"), gpu: text(values, "gpu"), gpuCount: number(values, "gpuCount"), gpuMemoryGb: number(values, "gpuMemoryGb"), currency };
    case "rate":
      return { kind, base: text(values, "base").toUpperCase(), quote: text(values, "quote").toUpperCase(), rate: text(values, "rate"), date: text(values, "date"), source: text(values, "source") };
    case "api":
      return {
        kind,
        offerId: text(values, "offerId"),
        provider: text(values, "provider"),
        product: text(values, "product"),
        feature: text(values, "feature"),
        currency,
        billing: text(values, "billing"),
        tiers: tiersOf(text(values, "tiers")),
        monthlyFee: optional(values, "monthlyFee"),
        includedPages: number(values, "includedPages"),
        freePages: number(values, "freePages"),
        ...origin,
      };
  }
}
