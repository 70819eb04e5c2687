import "server-only";
import type { DeploymentSpec } from "@/lib/domain/deployment";
import { smokeIn } from "@/lib/domain/rollout-smoke";
import type { Db } from "@/lib/platform/db";

/** Pages a second, one at a time. `pages`: how many were measured; `from`: the portal's own pages, or the sample after a rollout. */
export type MeasuredRate = { pagesPerSecond: number; tokensPerSecond: number | null; pages: number; from: "portal" | "smoke"; at: string };

const ENOUGH_PAGES = 20;
const BACK_MS = 30 * 24 * 3_600_000;
const ROLLOUTS = 20;

/** How fast a deployment has really read: by the portal's pages of the last 30 days, else by the sample page of its newest rollout; null when neither is there. */
export async function measuredRate(db: Db, deploymentId: string, now: Date = new Date()): Promise<MeasuredRate | null> {
  const since = new Date(now.getTime() - BACK_MS);
  const used = await db.usageHour.aggregate({ where: { deploymentKey: deploymentId, hour: { gte: since } }, _sum: { pages: true, completionTokens: true, seconds: true }, _max: { hour: true } });
  const { pages, completionTokens, seconds } = used._sum;
  if ((pages ?? 0) >= ENOUGH_PAGES && (seconds ?? 0) > 0 && used._max.hour) {
    return { pagesPerSecond: (pages ?? 0) / (seconds ?? 1), tokensPerSecond: Number(completionTokens ?? 0n) / (seconds ?? 1), pages: pages ?? 0, from: "portal", at: used._max.hour.toISOString() };
  }
  return newestSmoke(await db.rollout.findMany({ where: { state: "ready", revision: { deploymentId } }, orderBy: { startedAt: "desc" }, take: ROLLOUTS, select: { facts: true } }));
}

/** How fast this model on this size has read the sample page on this cluster last; null when it never has. */
export async function measuredPair(db: Db, { modelId, skuId }: Pick<DeploymentSpec, "modelId" | "skuId">, clusterId: string | null): Promise<MeasuredRate | null> {
  const pair = [{ spec: { path: ["modelId"], equals: modelId } }, { spec: { path: ["skuId"], equals: skuId } }];
  const where = { state: "ready", revision: { deployment: { environment: { clusterId } }, AND: pair } };
  return newestSmoke(await db.rollout.findMany({ where, orderBy: { startedAt: "desc" }, take: ROLLOUTS, select: { facts: true } }));
}

function newestSmoke(rollouts: readonly { facts: unknown }[]): MeasuredRate | null {
  const read = rollouts.map(({ facts }) => smokeIn(facts)).find((smoke) => smoke?.state === "read");
  return read?.state === "read" ? { pagesPerSecond: read.pagesPerSecond, tokensPerSecond: read.tokensPerSecond, pages: 1, from: "smoke", at: read.at } : null;
}
