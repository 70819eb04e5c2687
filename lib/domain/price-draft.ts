import { z } from "zod";
import { DECIMAL } from "./money";
import { PurchaseMode } from "./price-book";

const Decimal = z.string().trim().regex(DECIMAL, 'Write a decimal such as "0.8048", without signs or separators.');
const Currency = z.string().trim().regex(/^[A-Z]{3}$/, "Write the ISO code of the currency, like USD.");
const Id = z.string().trim().regex(/^[a-z0-9][a-z0-9.-]{0,58}[a-z0-9]$/, "Use lower-case letters, digits, dots and dashes.");
const Words = z.string().trim().min(1, "Fill this in.").max(200);
const Source = { source: z.string().trim().min(1, "Say where the price was read: an address, a contract.").max(500), asOf: z.iso.date("Write the day on which it was read.") };
/** From which instant on the price counts; null: from the beginning of all records. */
const From = z.iso.datetime({ offset: true }).nullable();

const NodeDraft = z.strictObject({
  kind: z.literal("node"),
  skuId: Id,
  region: z.string().trim().min(1, "Name the region.").max(60),
  mode: PurchaseMode,
  perHour: Decimal,
  currency: Currency,
  /** A contract's discount on the list price. */
  discountPercent: Decimal.refine((value) => Number(value) <= 100, "A discount lies between 0 and 100.").optional(),
  /** The spread of a spot sample. */
  low: Decimal.optional(),
  high: Decimal.optional(),
  effectiveFrom: From,
  ...Source,
});

const NodeTypeDraft = z.strictObject({
  kind: z.literal("node_type"),
  skuId: Id,
  provider: Words,
  sku: Words,
  gpu: Words,
  gpuCount: z.int().min(1).max(64),
  gpuMemoryGb: z.number().positive().max(10_000),
  currency: Currency,
});

const Tier = z.strictObject({ upTo: z.int().min(1).nullable(), per1000: Decimal });
const Tiers = z
  .array(Tier)
  .min(1, "Give at least one tier.")
  .max(20)
  .refine((tiers) => tiers.every((tier, index) => (tier.upTo === null) === (index === tiers.length - 1)), "Only the last tier has no end, and it must have none.")
  .refine((tiers) => tiers.every((tier, index) => tier.upTo === null || tier.upTo > (tiers[index - 1]?.upTo ?? 0)), "The ends must rise from tier to tier.");

const ApiDraft = z.strictObject({
  kind: z.literal("api"),
  offerId: Id,
  provider: Words,
  product: Words,
  feature: Words,
  currency: Currency,
  /** graduated: each page at its own bracket. volume: the bracket of the whole month for every page. */
  billing: z.enum(["graduated", "volume"]),
  tiers: Tiers,
  monthlyFee: Decimal.optional(),
  includedPages: z.int().min(0).optional(),
  freePages: z.int().min(0).optional(),
  effectiveFrom: From,
  ...Source,
});

const RateDraft = z
  .strictObject({ kind: z.literal("rate"), base: Currency, quote: Currency, rate: Decimal.refine((rate) => Number(rate) > 0, "A rate is more than zero."), date: z.iso.date(), source: Source.source })
  .refine((draft) => draft.base !== draft.quote, { path: ["quote"], message: "Name two different currencies." });

/** What a person enters about a price; each kind is one form. */
export const PriceDraft = z.discriminatedUnion("kind", [NodeDraft, NodeTypeDraft, ApiDraft, RateDraft]);
export type PriceDraft = z.infer<typeof PriceDraft>;
export type PriceDraftOf<Kind extends PriceDraft["kind"]> = Extract<PriceDraft, { kind: Kind }>;

/** Above this price of a page a slip of the unit is likelier than the price. */
const DEAR_PAGE_PER_1000 = 1000;

/** What looks wrong although it is allowed, as sentences. */
export function draftWarnings(draft: PriceDraft): string[] {
  if (draft.kind === "api" && draft.tiers.some((tier) => Number(tier.per1000) > DEAR_PAGE_PER_1000))
    return ["A page would cost more than 1.00: prices here are per 1,000 pages."];
  if (draft.kind === "node" && Number(draft.perHour) > 200) return ["A node-hour would cost more than 200: prices here are per hour, not per month."];
  return [];
}
