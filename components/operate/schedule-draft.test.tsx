import { describe, expect, it } from "vitest";
import { ScheduleRule } from "@/lib/domain/schedule";
import { draftOf, settingsOf } from "./schedule-draft";

const hours = { from: "08:00", to: "18:00" };
const rule = ScheduleRule.parse({
  timeZone: "Europe/Paris",
  week: [{ days: ["mon", "tue"], hours }, { days: ["sat"], hours: { from: "10:00", to: "12:00" } }],
  holidays: ["2026-12-25"],
  exceptions: [{ date: "2026-12-24", hours: { from: "09:00", to: "12:00" } }, { date: "2026-12-31", hours: null }],
});

describe("the form of a schedule", () => {
  it("gives back what it was filled with, further rows of hours too", () => {
    const settings = { rule, idleMinutes: 30 };
    expect(settingsOf(draftOf(settings, "UTC"), settings)).toEqual({ settings });
  });

  it("starts with usual hours in the person's own zone, switched off", () => {
    const draft = draftOf(null, "Asia/Tokyo");
    expect(draft).toMatchObject({ hasHours: false, timeZone: "Asia/Tokyo", idleMinutes: "" });
    expect(settingsOf({ ...draft, hasHours: true }, null)).toMatchObject({ settings: { rule: { timeZone: "Asia/Tokyo", week: [{ days: ["mon", "tue", "wed", "thu", "fri"] }] } } });
  });

  it.each([
    [{ idleMinutes: "2" }, /between 5 and 1440/],
    [{ idleMinutes: "soon" }, /whole minutes/],
    [{ timeZone: "Nowhere" }, /time zone/],
    [{ days: [] }, /at least one day/],
    [{ holidays: "Christmas" }, /2026-12-25/],
    [{ exceptions: "2026-12-24 nine-twelve" }, /08:30/],
  ])("says what is wrong with %j", (more, message) => {
    expect(settingsOf({ ...draftOf({ rule, idleMinutes: null }, "UTC"), ...more }, null)).toEqual({ problem: expect.stringMatching(message) });
  });
});
