import { randomUUID } from "node:crypto";
import type { Db } from "@/lib/platform/db";
import { countPages, writePages, type PageUse } from "@/lib/services/usage-log";
import { BENCH_NOW } from "./generate.ts";
import { line, percentile, timed } from "./measure.ts";

/** The path by which pages are really counted, in the groups in which the gateway's counter writes them. */
export async function measureLogging(db: Db, environmentId: string): Promise<void> {
  const batch = (size: number): PageUse[] =>
    Array.from({ length: size }, () => ({ id: randomUUID(), at: new Date(BENCH_NOW), environmentId, deploymentId: null, modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge", feature: "gateway", userId: null, tokenId: null, promptTokens: 1, completionTokens: 1, seconds: 1 }));
  const [rounds, size] = [40, 500];
  await writePages(db, batch(size));
  const start = performance.now();
  for (let round = 0; round < rounds; round += 1) await writePages(db, batch(size));
  const perSecond = (rounds * size) / ((performance.now() - start) / 1000);
  line("logging path, rows a second (budget 5,000)", `${Math.round(perSecond)} /s`, perSecond / 5000);
  const lag = await timed(20, async () => {
    await db.$transaction((tx) => countPages(tx, batch(1)));
    await db.usageTotal.findFirst({ where: { environmentId }, orderBy: { hour: "desc" } });
  });
  line("one page: counted and seen in the roll-up, p95 (budget 2 s)", `${percentile(lag, 0.95).toFixed(1)} ms`, 2000 / percentile(lag, 0.95));
}
