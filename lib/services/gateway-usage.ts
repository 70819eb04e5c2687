import "server-only";
import type { Db, Tx } from "@/lib/platform/db";
import { publish } from "./live";
import type { PageUse } from "./usage-log";

type Waiting = { use: PageUse; resolve(): void; reject(error: unknown): void };

const MOST_AT_ONCE = 500;
const HOUR_MS = 3_600_000;

export type UsageCounter = {
  /** Counts one page; resolves when it is on disk. Pages that end while others are being counted share one transaction. */
  count(use: PageUse): Promise<void>;
};

/** Counts pages as fast as they end: one transaction at a time, with all that came meanwhile. */
export function createUsageCounter(db: Db): UsageCounter {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function write(batch: Waiting[]): Promise<void> {
    try {
      await db.$transaction((tx) => countPages(tx, batch.map(({ use }) => use)), { timeout: 30_000, maxWait: 30_000 });
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function drain(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      await write(batch);
    }
    isWriting = false;
  }

  return {
    count: (use) =>
      new Promise((resolve, reject) => {
        waiting.push({ use, resolve, reject });
        void drain();
      }),
  };
}

/** As `countPage`, for many pages: each once in the log, and their sums in their hours. A page that had been counted before is left out. */
async function countPages(tx: Tx, uses: readonly PageUse[]): Promise<void> {
  const inserted = await tx.usageEntry.createManyAndReturn({ data: uses.map((use) => ({ ...use, pages: 1 })), skipDuplicates: true, select: { id: true } });
  const isNew = new Set(inserted.map(({ id }) => id));
  const hours = new Map<string, PageUse[]>();
  for (const use of uses.filter(({ id }) => isNew.has(id))) {
    const key = JSON.stringify(hourKey(use));
    hours.set(key, [...(hours.get(key) ?? []), use]);
  }
  for (const [, same] of [...hours].sort(([a], [b]) => (a < b ? -1 : 1))) await addToHour(tx, same); // one order for all processes: no deadlock
  for (const environmentId of new Set(uses.map((use) => use.environmentId))) await publish(tx, `usage:${environmentId}`, { data: {} });
}

function hourKey(use: PageUse) {
  const hour = new Date(Math.floor(use.at.getTime() / HOUR_MS) * HOUR_MS);
  return { environmentId: use.environmentId, hour, deploymentKey: use.deploymentId ?? "", modelId: use.modelId, skuKey: use.skuId ?? "", feature: use.feature };
}

async function addToHour(tx: Tx, uses: readonly PageUse[]): Promise<void> {
  const [first] = uses;
  if (!first) return;
  const key = hourKey(first);
  const sum = (of: (use: PageUse) => number) => uses.reduce((total, use) => total + of(use), 0);
  const sums = { pages: uses.length, promptTokens: sum((use) => use.promptTokens), completionTokens: sum((use) => use.completionTokens), seconds: sum((use) => use.seconds) };
  await tx.usageHour.upsert({
    where: { environmentId_hour_deploymentKey_modelId_skuKey_feature: key },
    create: { ...key, ...sums },
    update: { pages: { increment: sums.pages }, promptTokens: { increment: sums.promptTokens }, completionTokens: { increment: sums.completionTokens }, seconds: { increment: sums.seconds } },
  });
}
