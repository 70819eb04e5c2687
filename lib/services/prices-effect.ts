import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "@/lib/domain/canonical-json";
import { monthKeyAt, monthOf } from "@/lib/domain/cost-period";
import { costReport } from "@/lib/domain/cost-report";
import { MoneyText } from "@/lib/domain/cost-report-schema";
import { defaultPriceBook } from "@/lib/domain/price-book-default";
import { DEFAULT_OFFER_IDS } from "@/lib/domain/price-offers";
import { bookOfRows, type PriceRow } from "@/lib/domain/price-version";
import type { Db, Tx } from "@/lib/platform/db";
import { costSettings } from "./costs-settings";
import { monthUse } from "./costs-month";
import { reportInput } from "./costs-report";

const Change = z.strictObject({
  environmentId: z.uuid(),
  environmentName: z.string(),
  month: z.string(),
  what: z.string(),
  /** null: unpriced */
  before: MoneyText.nullable(),
  after: MoneyText.nullable(),
});
type Change = z.infer<typeof Change>;

/** `digest` stands for exactly these changes: the correction is refused when they are others by then. */
export const CorrectionEffect = z.strictObject({ changes: z.array(Change), monthsLooked: z.number().int(), digest: z.string(), warnings: z.array(z.string()) });
type Effect = Omit<z.infer<typeof CorrectionEffect>, "warnings">;

type Asked = { before: PriceRow[]; after: PriceRow[]; row: PriceRow; now: Date };

/** Solves every month that the corrected price touches with the book as it is and as it would be. */
export async function correctionEffect(db: Db | Tx, { before, after, row, ...asked }: Asked): Promise<Effect> {
  // The running month's amounts move with the clock: to the full hour the same question has the same answer for a while.
  const now = Math.floor(asked.now.getTime() / HOUR_MS) * HOUR_MS;
  const settings = await costSettings(db);
  const frame = defaultPriceBook();
  const books = [bookOfRows(before, frame), bookOfRows(after, frame)] as const;
  const offerIds = row.kind === "api" ? [row.subject] : DEFAULT_OFFER_IDS;
  const changes: Change[] = [];
  const months = await monthsSince(db, { from: row.effectiveFrom.getTime(), now, timeZone: settings.timeZone });
  for (const { environmentId, environmentName, month } of months) {
    const [old, next] = await Promise.all(
      books.map(async (book) => {
        const use = await monthUse(db, { environmentIds: [environmentId], month, timeZone: settings.timeZone, now, book });
        return costReport({ ...reportInput(use, { month, now, book, settings }), offerIds });
      }),
    );
    if (!old || !next) continue;
    const place = { environmentId, environmentName, month };
    note(changes, { ...place, what: "your GPUs", before: old.self.total, after: next.self.total });
    offerIds.forEach((_, index) => note(changes, { ...place, what: next.apis[index]?.fullName ?? "", before: old.apis[index]?.converted ?? null, after: next.apis[index]?.converted ?? null }));
  }
  return { changes, monthsLooked: months.length, digest: createHash("sha256").update(canonicalJson({ row, changes })).digest("hex") };
}

function note(changes: Change[], change: Change): void {
  if (change.before?.amount === change.after?.amount && change.before?.currency === change.after?.currency) return;
  changes.push(change);
}

const MOST_MONTHS = 60;
const HOUR_MS = 3_600_000;

/** Environments and months since an instant in which anything was logged. */
async function monthsSince(db: Db | Tx, { from, now, timeZone }: { from: number; now: number; timeZone: string }) {
  const rows = await db.$queryRaw<{ id: string; name: string; first: Date | null }[]>`
    SELECT e.id::text AS id, e.name, LEAST((SELECT MIN(hour) FROM usage_total u WHERE u.environment_id = e.id),
      (SELECT MIN(started_at) FROM node_interval n WHERE n.environment_id = e.id), (SELECT MIN(hour) FROM imported_hour i WHERE i.environment_id = e.id)) AS first
    FROM environment e ORDER BY e.name`;
  return rows.flatMap(({ id, name, first }) => {
    if (!first) return [];
    const keys: string[] = [];
    let at = Math.max(first.getTime(), from);
    while (at <= now && keys.length < MOST_MONTHS) {
      const month = monthOf(monthKeyAt(at, timeZone), timeZone);
      keys.push(month.key);
      at = month.to;
    }
    return keys.map((month) => ({ environmentId: id, environmentName: name, month }));
  });
}
