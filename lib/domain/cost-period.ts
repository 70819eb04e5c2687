import { DomainError } from "./errors";
import { clockOf } from "./zone-clock";

const DAY_MS = 86_400_000;
const NAMES = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/** A calendar month in the organisation's time zone; instants in epoch ms, `to` exclusive. */
export type Month = { key: string; name: string; label: string; from: number; to: number; days: number };

/** The offset from UTC (ms) that clocks in `timeZone` show at an instant. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(instant);
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(read("year"), read("month") - 1, read("day"), read("hour"), read("minute"), read("second"));
  return shown - Math.floor(instant / 1000) * 1000;
}

function midnight(year: number, monthIndex: number, timeZone: string): number {
  const wall = Date.UTC(year, monthIndex, 1);
  const guess = wall - offsetAt(wall, timeZone);
  // The offset may change between the guess and the answer on a daylight-saving day.
  return wall - offsetAt(guess, timeZone);
}

/** The month named "2026-11" in a time zone ("Europe/Paris"). Months with a daylight-saving change have their true length. */
export function monthOf(key: string, timeZone = "UTC"): Month {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(key);
  if (!match) throw new DomainError("invalid_input", `"${key}" is not a month: write it like "2026-11".`);
  const [year, index] = [Number(match[1]), Number(match[2]) - 1];
  const name = NAMES[index] ?? key;
  const days = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
  return { key, name, label: `${name} ${year}`, from: midnight(year, index, timeZone), to: midnight(year, index + 1, timeZone), days };
}

/** The next local midnight after the local day that begins at `start`. */
export function startOfDayAfter(start: number, timeZone: string): number {
  const wall = new Date(start + offsetAt(start, timeZone));
  const next = Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate() + 1);
  const guess = next - offsetAt(next, timeZone);
  return next - offsetAt(guess, timeZone);
}

/** The key of the month that holds an instant, in a time zone. */
export function monthKeyAt(instant: number, timeZone = "UTC"): string {
  return new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 7);
}

/** How far a month has gone at `now`: elapsed ms and the days that have begun. */
export function progressOf(month: Month, now: number): { elapsedMs: number; wholeMs: number; daysElapsed: number; isRunning: boolean } {
  const elapsedMs = Math.min(Math.max(now, month.from), month.to) - month.from;
  return {
    elapsedMs,
    wholeMs: month.to - month.from,
    daysElapsed: Math.min(month.days, Math.ceil(elapsedMs / DAY_MS)),
    isRunning: now < month.to,
  };
}
