import { z } from "zod";
import { ageWarning, priceAge } from "./price-age";
import { BEGINNING, PRICE_KINDS, type PriceRow } from "./price-version";

/** One stored price as a table shows it. `value` is its row in the price book's own form. */
export const PriceListing = z.strictObject({
  id: z.string(),
  kind: z.enum(PRICE_KINDS),
  subject: z.string(),
  region: z.string(),
  mode: z.string(),
  /** null: from the beginning */
  effectiveFrom: z.string().nullable(),
  /** in force now, replaced by a later one, or still to come */
  state: z.enum(["in_force", "past", "coming"]),
  source: z.string().nullable(),
  asOf: z.string().nullable(),
  warning: z.string().nullable(),
  origin: z.string(),
  value: z.record(z.string(), z.unknown()),
});
export type PriceListing = z.infer<typeof PriceListing>;

type Stored = PriceRow & { id: string; origin: string };

/** The stored prices with their age at `now` (epoch ms), and which of them counts. */
export function priceListings(rows: Stored[], now: number): PriceListing[] {
  return rows.map((row) => {
    const [source, asOf] = [textOf(row.value.source), textOf(row.value.as_of ?? row.value.date)];
    return {
      id: row.id,
      kind: row.kind,
      subject: row.subject,
      region: row.region,
      mode: row.mode,
      effectiveFrom: row.effectiveFrom > BEGINNING ? row.effectiveFrom.toISOString() : null,
      state: stateOf(row, rows, now),
      source,
      asOf,
      warning: asOf === null ? null : ageWarning(priceAge(asOf, now)),
      origin: row.origin,
      value: row.value,
    };
  });
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function stateOf(row: Stored, rows: Stored[], now: number): PriceListing["state"] {
  const start = row.effectiveFrom.getTime();
  if (start > now) return "coming";
  const isLater = (other: Stored) => other.effectiveFrom.getTime() > start && other.effectiveFrom.getTime() <= now;
  const isSame = (other: Stored) => other.kind === row.kind && other.subject === row.subject && other.region === row.region && other.mode === row.mode;
  return row.kind !== "rate" && rows.some((other) => isSame(other) && isLater(other)) ? "past" : "in_force";
}
