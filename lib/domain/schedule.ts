import { z } from "zod";
import { addDays, dateAt, instantsOf, isTimeZone, weekdayOf } from "./schedule-clock";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export const Weekday = z.enum(WEEKDAYS);
export type Weekday = z.infer<typeof Weekday>;

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, "Write the time like 08:30; 24:00 is the end of the day.");
const LocalDate = z.iso.date("Write the date like 2026-12-25.");

/** From–to on the clocks of the schedule's zone; an end that is not after the start lies on the next day. */
const Hours = z.strictObject({ from: Time, to: Time }).refine((hours) => hours.from !== "24:00", { path: ["from"], message: "A day cannot start at its end: write 00:00." });
export type Hours = z.infer<typeof Hours>;

/** When something runs: hours by weekday in one time zone, days off, and single days with hours of their own. */
export const ScheduleRule = z.strictObject({
  timeZone: z.string().max(64).refine(isTimeZone, "Use a time zone's name such as Europe/Paris."),
  week: z.array(z.strictObject({ days: z.array(Weekday).min(1, "Choose at least one day."), hours: Hours })).min(1, "Give at least one row of hours.").max(14),
  /** Days on which nothing runs. */
  holidays: z.array(LocalDate).max(400).default([]),
  /** Days that have hours of their own; without hours nothing runs. They come before holidays. */
  exceptions: z.array(z.strictObject({ date: LocalDate, hours: Hours.nullable() })).max(200).default([]),
});
export type ScheduleRule = z.infer<typeof ScheduleRule>;
export type ScheduleRuleInput = z.input<typeof ScheduleRule>;

/** A rule, and a time through which it keeps running whatever the rule says. Instants in epoch ms. */
export type SchedulePlan = { rule: ScheduleRule; keep?: { from: number; until: number } | undefined };
export type ScheduleChange = { at: number; isOn: boolean };
type Window = { from: number; to: number };

/** Looked through in growing steps: most changes are within a week, and a year without one has none. */
const HORIZONS_DAYS = [8, 60, 400];
const DAY_MS = 86_400_000;

/** Whether it runs at an instant (epoch ms). */
export function isOnAt(plan: SchedulePlan, at: number): boolean {
  return windows(plan, { from: at, to: at }).some((window) => window.from <= at && at < window.to);
}

/** The next change after an instant, or null when there is none within a year. */
export function nextChange(plan: SchedulePlan, at: number): ScheduleChange | null {
  for (const days of HORIZONS_DAYS) {
    const to = at + days * DAY_MS;
    const next = changes(plan, { from: at, to }).find((change) => change.at > at && change.at <= to);
    if (next) return next;
  }
  return null;
}

/** The last change at or before an instant and after `since`; null when there was none. */
export function lastChange(plan: SchedulePlan, { at, since }: { at: number; since: number }): ScheduleChange | null {
  for (const days of HORIZONS_DAYS) {
    const from = Math.max(since, at - days * DAY_MS);
    const last = changes(plan, { from, to: at }).findLast((change) => change.at <= at && change.at > from);
    if (last || from === since) return last ?? null;
  }
  return null;
}

/** All changes in a time, in order. */
export function changesBetween(plan: SchedulePlan, { from, to }: Window): ScheduleChange[] {
  return changes(plan, { from, to }).filter((change) => change.at > from && change.at <= to);
}

function changes(plan: SchedulePlan, range: Window): ScheduleChange[] {
  return windows(plan, range).flatMap((window) => [
    { at: window.from, isOn: true },
    { at: window.to, isOn: false },
  ]);
}

/** The times in which it runs, from the day before the range to the day after it, those that touch made one. */
function windows({ rule, keep }: SchedulePlan, range: Window): Window[] {
  const last = addDays(dateAt(range.to, rule.timeZone), 1);
  const found: Window[] = keep ? [{ from: keep.from, to: keep.until }] : [];
  for (let date = addDays(dateAt(range.from, rule.timeZone), -2); date <= last; date = addDays(date, 1)) found.push(...windowsOn(rule, date));
  return merged(found);
}

function windowsOn(rule: ScheduleRule, date: string): Window[] {
  return hoursOn(rule, date).flatMap(({ from, to }) => {
    const isNextDay = minuteOf(to) <= minuteOf(from);
    // An hour that is shown twice counts whole: it starts at the first showing and ends at the last.
    const start = instantsOf(date, minuteOf(from), rule.timeZone).first;
    const end = instantsOf(isNextDay ? addDays(date, 1) : date, minuteOf(to), rule.timeZone).last;
    return end > start ? [{ from: start, to: end }] : [];
  });
}

function hoursOn(rule: ScheduleRule, date: string): Hours[] {
  const exception = rule.exceptions.find((each) => each.date === date);
  if (exception) return exception.hours ? [exception.hours] : [];
  if (rule.holidays.includes(date)) return [];
  const weekday = WEEKDAYS[weekdayOf(date)];
  return rule.week.filter((row) => weekday !== undefined && row.days.includes(weekday)).map((row) => row.hours);
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

function merged(all: readonly Window[]): Window[] {
  const result: Window[] = [];
  for (const window of [...all].sort((left, right) => left.from - right.from)) {
    const before = result.at(-1);
    if (before && window.from <= before.to) before.to = Math.max(before.to, window.to);
    else result.push({ ...window });
  }
  return result;
}
