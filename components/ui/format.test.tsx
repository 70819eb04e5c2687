import { describe, expect, it } from "vitest";
import {
  formatBytes,
  formatClock,
  formatCount,
  formatDateTime,
  formatDuration,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRelative,
} from "./format";

const plain = (text: string) => text.replaceAll("\u202f", "_").replaceAll("\u00a0", "~");
const noon = new Date("2026-11-30T12:00:00Z");

describe("figures", () => {
  it.each([
    [formatNumber(391670), "391_670"],
    [formatNumber(-1234.56, { digits: 1 }), "−1_234.6"],
    [formatNumber(0.9, { digits: 2, minDigits: 2 }), "0.90"],
    [formatNumber(null), "–"],
    [formatNumber(Number.NaN), "–"],
    [formatMoney(411.2), "411.20~USD"],
    [formatMoney(0.0015), "0.0015~USD"],
    [formatMoney(0), "0.00~USD"],
    [formatMoney(1587.4, "EUR", 0), "1_587~EUR"],
    [formatMoney(undefined), "–"],
    [formatPercent(0.38), "38~%"],
    [formatBytes(0), "0~B"],
    [formatBytes(24 * 1024 ** 3), "24~GiB"],
    [formatBytes(1_500_000, "decimal"), "1.5~MB"],
    [formatCount(1, "page"), "1 page"],
    [formatCount(212480, "page"), "212_480 pages"],
  ])("%s", (actual, expected) => expect(plain(actual)).toBe(expected));
});

describe("times", () => {
  it.each([
    [formatDuration(130_000), "2:10"],
    [formatDuration(13_200_000), "3~h~40~min"],
    [formatDuration(442_800_000), "5~d~3~h"],
    [formatRelative(new Date("2026-11-30T11:59:40Z"), noon.getTime()), "just now"],
    [formatRelative(new Date("2026-11-30T11:57:00Z"), noon.getTime()), "3~min ago"],
    [formatRelative(new Date("2026-11-30T14:00:00Z"), noon.getTime()), "in 2~h"],
    [formatClock(new Date("2026-11-30T09:02:00Z"), noon.getTime(), "UTC"), "09:02"],
    [formatClock(new Date("2026-11-28T14:02:00Z"), noon.getTime(), "UTC"), "28 Nov 14:02"],
    [formatDateTime(noon, "UTC"), "30 Nov 2026, 12:00:00 UTC"],
  ])("%s", (actual, expected) => expect(plain(actual)).toBe(expected));
});
