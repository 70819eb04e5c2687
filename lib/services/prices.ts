import "server-only";
import { z } from "zod";
import { DomainError } from "@/lib/domain/errors";
import { draftWarnings, PriceDraft } from "@/lib/domain/price-draft";
import { PriceBook } from "@/lib/domain/price-book";
import { defaultPriceBook } from "@/lib/domain/price-book-default";
import { PriceListing, priceListings } from "@/lib/domain/price-listing";
import { BEGINNING, bookOfRows, isSamePlace, rowOfDraft, type PriceRow } from "@/lib/domain/price-version";
import type { Tx } from "@/lib/platform/db";
import { read, write } from "./operation";
import { jsonOf, priceBook, storedPrices, type StoredPrice } from "./prices-book";
import { correctionEffect, CorrectionEffect } from "./prices-effect";

/** A price that starts this little before now was meant to start now: forms are filled in by people. */
const NOW_TOLERANCE_MS = 10 * 60_000;

export const pricesList = read({
  name: "prices.list",
  summary: "Every price with its source, its date, its age and the instant from which it counts",
  permission: "portal.read",
  environment: "portal",
  input: z.strictObject({}),
  output: z.strictObject({ prices: z.array(PriceListing) }),
  run: async ({ db, now }) => ({ prices: priceListings(await storedPrices(db), now.getTime()) }),
});

export const pricesBook = read({
  name: "prices.book",
  summary: "The price book in its own form, with every version",
  permission: "portal.read",
  environment: "portal",
  input: z.strictObject({}),
  output: z.object({ book: PriceBook }),
  run: async ({ db }) => ({ book: await priceBook(db) }),
});

/** Throws `unprocessable` when the row would change what has been counted already. */
function refusePast(row: PriceRow, { before, now }: { before: StoredPrice[]; now: Date }): void {
  const isTimed = row.kind === "node" || row.kind === "api";
  if (isTimed && row.effectiveFrom.getTime() < now.getTime() - NOW_TOLERANCE_MS)
    throw new DomainError("unprocessable", "A price that counts from an earlier hour changes history. Correct the past price instead: it shows what changes first.");
  if (before.some((one) => isSamePlace(one, row)))
    throw new DomainError("conflict", "There is such an entry already. Correct it instead: that shows what changes first.");
}

/** Refuses a row that the price book cannot be read with. Throws `invalid_input` or `unprocessable`. */
function checkFits(rows: PriceRow[], row: PriceRow): void {
  if (row.kind === "node" && !rows.some((one) => one.kind === "node_type" && one.subject === row.subject))
    throw new DomainError("unprocessable", "The price book does not list this node type. Add the type first.");
  bookOfRows([...rows, row], defaultPriceBook());
}

async function store(tx: Tx, row: PriceRow, entry: { createdById: string | null; reason: string }): Promise<string> {
  const { id } = await tx.priceVersion.create({ data: { ...row, ...entry, value: jsonOf(row.value), origin: "form" }, select: { id: true } });
  return id;
}

export const pricesSet = write({
  name: "prices.set",
  summary: "Enter a price that counts from now or from a later instant on; what was counted before stays",
  permission: "portal.manage",
  environment: "portal",
  effect: "database",
  input: z.strictObject({ draft: PriceDraft }),
  output: z.strictObject({ id: z.uuid(), warnings: z.array(z.string()) }),
  target: ({ draft }, result) => ({ type: "price", ...(result ? { id: result.id } : {}), name: nameOf(rowOfDraft(draft)), detail: { draft } }),
  run: async ({ db, input, now, caller }) => {
    const row = rowOfDraft(input.draft);
    const before = await storedPrices(db);
    refusePast(row, { before, now });
    checkFits(before, row);
    return { id: await store(db, row, { createdById: caller.actor.userId, reason: "" }), warnings: draftWarnings(input.draft) };
  },
});

export const pricesPreviewCorrection = read({
  name: "prices.previewCorrection",
  summary: "What the correction of a past price would change: month by month, before and after, with the digest that the correction asks for",
  permission: "portal.manage",
  environment: "portal",
  input: z.strictObject({ draft: PriceDraft }),
  output: CorrectionEffect,
  run: async ({ db, input, now }) => {
    const row = rowOfDraft(input.draft);
    const before = await storedPrices(db);
    checkFits(replacing(before, row), row);
    return { ...(await correctionEffect(db, { before, after: [...replacing(before, row), row], row, now })), warnings: draftWarnings(input.draft) };
  },
});

/** The rows that stay when `row` takes its place. */
function replacing(rows: StoredPrice[], row: PriceRow): StoredPrice[] {
  return rows.filter((one) => !isSamePlace(one, row));
}

export const pricesCorrect = write({
  name: "prices.correct",
  summary: "Correct a past price: what was shown for its hours changes as the preview has said",
  permission: "portal.manage",
  environment: "portal",
  effect: "database",
  input: z.strictObject({ draft: PriceDraft, reason: z.string().trim().min(3, "Say why the past price was wrong.").max(500), digest: z.string().length(64) }),
  output: z.strictObject({ id: z.uuid(), changed: z.number().int() }),
  target: ({ draft, reason, digest }, result) => ({ type: "price", ...(result ? { id: result.id } : {}), name: nameOf(rowOfDraft(draft)), detail: { draft, reason, digest, ...(result ? { monthsChanged: result.changed } : {}) } }),
  run: async ({ db, input, now, caller }) => {
    const row = rowOfDraft(input.draft);
    const before = await storedPrices(db);
    const replaced = before.filter((one) => isSamePlace(one, row));
    checkFits(replacing(before, row), row);
    const effect = await correctionEffect(db, { before, after: [...replacing(before, row), row], row, now });
    if (effect.digest !== input.digest) throw new DomainError("conflict", "What the correction changes is no longer what the preview showed. Look at it again.");
    const id = await store(db, row, { createdById: caller.actor.userId, reason: input.reason });
    await db.priceVersion.updateMany({ where: { id: { in: replaced.map((one) => one.id) } }, data: { replacedAt: now, replacedById: id } });
    return { id, changed: effect.changes.length };
  },
});

function nameOf(row: PriceRow): string {
  const from = row.effectiveFrom > BEGINNING ? ` from ${row.effectiveFrom.toISOString()}` : "";
  return `${[row.subject, row.region, row.mode].filter(Boolean).join(" ")}${from}`;
}
