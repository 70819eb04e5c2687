import { describe, expect, it } from "vitest";
import { changesBetween, isOnAt, lastChange, nextChange, ScheduleRule, type ScheduleRuleInput } from "./schedule";
import { instantsOf } from "./schedule-clock";

const at = (text: string) => Date.parse(text);
const iso = (instant: number | undefined) => (instant === undefined ? null : new Date(instant).toISOString());
const rule = (more: Partial<ScheduleRuleInput> = {}) => ScheduleRule.parse({ timeZone: "Europe/Paris", week: [{ days: ["mon", "tue", "wed", "thu", "fri"], hours: { from: "08:00", to: "18:00" } }], ...more });
const daily = (timeZone: string, from: string, to: string) => ({ rule: rule({ timeZone, week: [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], hours: { from, to } }] }) });

describe("working hours", () => {
  it.each([
    ["on Monday at eight, by the clocks of Paris", "2026-11-30T07:00:00Z", true],
    ["a minute before", "2026-11-30T06:59:59Z", false],
    ["at six it is over", "2026-11-30T17:00:00Z", false],
    ["on Saturday", "2026-12-05T10:00:00Z", false],
    ["in summer an hour earlier in UTC", "2026-07-01T06:00:00Z", true],
  ])("%s", (_, instant, isOn) => expect(isOnAt({ rule: rule() }, at(instant))).toBe(isOn));

  it.each([
    ["from the evening to the next morning", "2026-11-30T20:00:00Z", "2026-12-01T07:00:00.000Z", true],
    ["from Friday evening to Monday", "2026-12-04T20:00:00Z", "2026-12-07T07:00:00.000Z", true],
    ["from a working hour to its end", "2026-11-30T10:00:00Z", "2026-11-30T17:00:00.000Z", false],
    ["exactly at a change to the one after", "2026-11-30T17:00:00Z", "2026-12-01T07:00:00.000Z", true],
  ])("next change: %s", (_, instant, next, isOn) => {
    const found = nextChange({ rule: rule() }, at(instant));
    expect([iso(found?.at), found?.isOn]).toEqual([next, isOn]);
  });

  it("holidays are off, and a single day may have hours of its own, also on a holiday", () => {
    const special = rule({ holidays: ["2026-12-25", "2026-12-24"], exceptions: [{ date: "2026-12-24", hours: { from: "09:00", to: "12:00" } }, { date: "2026-12-23", hours: null }] });
    expect(changesBetween({ rule: special }, { from: at("2026-12-22T18:00:00Z"), to: at("2026-12-28T12:00:00Z") }).map((each) => iso(each.at))).toEqual(["2026-12-24T08:00:00.000Z", "2026-12-24T11:00:00.000Z", "2026-12-28T07:00:00.000Z"]);
  });

  it("an end that is not after the start lies on the next day; days that touch are one time", () => {
    expect(changesBetween(daily("UTC", "22:00", "06:00"), { from: at("2026-11-30T12:00:00Z"), to: at("2026-12-01T12:00:00Z") })).toEqual([
      { at: at("2026-11-30T22:00:00Z"), isOn: true },
      { at: at("2026-12-01T06:00:00Z"), isOn: false },
    ]);
    expect(nextChange(daily("UTC", "00:00", "24:00"), at("2026-11-30T12:00:00Z"))).toBeNull();
    expect(nextChange(daily("America/New_York", "00:00", "24:00"), at("2026-10-30T12:00:00Z"))).toBeNull();
  });

  it("keeps running until an instant, whatever the hours say, and the stop moves there", () => {
    const keep = { from: at("2026-11-30T16:00:00Z"), until: at("2026-11-30T21:00:00Z") };
    expect(isOnAt({ rule: rule(), keep }, at("2026-11-30T20:00:00Z"))).toBe(true);
    expect(nextChange({ rule: rule(), keep }, at("2026-11-30T16:30:00Z"))).toEqual({ at: keep.until, isOn: false });
    expect(nextChange({ rule: rule(), keep: { ...keep, until: at("2026-12-01T08:00:00Z") } }, at("2026-11-30T16:30:00Z"))?.at).toBe(at("2026-12-01T17:00:00Z"));
  });

  it("the last change is found over a weekend and a shutdown, but not from before it counts", () => {
    expect(iso(lastChange({ rule: rule() }, { at: at("2026-12-06T12:00:00Z"), since: 0 })?.at)).toBe("2026-12-04T17:00:00.000Z");
    expect(lastChange({ rule: rule() }, { at: at("2026-12-06T12:00:00Z"), since: at("2026-12-05T00:00:00Z") })).toBeNull();
    expect(iso(lastChange({ rule: rule() }, { at: at("2026-11-30T17:00:00Z"), since: 0 })?.at)).toBe("2026-11-30T17:00:00.000Z");
  });

  it.each([
    [{ timeZone: "Mars/Olympus" }, /time zone/],
    [{ week: [] }, /row of hours/],
    [{ week: [{ days: [], hours: { from: "08:00", to: "18:00" } }] }, /at least one day/],
    [{ week: [{ days: ["mon"], hours: { from: "24:00", to: "02:00" } }] }, /00:00/],
    [{ holidays: ["25.12.2026"] }, /2026-12-25/],
  ])("refuses %j with a sentence", (more, message) => {
    const parsed = ScheduleRule.safeParse({ timeZone: "UTC", week: [{ days: ["mon"], hours: { from: "08:00", to: "18:00" } }], ...more });
    expect(parsed.error?.issues.map((issue) => issue.message).join()).toMatch(message);
  });
});

