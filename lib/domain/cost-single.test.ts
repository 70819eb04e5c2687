import { describe, expect, it } from "vitest";
import { singlePlan, type ApiMix, type ApiPlan } from "./cost/api-plan";
import { convert } from "./cost/currency";
import * as self from "./cost/self-host";
import { apiCost, solve } from "./cost";
import { add, divide, exact, multiply, subtract, toDecimal, type Exact } from "./money";

function plan(tiers: [number | null, string][], mode: ApiPlan["mode"] = "graduated"): ApiMix {
  const rows = tiers.map(([upTo, price]) => ({ upTo, perPage: divide(exact(price), exact(1000)) }));
  return singlePlan({ mode, freePages: 0, monthlyFee: exact(0), includedPages: 0, tiers: rows });
}

const detectText = plan([
  [1_000_000, "1.50"],
  [null, "0.60"],
]);
const flat150 = plan([[null, "1.50"]]);
const rate = (pagesPerSecond: string, utilisation: string) => ({ pagesPerSecond: exact(pagesPerSecond), utilisation: exact(utilisation) });
const g6: self.NodeFleet = {
  kind: "nodes",
  hourly: exact("0.8048"),
  hours: exact(730),
  rate: null,
  minNodes: 1,
  overhead: exact(0),
  variablePerPage: exact(0),
};
const cents = (value: Exact | null) => (value === null ? null : toDecimal(value, 2));

