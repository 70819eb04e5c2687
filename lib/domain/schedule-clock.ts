import { clockOf } from "./zone-clock";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Further from a wall-clock time than any offset, so that it lies on the other side of a change of clocks. */
const AROUND_MS = 36 * 3_600_000;

/** Whether the runtime knows the zone, by its IANA name such as "Europe/Paris". */
export function isTimeZone(name: string): boolean {
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The offset from UTC (ms) that clocks in `timeZone` show at an instant (epoch ms). */
export function offsetAt(instant: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(instant);
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(read("year"), read("month") - 1, read("day"), read("hour"), read("minute"), read("second"));
  return shown - Math.floor(instant / 1000) * 1000;
}

/** The local date ("2026-11-30") at an instant. */
export function dateAt(instant: number, timeZone: string): string {
  return new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 10);
}

/** The date so many days later; dates are calendar days and know no clocks. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** 0 is Monday. */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/**
 * The instants (epoch ms) at which clocks in the zone show a date and minute of the day (0–1440): two different ones where the hour is
 * shown twice. A time that clocks skip is the instant at which they skip it.
 */
export function instantsOf(date: string, minute: number, timeZone: string): { first: number; last: number } {
  const wall = Date.parse(`${date}T00:00:00Z`) + minute * MINUTE_MS;
  const [before, after] = [offsetAt(wall - AROUND_MS, timeZone), offsetAt(wall + AROUND_MS, timeZone)];
  const shown = [wall - before, wall - after].filter((instant) => offsetAt(instant, timeZone) === wall - instant);
  if (shown.length > 0) return { first: Math.min(...shown), last: Math.max(...shown) };
  const skipped = changeBetween({ from: wall - after, to: wall - before, timeZone });
  return { first: skipped, last: skipped };
}

/** The instant, to the second, from which the later of two offsets holds. */
function changeBetween({ from, to, timeZone }: { from: number; to: number; timeZone: string }): number {
  const later = offsetAt(to, timeZone);
  let [low, high] = [from, to];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetAt(middle, timeZone) === later) high = middle;
    else low = middle;
  }
  return high;
}
