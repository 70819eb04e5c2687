import "server-only";
import { nodePrice, type PriceBook } from "@/lib/domain/price-book";
import type { Db } from "@/lib/platform/db";
import { firstRegion } from "./costs-month";

export type PlacePrice = { words: string; /** false: no node of this size was seen in the cluster yet, and the price is that of the book's first region */ isOwnRegion: boolean };

/** What a node of a size costs where a cluster really has one: by the region of the last node seen there. */
export async function priceInCluster(db: Db, book: PriceBook, { clusterId, skuId, at }: { clusterId: string | null; skuId: string; at: number }): Promise<PlacePrice> {
  const seen = clusterId === null ? null : await db.nodeInterval.findFirst({ where: { skuId, region: { not: "" }, importId: null, environment: { clusterId } }, orderBy: { startedAt: "desc" }, select: { region: true } });
  const region = seen?.region ?? firstRegion(skuId, book);
  const price = nodePrice(book, { skuId, region, mode: "on_demand", at });
  return { words: price.state === "priced" ? `${price.perHour} ${price.currency} per hour and node in ${region}` : `no price in ${region}`, isOwnRegion: seen !== null };
}
