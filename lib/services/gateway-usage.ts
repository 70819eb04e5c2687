import "server-only";
import type { Db } from "@/lib/platform/db";
import { countPage, type PageUse } from "./usage-log";

type Waiting = { use: PageUse; resolve(): void; reject(error: unknown): void };

const MOST_AT_ONCE = 50;

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
      await db.$transaction(async (tx) => {
        for (const { use } of batch) await countPage(tx, use);
      }, { timeout: 30_000, maxWait: 30_000 });
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
