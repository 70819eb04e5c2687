import "server-only";
import { nodePrice, PurchaseMode, type PriceBook } from "@/lib/domain/price-book";
import type { NodeInterval } from "@/lib/generated/prisma/client";
import type { Db } from "@/lib/platform/db";
import { firstRegion } from "./costs-month";
import { priceBook } from "./prices-book";

const HOUR_MS = 3_600_000;

/** Node hours, and what they cost; null: a node of it has no price, or two of them have different currencies. */
export type Spent = { nodeHours: number; cost: { amount: number; currency: string } | null };

/** What environments have cost up to now, from their own node intervals. */
export async function costsOf(db: Db, environmentIds: string[], now: Date): Promise<Map<string, Spent>> {
  if (environmentIds.length === 0) return new Map();
  const [book, rows] = await Promise.all([priceBook(db), db.nodeInterval.findMany({ where: { environmentId: { in: environmentIds } } })]);
  return new Map(environmentIds.map((id) => [id, spentOn(rows.filter((row) => row.environmentId === id), { book, now })]));
}

function spentOn(intervals: NodeInterval[], { book, now }: { book: PriceBook; now: Date }): Spent {
  const costs = intervals.map((one) => {
    // A cluster's clock may be ahead of ours.
    const hours = (Math.max(0, (one.endedAt ?? now).getTime() - one.startedAt.getTime()) / HOUR_MS) * one.share;
    const price = nodePrice(book, { skuId: one.skuId, region: one.region || firstRegion(one.skuId, book), mode: PurchaseMode.parse(one.mode), at: one.startedAt.getTime() });
    return { hours, money: price.state === "unpriced" ? null : { amount: hours * Number(price.perHour), currency: price.currency } };
  });
  const currencies = new Set(costs.map(({ money }) => money?.currency ?? ""));
  const [currency] = currencies;
  const nodeHours = costs.reduce((sum, { hours }) => sum + hours, 0);
  if (currencies.size !== 1 || !currency) return { nodeHours, cost: null };
  return { nodeHours, cost: { amount: costs.reduce((sum, { money }) => sum + (money?.amount ?? 0), 0), currency } };
}
