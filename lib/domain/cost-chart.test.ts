import { describe, expect, it } from "vitest";
import { costTop, labelledCrossings } from "./cost-chart-rows";
import { costReport } from "./cost-report";
import { formatCount, formatHours, formatMoney, formatPages, formatPer1000, formatShare, moneyText } from "./cost-format";
import { axisTicks, roundEdge } from "./cost-ticks";
import { monthKeyAt, monthOf, progressOf } from "./cost-period";
import { exact, subtract } from "./money";
import { defaultPriceBook } from "./price-book-default";

const plain = (text: string) => text.replaceAll(/[\u202f\u00a0]/g, " ");
const measured = { pagesPerSecond: "0.5", kind: "measured" as const, basis: "logged runs", source: "this portal", asOf: "2026-11-10" };
const node = { skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand" as const };

describe("chart points of B10", () => {
  const { chart } = costReport({
    month: "2026-11",
    now: Date.UTC(2026, 10, 16),
    pages: 300_000,
    daysWithData: 15,
    nodes: [{ ...node, seconds: 360 * 3600 }],
    book: defaultPriceBook(),
    offerIds: ["textract-detect-text", "mistral-ocr-4", "textract-layout"],
    plan: { ...node, measured, utilisation: "0.5" },
  });
  const costs = (id: string) => new Map(chart?.rows.map((row) => [row.pages, row.costs[id]]));

  it("draws the staircase through its corners", () => {
    const self = costs("self");
    expect([0, 657_000, 657_001, 1_314_000, 1_314_001].map((page) => self.get(page))).toEqual([
      "587.504000000",
      "587.504000000",
      "1175.008000000",
      "1175.008000000",
      "1762.512000000",
    ]);
  });

  it("breaks the API line at its tiers and ends at the same edge", () => {
    expect(costs("textract-detect-text").get(1_000_000)).toBe("1500.000000000");
    expect(chart?.rows.at(-1)).toMatchObject({
      pages: chart?.upTo,
      costs: { "textract-detect-text": ((chart?.upTo ?? 0) * 0.0006 + 900).toFixed(9) },
    });
    expect(chart?.upTo).toBeGreaterThan(2_628_001);
  });

  it("ends a line where its list has no price", () => {
    const layout = costs("textract-layout");
    expect([layout.get(1_000_000), layout.get(1_000_001), layout.get(chart?.upTo ?? 0)]).toEqual(["4000.000000000", null, null]);
  });

  it("marks the month, its forecast, and every crossing against the first API", () => {
    expect([chart?.here, chart?.forecast]).toEqual([
      { pages: 300_000, cost: "289.728000000" },
      { pages: 600_000, cost: "579.456000000" },
    ]);
    // Two offers of one product are told apart by their full names.
    expect(chart?.against).toBe("Amazon Textract: Detect Document Text");
    expect(chart?.crossings).toHaveLength(8);
    expect(chart?.crossings[1]).toEqual({ pages: 657_001, cost: "1175.008000000", cheaper: "api", atStep: true });
  });

  it("labels only crossings that do not crowd, and keeps a far dearer API from flattening the rest", () => {
    if (!chart) throw new Error("no chart");
    expect([...labelledCrossings(chart)]).toEqual([391_670, 1_314_001, 1_971_001, 2_628_001]);
    expect(costTop(chart)).toBe(6_000);
  });

  it("covers the whole width with bands", () => {
    expect(chart?.bands[0]).toEqual({ from: 0, to: 391_669, cheaper: "api" });
    expect(chart?.bands.at(-1)?.to).toBe(chart?.upTo);
  });
});

describe("words for numbers", () => {
  it.each([
    [formatMoney({ amount: "1175.008", currency: "USD" }), "1 175.01 USD"],
    [formatMoney({ amount: "-2.504", currency: "EUR" }), "−2.50 EUR"],
    [formatMoney(moneyText(subtract(exact(1), exact(1235)), "EUR"), 0), "−1 234 EUR"],
    [formatMoney({ amount: "0.8048", currency: "USD" }, 4), "0.8048 USD"],
    [formatCount(2_628_001), "2 628 001"],
    [formatPages(1), "1 page"],
    [formatPages(12_345), "12 345 pages"],
    [formatPer1000({ amount: "0.894", currency: "USD" }), "0.89 USD per 1 000 pages"],
    [formatPer1000(null), "–"],
    [formatHours("1460.25"), "1 460.25 h"],
    [formatShare("0.376"), "38 %"],
  ])("%s", (text, expected) => expect(plain(text)).toBe(expected));
});

describe("months", () => {
  it.each([
    ["2026-11", "UTC", 720],
    ["2026-02", "UTC", 672],
    ["2026-03", "Europe/Paris", 743],
    ["2026-10", "Europe/Paris", 745],
    ["2026-11", "America/New_York", 721],
    ["2028-02", "Asia/Kolkata", 696],
  ])("%s in %s has %d hours", (key, timeZone, hours) => {
    const month = monthOf(key, timeZone);
    expect((month.to - month.from) / 3_600_000).toBe(hours);
    expect(monthKeyAt(month.from, timeZone)).toBe(key);
    expect(monthKeyAt(month.to - 1, timeZone)).toBe(key);
  });

  it("begins at local midnight", () =>
    expect(new Date(monthOf("2026-11", "Europe/Paris").from).toISOString()).toBe("2026-10-31T23:00:00.000Z"));

  it("counts begun days, and stops at the month's end", () => {
    const month = monthOf("2026-11");
    expect(progressOf(month, Date.UTC(2026, 10, 3, 1))).toMatchObject({ daysElapsed: 3, isRunning: true });
    expect(progressOf(month, Date.UTC(2027, 0, 1))).toMatchObject({ daysElapsed: 30, isRunning: false });
    expect(progressOf(month, Date.UTC(2026, 9, 1))).toMatchObject({ daysElapsed: 0, elapsedMs: 0 });
  });

  it("refuses what is not a month", () => expect(() => monthOf("2026-13")).toThrow(/not a month/));
});

describe("axes", () => {
  it.each([
    [540_000, [0, 200_000, 400_000, 600_000]],
    [1_000_000, [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]],
    [1_200_000, [0, 250_000, 500_000, 750_000, 1_000_000, 1_250_000]],
    [12, [0, 5, 10, 15]],
    [0.9, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  ])("%d ends on a round edge with ticks at round steps", (wanted, ticks) => {
    const found = axisTicks(roundEdge(wanted));
    expect(found).toHaveLength(ticks.length);
    ticks.forEach((tick, index) => expect(found[index]).toBeCloseTo(tick, 9));
  });

  it("never moves an edge that is round already, and always reaches the value", () => {
    for (let value = 10; value < 5_000_000; value = Math.ceil(value * 1.07)) {
      const edge = roundEdge(value);
      expect(edge).toBeGreaterThanOrEqual(value);
      expect(axisTicks(edge).at(-1)).toBe(edge);
      expect(Number.isInteger(edge)).toBe(true);
    }
  });
});
