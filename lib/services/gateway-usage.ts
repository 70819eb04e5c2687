import "server-only";
import type { Db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { publish } from "./live";
import { writePages, type PageUse } from "./usage-log";

type Waiting = { use: PageUse; resolve(): void; reject(error: unknown): void };

const MOST_AT_ONCE = 500;
/** Who looks on at costs hears of new pages this often; each event takes the one lock of the live stream. */
const TELL_MS = 1_000;

export type UsageCounter = {
  /** Counts one page; resolves when it is on disk. Pages that end while others are being counted share one statement. */
  count(use: PageUse): Promise<void>;
};

/** Counts pages as fast as they end: one statement at a time, with all that came meanwhile. */
export function createUsageCounter(db: Db): UsageCounter {
  const tell = createTeller(db);
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function write(batch: Waiting[]): Promise<void> {
    const uses = batch.map(({ use }) => use);
    try {
      await writePages(db, uses);
      for (const { resolve } of batch) resolve();
      tell(uses);
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

/** Tells the pages that show costs, each environment at most once in a while; the last pages are always told of. */
function createTeller(db: Db): (uses: readonly PageUse[]) => void {
  const news = new Map<string, string | null>();
  let timer: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    const all = [...news];
    news.clear();
    timer = undefined;
    for (const [environmentId, deploymentId] of all) await db.$transaction((tx) => publish(tx, `usage:${environmentId}`, { data: { deploymentId } }));
  }

  return (uses) => {
    for (const use of uses) news.set(use.environmentId, use.deploymentId);
    timer ??= setTimeout(() => {
      send().catch((error: unknown) => log().warn({ kind: error instanceof Error ? error.name : typeof error }, "gateway: costs were not announced"));
    }, TELL_MS).unref();
  };
}
