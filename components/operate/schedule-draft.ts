import { ScheduleRule, WEEKDAYS, type Weekday } from "@/lib/domain/schedule";

/** A schedule as the form holds it: one row of hours, days off and single days as lines of text. */
export type ScheduleDraft = { hasHours: boolean; timeZone: string; days: Weekday[]; from: string; to: string; holidays: string; exceptions: string; idleMinutes: string };
export type Settings = { rule: ScheduleRule | null; idleMinutes: number | null };

export function draftOf(settings: Settings | null, timeZone: string): ScheduleDraft {
  const rule = settings?.rule ?? null;
  const [row] = rule?.week ?? [];
  return {
    hasHours: rule !== null,
    timeZone: rule?.timeZone ?? timeZone,
    days: row?.days ?? WEEKDAYS.slice(0, 5),
    from: row?.hours.from ?? "08:00",
    to: row?.hours.to ?? "18:00",
    holidays: (rule?.holidays ?? []).join("\n"),
    exceptions: (rule?.exceptions ?? []).map(({ date, hours }) => (hours ? `${date} ${hours.from}-${hours.to}` : `${date} off`)).join("\n"),
    idleMinutes: settings?.idleMinutes === null || settings?.idleMinutes === undefined ? "" : String(settings.idleMinutes),
  };
}

/** What the draft says, or the first sentence of what is wrong with it. Further rows of hours, set by the API, are kept as they are. */
export function settingsOf(draft: ScheduleDraft, before: Settings | null): { settings: Settings } | { problem: string } {
  const idleMinutes = draft.idleMinutes.trim() === "" ? null : Number(draft.idleMinutes);
  if (idleMinutes !== null && (!Number.isInteger(idleMinutes) || idleMinutes < 5 || idleMinutes > 1440)) return { problem: "Give whole minutes between 5 and 1440, or leave it empty." };
  if (!draft.hasHours) return { settings: { rule: null, idleMinutes } };
  const week = [{ days: draft.days, hours: { from: draft.from, to: draft.to } }, ...(before?.rule?.week.slice(1) ?? [])];
  const parsed = ScheduleRule.safeParse({ timeZone: draft.timeZone, week, holidays: lines(draft.holidays), exceptions: lines(draft.exceptions).map(exceptionOf) });
  return parsed.success ? { settings: { rule: parsed.data, idleMinutes } } : { problem: parsed.error.issues[0]?.message ?? "The hours cannot be read." };
}

const lines = (text: string) => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");

function exceptionOf(line: string): { date: string; hours: { from: string; to: string } | null } {
  const [date = "", hours = ""] = line.split(/\s+/);
  const [from = "", to = ""] = hours.split("-");
  return { date, hours: hours === "off" ? null : { from, to } };
}