describe("single calculations of the cost model", () => {
  it.each([
    ["C01", detectText, 1_000, "1.50"],
    ["C01", detectText, 1_000_000, "1500.00"],
    ["C01", detectText, 1_500_000, "1800.00"],
    ["C01", detectText, 2_000_000, "2100.00"],
    [
      "C02",
      plan([
        [5_000_000, "1.50"],
        [null, "0.60"],
      ]),
      5_000_000,
      "7500.00",
    ],
    [
      "C02",
      plan([
        [5_000_000, "1.50"],
        [null, "0.60"],
      ]),
      6_000_000,
      "8100.00",
    ],
    [
      "C03",
      plan([
        [100_000, "25"],
        [null, "10"],
      ]),
      250_000,
      "4000.00",
    ],
    [
      "C04",
      plan([
        [1_000_000, "30"],
        [null, "20"],
      ]),
      1_200_000,
      "34000.00",
    ],
    ["C05", detectText, 1_200_000, "1620.00"],
    [
      "C05",
      plan(
        [
          [1_000_000, "1.50"],
          [null, "0.60"],
        ],
        "volume",
      ),
      1_200_000,
      "720.00",
    ],
  ] as const)("%s", (...[, mix, pages, expected]) => expect(cents(apiCost(mix, pages))).toBe(expected));

  it("C06: tiers restart each month, a year is the sum of its months", () => {
    const year = Array.from({ length: 12 }, () => apiCost(detectText, 600_000)).reduce(add);
    expect(cents(year)).toBe("10800.00");
    expect(cents(apiCost(detectText, 7_200_000))).toBe("5220.00");
  });

  it.each([
    ["0.5", "0.5", 730, 657_000n],
    ["0.87", "0.6", 730, 1_371_816n],
    ["0.87", "0.6", 264, 496_108n],
    ["4.78", "0.6", 730, 7_537_104n],
    ["3.36", "0.6", 730, 5_298_048n],
  ])("C07: capacity at %s pages/s, %s usable, %d h", (...[pagesPerSecond, utilisation, hours, pages]) => {
    expect(self.capacityPerNode({ hours: exact(hours), rate: rate(pagesPerSecond, utilisation) })).toBe(pages);
  });

  it.each([
    ["C08", 100_000, 730, ["31.93", "698.07", "561.81", "4.37", "5.88"]],
    ["C09", 1_500_000, 1460, ["478.93", "981.07", "789.57", "32.80", "0.78"]],
  ] as const)("%s: idle, load and effective price", (...[, pages, paidHours, expected]) => {
    const load = self.loadOf({ pages, pagesPerSecond: exact("0.87"), paidHours: exact(paidHours), hourly: exact("0.8048") });
    const cost = self.selfHostCost({ ...g6, rate: rate("0.87", "0.6") }, pages);
    const percent = load.load && multiply(load.load, exact(100));
    expect([load.busyHours, load.idleHours, load.idleCost, percent, self.effectivePer1000(cost, pages)].map(cents)).toEqual(expected);
    expect(load.isRateDoubtful).toBe(false);
  });

  it("doubts the rate instead of showing a negative idle cost", () => {
    const load = self.loadOf({ pages: 100_000, pagesPerSecond: exact("0.87"), paidHours: exact(20), hourly: exact(1) });
    expect([cents(load.idleCost), load.isRateDoubtful]).toEqual(["0.00", true]);
  });

  it("C10: logged node hours", () => {
    const hours = ["612.5", "118.25", "40"].map(exact).reduce(add);
    expect([cents(hours), cents(multiply(hours, exact("0.8048")))]).toEqual(["770.75", "620.30"]);
  });

  it.each([
    [672, "540.83", 360_551],
    [696, "560.14", 373_428],
    [720, "579.46", 386_305],
    [730, "587.50", 391_670],
    [744, "598.77", 399_181],
  ])("C11: a month of %d hours", (hours, month, firstPage) => {
    const fleet = { ...g6, hours: exact(hours) };
    expect([cents(self.nodeMonth(fleet)), solve(fleet, flat150).crossings]).toEqual([
      month,
      [{ firstPage, cheaper: "self", atStep: false }],
    ]);
  });

  it("C12: the forecast takes the hours of the month itself", () => {
    const pages = self.forecastPages(130_000, exact(240), exact(720));
    const node = (hours: number) => self.selfHostCost({ ...g6, hours: exact(hours) }, pages);
    const api = apiCost(flat150, pages);
    expect([pages, cents(api), cents(node(720)), cents(subtract(api, node(720))), cents(subtract(api, node(730)))]).toEqual([
      390_000,
      "585.00",
      "579.46",
      "5.54",
      "-2.50",
    ]);
  });

  it("C13: when a reservation pays", () => {
    const hours = self.commitmentBreakEvenHours(exact("0.524"), exact("0.8048"), exact(730));
    expect([cents(hours), toDecimal(divide(multiply(hours, exact(100)), exact(730)), 1)]).toEqual(["475.30", "65.1"]);
  });

  it("C14: scale to zero", () => {
    const plan: self.SelfHost = {
      kind: "scale_to_zero",
      hourly: exact("0.8048"),
      rate: rate("0.87", "0.6"),
      startupHours: exact(10),
      overhead: exact(40),
      variablePerPage: exact(0),
    };
    const fixed = self.selfHostCost(plan, 0);
    const per1000 = subtract(self.selfHostCost(plan, 1000), fixed);
    expect([toDecimal(per1000, 4), cents(fixed), cents(self.selfHostCost(plan, 200_000)), cents(apiCost(flat150, 200_000))]).toEqual([
      "0.4283",
      "48.05",
      "133.70",
      "300.00",
    ]);
    expect(solve(plan, flat150).crossings).toEqual([{ firstPage: 44_833, cheaper: "self", atStep: false }]);
  });

  it("C15: two features with their shares", () => {
    const forms = plan([
      [1_000_000, "50"],
      [null, "40"],
    ]);
    const mix = [
      ...detectText.map((part) => ({ ...part, share: exact("0.8") })),
      ...forms.map((part) => ({ ...part, share: exact("0.2") })),
    ];
    expect(cents(apiCost(mix, 1000))).toBe("11.20");
    expect(solve(g6, mix).crossings).toEqual([{ firstPage: 52_456, cheaper: "self", atStep: false }]);
  });

  it("C16: one pinned rate, in both directions", () => {
    const pinned = { base: "EUR", quote: "USD", rate: "1.1133", date: "2026-10-28", source: "ECB" };
    const node = multiply(exact("0.79"), exact(730));
    const api = apiCost(flat150, 400_000);
    expect(
      [node, convert(node, { from: "EUR", to: "USD" }, pinned), api, convert(api, { from: "USD", to: "EUR" }, pinned)].map(cents),
    ).toEqual(["576.70", "642.04", "600.00", "538.94"]);
    expect(convert(api, { from: "USD", to: "EUR" }, null)).toBeNull();
    expect(convert(api, { from: "USD", to: "GBP" }, pinned)).toBeNull();
  });

  it.each([
    ["0.004", "0.0559"],
    ["0.002", "0.1118"],
    ["0.0015", "0.1490"],
    ["0.0006", "0.3726"],
  ])("C17: least rate against %s a page", (price, expected) => {
    const least = self.leastRateToWin(exact("0.8048"), exact(price), exact(0));
    expect(least && toDecimal(least, 4)).toBe(expected);
    expect(self.leastRateToWin(exact("0.8048"), exact(price), exact(price))).toBeNull();
  });

  it("C18: the search limit of B10", () => {
    const solution = solve({ ...g6, rate: rate("0.5", "0.5") }, detectText);
    expect([solution.beyond, solution.crossings.at(-1)?.firstPage]).toEqual([{ verdict: "api", limit: 3_058_913 }, 2_628_001]);
  });

  it("C19: no effective price at 0 pages", () => {
    expect(self.effectivePer1000(self.selfHostCost(g6, 0), 0)).toBeNull();
    expect(cents(self.selfHostCost(g6, 0))).toBe("587.50");
  });

  it("adds engineering time and set-up to the fixed cost (B15)", () => {
    const overhead = self.monthlyOverhead({ engineeringHours: exact(8), engineeringRate: exact(90), setUp: exact(6000), setUpMonths: 24 });
    expect(cents(overhead)).toBe("970.00");
    expect(solve({ ...g6, overhead }, detectText).crossings[0]?.firstPage).toBe(1_095_841);
  });
});
