import { canonicalJson } from "./canonical-json";
import { parsePriceBook, type PriceBook } from "./price-book";
import type { PriceDraft } from "./price-draft";

/** The instant from which the first price book counts: before all records. */
export const BEGINNING = new Date(0);

export const PRICE_KINDS = ["node_type", "node", "api", "rate", "throughput"] as const;
export type PriceKind = (typeof PRICE_KINDS)[number];

/** One stored price: `value` is its row in the price book's own form, without the instant. */
export type PriceRow = { kind: PriceKind; subject: string; region: string; mode: string; effectiveFrom: Date; value: Record<string, unknown> };

/** Every row of a price book, each in force from the beginning. */
export function rowsOfBook(book: PriceBook): PriceRow[] {
  const row = (kind: PriceKind, subject: string, value: Record<string, unknown>): PriceRow => ({ kind, subject, region: "", mode: "", effectiveFrom: BEGINNING, value });
  return [
    ...book.gpu_skus.flatMap(({ prices, ...type }) => [
      row("node_type", type.id, type),
      ...prices.map((price) => ({ ...row("node", type.id, price), region: price.region, mode: price.mode })),
    ]),
    ...book.managed_ocr.map((offer) => row("api", offer.id, offer)),
    ...book.fx.samples.map((sample) => row("rate", `${sample.base ?? book.fx.base}/${sample.quote ?? book.fx.quote}`, sample)),
    ...book.throughput.map((rate) => row("throughput", `${rate.model} ${rate.gpu}`, rate)),
  ];
}

/** The price book that stored rows make; conventions and named gaps are those of `frame`. Throws `invalid_input` for rows that do not fit. */
export function bookOfRows(rows: PriceRow[], frame: PriceBook): PriceBook {
  const of = (kind: PriceKind) => rows.filter((row) => row.kind === kind);
  const dated = ({ value, effectiveFrom }: PriceRow) => (effectiveFrom > BEGINNING ? { ...value, effective_from: effectiveFrom.toISOString() } : value);
  return parsePriceBook({
    ...frame,
    fx: { ...frame.fx, samples: of("rate").map((row) => row.value) },
    gpu_skus: of("node_type").map((type) => ({ ...type.value, prices: of("node").flatMap((row) => (row.subject === type.subject ? [dated(row)] : [])) })),
    managed_ocr: of("api").map(dated),
    throughput: of("throughput").map((row) => row.value),
  });
}

/** A person's entry as a stored price. */
export function rowOfDraft(draft: PriceDraft): PriceRow {
  const from = "effectiveFrom" in draft && draft.effectiveFrom !== null ? new Date(draft.effectiveFrom) : BEGINNING;
  const entered = { source_kind: "entered by a person", confidence: "high" };
  switch (draft.kind) {
    case "node": {
      const { skuId, region, mode, perHour, currency, discountPercent, low, high, source, asOf } = draft;
      const value = { region, mode, per_hour: perHour, currency, discount_percent: discountPercent, per_hour_low: low, per_hour_high: high, source, as_of: asOf, ...entered };
      return { kind: "node", subject: skuId, region, mode, effectiveFrom: from, value: defined(value) };
    }
    case "node_type": {
      const { skuId: id, provider, sku, gpu, gpuCount, gpuMemoryGb, currency } = draft;
      const value = { id, provider, sku, gpu, gpu_count: gpuCount, gpu_memory_gb: gpuMemoryGb, currency, single_gpu_rentable: gpuCount === 1 };
      return { kind: "node_type", subject: id, region: "", mode: "", effectiveFrom: BEGINNING, value };
    }
    case "api":
      return { kind: "api", subject: draft.offerId, region: "", mode: "", effectiveFrom: from, value: defined({ ...apiValue(draft), ...entered }) };
    case "rate": {
      const { base, quote, rate, date, source } = draft;
      return { kind: "rate", subject: `${base}/${quote}`, region: date, mode: "", effectiveFrom: BEGINNING, value: { base, quote, rate, date, source } };
    }
  }
}

function apiValue(draft: Extract<PriceDraft, { kind: "api" }>): Record<string, unknown> {
  const { offerId, provider, product, feature, currency, billing, tiers, monthlyFee, includedPages, freePages, source, asOf } = draft;
  return {
    id: offerId,
    provider,
    product,
    feature,
    unit: "page",
    currency,
    pricing_model: billing === "volume" ? "volume" : monthlyFee ? "commitment" : tiers.length === 1 ? "flat" : "graduated",
    tiers: tiers.map(({ upTo, per1000 }, index) => ({ from_page: (tiers[index - 1]?.upTo ?? 0) + 1, to_page: upTo, per_1000: per1000 })),
    monthly_fee: monthlyFee,
    included_pages: includedPages,
    free_allowance: freePages ? { pages: freePages, period: "month", eligibility: "as entered", stacks_with_paid: true } : null,
    source,
    as_of: asOf,
  };
}

function defined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}

/** Whether two stored prices are about the same thing from the same instant on, so that one takes the other's place. */
export function isSamePlace(a: PriceRow, b: PriceRow): boolean {
  const place = (row: PriceRow) => canonicalJson([row.kind, row.subject, row.region, row.mode, row.effectiveFrom.toISOString()]);
  return place(a) === place(b);
}
