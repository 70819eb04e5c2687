import "server-only";
import type { Prisma } from "@/lib/generated/prisma/client";
import type { PriceBook } from "@/lib/domain/price-book";
import { defaultPriceBook } from "@/lib/domain/price-book-default";
import { bookOfRows, PRICE_KINDS, rowsOfBook, type PriceKind, type PriceRow } from "@/lib/domain/price-version";
import type { Db, Tx } from "@/lib/platform/db";

const FIRST_BOOK_LOCK = 7403;

export type StoredPrice = PriceRow & { id: string; origin: string };

/** The prices that nothing has replaced, oldest first; a database without any is given the price book that ships with Lectern. */
export async function storedPrices(db: Db | Tx): Promise<StoredPrice[]> {
  const rows = await currentRows(db);
  if (rows.length > 0) return rows;
  await storeFirstBook(db);
  return currentRows(db);
}

async function currentRows(db: Db | Tx): Promise<StoredPrice[]> {
  const rows = await db.priceVersion.findMany({ where: { replacedAt: null }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  return rows.map(({ id, kind, subject, region, mode, effectiveFrom, value, origin }) => ({ id, kind: kindOf(kind), subject, region, mode, effectiveFrom, value: recordOf(value), origin }));
}

function kindOf(kind: string): PriceKind {
  const known = PRICE_KINDS.find((one) => one === kind);
  if (!known) throw new Error(`price_version holds the unknown kind ${kind}`);
  return known;
}

function recordOf(value: Prisma.JsonValue): Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** P is stored once, so that a later release with other prices changes no history. */
async function storeFirstBook(db: Db | Tx): Promise<void> {
  const store = async (tx: Tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_BOOK_LOCK})`;
    if ((await tx.priceVersion.count()) > 0) return;
    // The moments keep the order of the book: the first of two equal readings counts.
    const data = rowsOfBook(defaultPriceBook()).map((row, index) => ({ ...row, value: jsonOf(row.value), origin: "book", createdAt: new Date(Date.now() + index) }));
    await tx.priceVersion.createMany({ data });
  };
  await ("$transaction" in db ? db.$transaction(store) : store(db));
}

export function jsonOf(value: Record<string, unknown>): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(value)) as Prisma.InputJsonObject; // a price book's row is plain JSON
}

let kept: { mark: string; book: PriceBook } | null = null;

/** The price book with every version and the instants from which they count. Kept in memory until a price is entered or corrected. */
export async function priceBook(db: Db | Tx): Promise<PriceBook> {
  const [row] = await db.$queryRaw<{ mark: string | null }[]>`
    SELECT count(*) || ' ' || max(id::text) || ' ' || COALESCE(max(replaced_at)::text, '') AS mark FROM price_version`;
  if (row?.mark && kept?.mark === row.mark) return kept.book;
  const book = bookOfRows(await storedPrices(db), defaultPriceBook());
  if (row?.mark) kept = { mark: row.mark, book };
  return book;
}
