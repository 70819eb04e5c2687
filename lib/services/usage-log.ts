import "server-only";
import type { Tx } from "@/lib/platform/db";
import { publish } from "./live";

/** One page that an engine has read. `id` is the page's own: a second count of the same page is refused by the key. */
export type PageUse = {
  id: string;
  at: Date;
  environmentId: string;
  deploymentId: string | null;
  modelId: string;
  skuId: string | null;
  feature: "playground" | "batch" | "gateway";
  userId: string | null;
  tokenId: string | null;
  promptTokens: number;
  completionTokens: number;
  seconds: number;
};

function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000);
}

/** Counts a page once, in the log and in its hour. Returns false when it had been counted before. */
export async function countPage(tx: Tx, use: PageUse): Promise<boolean> {
  const { count } = await tx.usageEntry.createMany({ data: [{ ...use, pages: 1 }], skipDuplicates: true });
  if (count === 0) return false;
  const key = { environmentId: use.environmentId, hour: hourOf(use.at), deploymentKey: use.deploymentId ?? "", modelId: use.modelId, skuKey: use.skuId ?? "", feature: use.feature };
  const sums = { promptTokens: use.promptTokens, completionTokens: use.completionTokens, seconds: use.seconds };
  await tx.usageHour.upsert({
    where: { environmentId_hour_deploymentKey_modelId_skuKey_feature: key },
    create: { ...key, pages: 1, ...sums },
    update: { pages: { increment: 1 }, promptTokens: { increment: sums.promptTokens }, completionTokens: { increment: sums.completionTokens }, seconds: { increment: sums.seconds } },
  });
  await publish(tx, `usage:${use.environmentId}`, { data: { deploymentId: use.deploymentId } });
  return true;
}