describe("days on which clocks change", () => {
  // Zone, the day, from–to by its clocks, and the true instants.
  it.each([
    ["Europe/Paris, forward at 02:00, start in the skipped hour", "Europe/Paris", "2026-03-29", "02:30", "18:00", "2026-03-29T01:00:00.000Z", "2026-03-29T16:00:00.000Z"],
    ["Europe/Paris, forward, end in the skipped hour", "Europe/Paris", "2026-03-29", "01:00", "02:30", "2026-03-29T00:00:00.000Z", "2026-03-29T01:00:00.000Z"],
    ["Europe/Paris, back at 03:00, the doubled hour counts whole", "Europe/Paris", "2026-10-25", "02:00", "03:00", "2026-10-25T00:00:00.000Z", "2026-10-25T02:00:00.000Z"],
    ["America/New_York, forward", "America/New_York", "2026-03-08", "01:30", "09:00", "2026-03-08T06:30:00.000Z", "2026-03-08T13:00:00.000Z"],
    ["America/New_York, back, ends at the second 01:30", "America/New_York", "2026-11-01", "00:30", "01:30", "2026-11-01T04:30:00.000Z", "2026-11-01T06:30:00.000Z"],
    ["Australia/Lord_Howe, back by half an hour", "Australia/Lord_Howe", "2026-04-05", "01:45", "03:00", "2026-04-04T14:45:00.000Z", "2026-04-04T16:30:00.000Z"],
    ["Australia/Lord_Howe, forward by half an hour, start skipped", "Australia/Lord_Howe", "2026-10-04", "02:15", "08:00", "2026-10-03T15:30:00.000Z", "2026-10-03T21:00:00.000Z"],
    ["America/Santiago, forward at midnight: the day begins at one", "America/Santiago", "2026-09-06", "00:00", "08:00", "2026-09-06T04:00:00.000Z", "2026-09-06T11:00:00.000Z"],
    ["Asia/Kathmandu, which never changes and is a quarter off", "Asia/Kathmandu", "2026-03-29", "08:00", "18:00", "2026-03-29T02:15:00.000Z", "2026-03-29T12:15:00.000Z"],
  ])("%s", (_, timeZone, date, from, to, start, end) => {
    const minute = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    expect(iso(instantsOf(date, minute(from), timeZone).first)).toBe(start);
    expect(iso(instantsOf(date, minute(to), timeZone).last)).toBe(end);
    const found = changesBetween(daily(timeZone, from, to), { from: at(start) - 1, to: at(end) });
    expect(found.map((each) => [iso(each.at), each.isOn])).toEqual([[start, true], [end, false]]);
  });

  it.each(["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Africa/Casablanca", "Asia/Tehran"])("in %s every day of a year has one start and one stop, in turn, and the state between is theirs", (timeZone) => {
    const plan = daily(timeZone, "07:30", "19:00");
    const found = changesBetween(plan, { from: at("2026-01-01T00:00:00Z"), to: at("2027-01-01T00:00:00Z") });
    expect(found.length).toBeGreaterThanOrEqual(729);
    for (const [index, change] of found.entries()) {
      if (index > 0) expect(change.isOn).toBe(!found[index - 1]?.isOn);
      if (index % 40 === 0) expect([isOnAt(plan, change.at - 1000), isOnAt(plan, change.at)]).toEqual([!change.isOn, change.isOn]);
    }
  });
});
