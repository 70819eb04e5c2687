import "server-only";
import { DomainError } from "@/lib/domain/errors";
import type { Db } from "@/lib/platform/db";
import { createHourlyMeter, type HourlyMeter } from "@/lib/platform/hourly-meter";

const MEBIBYTE = 1024 * 1024;
const BUSY_RETRY_SECONDS = 10;

type Quotas = { maxFilesPerHour: number; maxMegabytesPerHour: number; maxPagesPerHour: number; maxReadingsAtOnce: number };
type Place = Quotas & { id: string; name: string };
type Use = { environment: Place; userId: string };

const files = createHourlyMeter();
const bytes = createHourlyMeter();
const pages = createHourlyMeter();
const keyOf = ({ environment, userId }: Use) => `${environment.id}:${userId}`;

/** Counts a file that a person begins to upload. Throws `rate_limited` when the hour's files or bytes are used up. */
export async function takeUpload(use: Use): Promise<void> {
  const { environment } = use;
  await assertLeft(files, use, { wanted: 1, limit: environment.maxFilesPerHour, what: "files uploaded an hour" });
  await assertLeft(bytes, use, { wanted: 1, limit: environment.maxMegabytesPerHour * MEBIBYTE, what: "MB uploaded an hour", shown: environment.maxMegabytesPerHour });
  await files.add(keyOf(use), 1);
}

/** Counts what an upload came to. */
export async function noteBytes(use: Use, count: number): Promise<void> {
  await bytes.add(keyOf(use), count);
}

/** Counts the pages of a reading. Throws `too_large` for more than an hour's pages at once, else `rate_limited` when they, or its readings at once, are used up. */
export async function takeReading(db: Db, use: Use, count: number): Promise<void> {
  const { environment, userId } = use;
  if (count > environment.maxPagesPerHour) throw new DomainError("too_large", `In ${environment.name} a person may have ${environment.maxPagesPerHour} pages read an hour, and this asks for ${count} at once: read fewer pages at a time.`);
  const open = await db.run.count({ where: { createdById: userId, environmentId: environment.id, batchId: null, state: { in: ["queued", "running"] } } });
  if (open >= environment.maxReadingsAtOnce) throw refusal(environment, { limit: environment.maxReadingsAtOnce, what: "readings at once", seconds: BUSY_RETRY_SECONDS });
  await assertLeft(pages, use, { wanted: count, limit: environment.maxPagesPerHour, what: "pages read an hour" });
  await pages.add(keyOf(use), count);
}

async function assertLeft(meter: HourlyMeter, use: Use, { wanted, limit, what, shown = limit }: { wanted: number; limit: number; what: string; shown?: number }): Promise<void> {
  const { used, secondsLeft } = await meter.usedBy(keyOf(use));
  if (used + wanted > limit) throw refusal(use.environment, { limit: shown, what, seconds: Math.max(1, secondsLeft) });
}

function refusal({ name }: Place, { limit, what, seconds }: { limit: number; what: string; seconds: number }): DomainError {
  const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return new DomainError("rate_limited", `You have reached the limit of ${name} for one person (${what}: ${limit}); go on in ${wait}, or ask an administrator for a higher limit.`, { retryAfterSeconds: seconds });
}
