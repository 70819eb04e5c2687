const DAY_MS = 86_400_000;

/** Prices older than this are flagged for a fresh look. */
export const OLD_AFTER_DAYS = 90;

/** `undated`: the source does not say on which day or month it was read, so its age cannot be promised. */
export type PriceAge = { state: "fresh" | "old"; days: number } | { state: "undated" };

/** The oldest day (UTC, epoch ms) that "2026-07-20", "2026-09" or "2026 H2 …" can mean; −Infinity when no year is named. */
export function oldestDay(asOf: string): number {
  const match = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?/.exec(asOf);
  if (!match) return -Infinity;
  const [, year = "", month = "01", day = "01"] = match;
  return Date.UTC(Number(year), Number(month) - 1, Number(day));
}

/** How old a price is at `now` (epoch ms). A month without a day counts from its first day. */
export function priceAge(asOf: string, now: number): PriceAge {
  if (!/^\d{4}-\d{2}/.test(asOf)) return { state: "undated" };
  const days = Math.max(0, Math.floor((now - oldestDay(asOf)) / DAY_MS));
  return { state: days > OLD_AFTER_DAYS ? "old" : "fresh", days };
}

/** The age in words, or null when nothing needs to be said. */
export function ageWarning(age: PriceAge): string | null {
  if (age.state === "undated") return "The day of this price is not recorded: check it at its source.";
  return age.state === "old" ? `This price is ${age.days} days old: check it at its source.` : null;
}
