import { z } from "zod";
import { DomainError } from "./errors";
import { DECIMAL, divide, exact, multiply, subtract, toDecimal } from "./money";
import { oldestDay } from "./price-age";

const Decimal = z.string().regex(DECIMAL);
const Currency = z.string().regex(/^[A-Z]{3}$/);
const Confidence = z.enum(["high", "medium", "low", "none"]);
const Origin = { source: z.string().min(1), as_of: z.string().min(1), source_kind: z.string().min(1), confidence: Confidence };

export const PurchaseMode = z.enum(["on_demand", "spot", "commit_1y", "commit_3y"]);
export type PurchaseMode = z.infer<typeof PurchaseMode>;

const SkuPrice = z.object({
  region: z.string().min(1),
  mode: PurchaseMode,
  per_hour: Decimal,
  per_hour_low: Decimal.optional(),
  per_hour_high: Decimal.optional(),
  derived: z.boolean().optional(),
  note: z.string().optional(),
  /** When it differs from the node type's. */
  currency: Currency.optional(),
  /** A contract's discount on the list price, 0 to 100. */
  discount_percent: Decimal.optional(),
  /** In force from this instant (ISO 8601) on; absent: from the beginning. */
  effective_from: z.iso.datetime().optional(),
  ...Origin,
});
export type SkuPrice = z.infer<typeof SkuPrice>;

const Sku = z.object({
  id: z.string().min(1),
  provider: z.string().min(1),
  sku: z.string().min(1),
  gpu: z.string().min(1),
  gpu_count: z.int().min(1),
  gpu_memory_gb: z.number().positive(),
  vcpu: z.int().nullish(),
  ram_gb: z.number().nullish(),
  currency: Currency,
  single_gpu_rentable: z.boolean(),
  prices: z.array(SkuPrice),
  notes: z.string().optional(),
});
export type Sku = z.infer<typeof Sku>;

const FreeAllowance = z.object({
  pages: z.int().min(1),
  period: z.literal("month"),
  eligibility: z.string(),
  stacks_with_paid: z.boolean(),
});

const ManagedOffer = z.object({
  id: z.string().min(1),
  provider: z.string().min(1),
  product: z.string().min(1),
  feature: z.string().min(1),
  unit: z.string().min(1),
  currency: Currency,
  pricing_model: z.enum(["graduated", "flat", "commitment", "volume"]),
  tiers: z.array(z.object({ from_page: z.int().min(1), to_page: z.int().nullable(), per_1000: Decimal.nullable() })).nullable(),
  free_allowance: FreeAllowance.nullable(),
  notes: z.string().optional(),
  /** A commitment's fee a month, and the pages that it covers; the tiers are then its overage. */
  monthly_fee: Decimal.optional(),
  included_pages: z.int().min(0).optional(),
  effective_from: z.iso.datetime().optional(),
  ...Origin,
});
export type ManagedOffer = z.infer<typeof ManagedOffer>;

const Throughput = z.object({
  model: z.string().min(1),
  gpu: z.string().min(1),
  pages_per_second: Decimal.optional(),
  basis: z.string(),
  source: z.string().min(1),
  as_of: z.string().min(1),
  confidence: Confidence,
});

/** `base` and `quote` are the book's own unless the sample names others. */
const FxSample = z.object({ date: z.iso.date(), rate: Decimal, source: z.string(), base: Currency.optional(), quote: Currency.optional() });

export const PriceBook = z.object({
  schema_version: z.literal(1),
  compiled: z.iso.date(),
  conventions: z.object({ hours_per_month: Decimal, hours_per_month_definition: z.string() }),
  fx: z.object({ base: Currency, quote: Currency, samples: z.array(FxSample) }),
  gpu_skus: z.array(Sku),
  managed_ocr: z.array(ManagedOffer),
  throughput: z.array(Throughput),
  known_gaps: z.array(z.string()),
});
export type PriceBook = z.infer<typeof PriceBook>;

