import "server-only";
import type { Db } from "@/lib/platform/db";
import { costSettings } from "./costs-settings";

const DAY_MS = 86_400_000;
/** So many rows at a time, so that nobody waits behind a long delete. */
const BATCH = 20_000;

/** Deletes raw page rows that have passed their time; the hours stay for ever, and no figure changes. Returns how many went. */
export async function pruneUsage(db: Db, now: Date): Promise<number> {
  const { rawDays } = await costSettings(db);
  const before = new Date(now.getTime() - rawDays * DAY_MS);
  return db.$executeRaw`DELETE FROM usage_entry WHERE id IN (SELECT id FROM usage_entry WHERE at < ${before} ORDER BY at LIMIT ${BATCH})`;
}
