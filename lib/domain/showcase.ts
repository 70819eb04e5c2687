/** Invented usage for a first look at /costs: plausible working days of a team whose volume grows. Marked as sample data wherever it shows. */

export const SHOWCASE_DAYS = 90;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MODEL_ID = "lightonocr-3-0.8b";
const SKU_ID = "aws-g6-xlarge";
/** Pages on a working day at the start and at the end of the 90 days. */
const PAGES_A_DAY = { first: 7_000, last: 26_000 };
const TOKENS_A_PAGE = { prompt: 2_900, completion: 1_160 };
const SECONDS_A_PAGE = 1.15;
/** Share of a working day's pages by hour of the day, UTC, from 06:00 on. */
const DAY_SHAPE = [0.03, 0.07, 0.11, 0.12, 0.11, 0.09, 0.1, 0.12, 0.11, 0.08, 0.04, 0.02];
const FIRST_HOUR = 6;

export type SampleUsageRow = {
  hour: Date;
  deploymentKey: string;
  modelId: string;
  skuKey: string;
  feature: string;
  pages: number;
  promptTokens: bigint;
  completionTokens: bigint;
  seconds: number;
};

export type SampleNodeInterval = { node: string; skuId: string; startedAt: Date; endedAt: Date | null };

/** A repeatable number in [0, 1) for a whole number: the sample is the same on every machine. */
function noise(seed: number): number {
  const mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

function pagesOnDay(day: number, time: number): number {
  const weekday = new Date(time).getUTCDay();
  const growth = PAGES_A_DAY.first + ((PAGES_A_DAY.last - PAGES_A_DAY.first) * day) / SHOWCASE_DAYS;
  const weekend = weekday === 0 || weekday === 6 ? 0.06 : 1;
  return growth * weekend * (0.85 + 0.3 * noise(day));
}

/** Usage by hour for the 90 days before `now`; hours without pages have no row. */
export function sampleUsage(now: Date): SampleUsageRow[] {
  const start = startOfDay(now.getTime()) - SHOWCASE_DAYS * DAY_MS;
  const rows: SampleUsageRow[] = [];
  for (let day = 0; day <= SHOWCASE_DAYS; day += 1) {
    for (const [index, share] of DAY_SHAPE.entries()) {
      const time = start + day * DAY_MS + (FIRST_HOUR + index) * HOUR_MS;
      const pages = Math.round(pagesOnDay(day, time) * share * (0.9 + 0.2 * noise(day * 24 + index)));
      if (time + HOUR_MS > now.getTime() || pages === 0) continue;
      rows.push({
        hour: new Date(time),
        deploymentKey: "",
        modelId: MODEL_ID,
        skuKey: SKU_ID,
        feature: "sample",
        pages,
        promptTokens: BigInt(pages * TOKENS_A_PAGE.prompt),
        completionTokens: BigInt(pages * TOKENS_A_PAGE.completion),
        seconds: pages * SECONDS_A_PAGE,
      });
    }
  }
  return rows;
}

/** One node that is always on, replaced twice; the last interval is open. */
export function sampleNodeIntervals(now: Date): SampleNodeInterval[] {
  const start = startOfDay(now.getTime()) - SHOWCASE_DAYS * DAY_MS;
  const cuts = [start, start + 31 * DAY_MS + 2 * HOUR_MS, start + 66 * DAY_MS + 9 * HOUR_MS];
  return cuts.map((from, index) => {
    const to = cuts[index + 1];
    return { node: `sample-node-${index + 1}`, skuId: SKU_ID, startedAt: new Date(from), endedAt: to === undefined ? null : new Date(to - 600_000) };
  });
}