/** Checks a price book. Throws `invalid_input` naming the first wrong field. */
export function parsePriceBook(value: unknown): PriceBook {
  const parsed = PriceBook.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new DomainError(
    "invalid_input",
    `The price book is not usable: ${issue?.path.join(".") ?? "its form"}: ${issue?.message ?? "unknown"}.`,
  );
}

/** A thing without a price: named, with the reason, and never counted as zero. */
export type Unpriced = { state: "unpriced"; name: string; reason: string };

/** One price of a node-hour with where it was read and when. `isDerived`: computed from a sibling, so an estimate. */
export type NodePrice = {
  state: "priced";
  name: string;
  perHour: string;
  currency: string;
  region: string;
  mode: PurchaseMode;
  source: string;
  asOf: string;
  isDerived: boolean;
  /** Set for spot: the spread of the dated sample, which is not a fixed price. */
  range: { low: string; high: string } | null;
};

export function skus(book: PriceBook): Sku[] {
  return book.gpu_skus;
}

export function sku(book: PriceBook, id: string): Sku | null {
  return book.gpu_skus.find((candidate) => candidate.id === id) ?? null;
}

/** What a node-hour is wanted for; `at` (epoch ms) asks for the price in force then, the newest when absent. */
export type WantedNode = { skuId: string; region: string; mode: PurchaseMode; at?: number | undefined };

/** The price of a SKU in a region and purchase mode, in force at `at`; `unpriced` says what is missing. Dates are day-exact where known. */
export function nodePrice(book: PriceBook, wanted: WantedNode): NodePrice | Unpriced {
  const found = sku(book, wanted.skuId);
  const name = `${found?.sku ?? wanted.skuId} (${wanted.region}, ${MODE_WORDS[wanted.mode]})`;
  if (!found) return { state: "unpriced", name, reason: "the price book does not list this node type" };
  const rows = found.prices.filter((price) => price.region === wanted.region && price.mode === wanted.mode);
  if (rows.length === 0) return { state: "unpriced", name, reason: "the price book has no price for this region and purchase mode" };
  const row = inForce(rows, wanted.at);
  if (!row) return { state: "unpriced", name, reason: "the price book's first price for it is of a later day" };
  return {
    state: "priced",
    name,
    perHour: discounted(row),
    currency: row.currency ?? found.currency,
    region: row.region,
    mode: row.mode,
    source: row.source,
    asOf: row.as_of,
    isDerived: row.derived ?? false,
    range: row.per_hour_low && row.per_hour_high ? { low: row.per_hour_low, high: row.per_hour_high } : null,
  };
}

/** The row in force at `at` (epoch ms; absent: the last one): the latest start, then the newest reading, then the first listed. */
export function inForce<Row extends { effective_from?: string | undefined; as_of: string }>(rows: Row[], at = Infinity): Row | null {
  return rows.filter((row) => startOf(row) <= at).reduce<Row | null>((best, row) => (best && !isLater(row, best) ? best : row), null);
}

function isLater(row: { effective_from?: string | undefined; as_of: string }, best: { effective_from?: string | undefined; as_of: string }): boolean {
  const [start, bestStart] = [startOf(row), startOf(best)];
  return start === bestStart ? oldestDay(row.as_of) > oldestDay(best.as_of) : start > bestStart;
}

/** When a row comes into force, epoch ms; −Infinity: from the beginning. */
export function startOf(row: { effective_from?: string | undefined }): number {
  return row.effective_from === undefined ? -Infinity : Date.parse(row.effective_from);
}

function discounted(row: SkuPrice): string {
  if (!row.discount_percent) return row.per_hour;
  const left = divide(subtract(exact(100), exact(row.discount_percent)), exact(100));
  return toDecimal(multiply(exact(row.per_hour), left), 12).replace(/\.?0+$/, "");
}

const MODE_WORDS: Record<PurchaseMode, string> = {
  on_demand: "on demand",
  spot: "spot",
  commit_1y: "one-year commitment",
  commit_3y: "three-year commitment",
};

export function modeWords(mode: PurchaseMode): string {
  return MODE_WORDS[mode];
}
