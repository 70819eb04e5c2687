import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { levers } from "./cost-levers";
import { costReport } from "./cost-report";
import { solveWhatIf, WhatIf, whatIfOf } from "./cost-whatif";
import { defaultPriceBook } from "./price-book-default";
import { rateAt } from "./price-rate";

const book = defaultPriceBook();
const NOW = Date.UTC(2026, 10, 16);
const report = costReport({ month: "2026-11", now: NOW, pages: 106_240, daysWithData: 15, nodes: [{ skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand", seconds: 360 * 3600 }], book, offerIds: ["textract-detect-text", "mistral-ocr-4"], model: "LightOnOCR-3-0.8B" });
const made = whatIfOf(report, ["textract-detect-text", "mistral-ocr-4"], rateAt(book, NOW));
if (!made) throw new Error("no what-if");
const base = made;
const solved = (changes: Partial<WhatIf> = {}) => solveWhatIf({ ...base, ...changes }, book);
const first = (changes: Partial<WhatIf> = {}) => solved(changes).apis[0]?.breakEven?.crossings.map((one) => one.firstPage);

describe("a what-if", () => {
  it("begins with the month: its forecast, its node, its rate", () => {
    expect(base).toMatchObject({ pages: 212_480, skuId: "aws-g6-xlarge", perHour: "0.8048", hours: "730", pagesPerSecond: "0.87", rateKind: "estimated" });
    expect(WhatIf.parse(base)).toEqual(base);
    expect(solved()).toMatchObject({ self: { amount: "587.504000000" }, nodes: 1, capacity: 1_371_816 });
  });

  it.each<[string, Partial<WhatIf>, number[]]>([
    ["as it is (B11)", {}, [391_670]],
    ["office hours (B26)", { hours: "264" }, [141_645]],
    ["two nodes (B13)", { minNodes: 2 }, [783_339]],
    ["engineering time (B14)", { engineeringHours: "8", pagesPerSecond: null }, [871_670]],
    ["set-up over 24 months (B15)", { engineeringHours: "8", setUp: "6000", pagesPerSecond: null }, [1_095_841]],
    ["a cost of each page (B17)", { variablePer1000: "0.10", pagesPerSecond: null }, [419_646]],
    ["too slow a node (B12)", { pagesPerSecond: "0.1", utilisation: "0.5" }, []],
    ["scale to zero (C14)", { way: "scale_to_zero", fixed: "40", startupHours: "10" }, [44_833]],
    ["a mix of features (C15)", { pagesPerSecond: null, apis: [[{ offerId: "textract-detect-text", share: "0.8" }, { offerId: "textract-forms", share: "0.2" }]] }, [52_456]],
    ["features of the same page (B21)", { pagesPerSecond: null, apis: [[{ offerId: "textract-forms", share: "1" }, { offerId: "textract-tables", share: "1" }]] }, [9_039]],
    ["a reservation (B25)", { perHour: "0.524", pagesPerSecond: null }, [255_014]],
    ["a committed node", { committedNodes: 1, committedPerHour: "0.524", pagesPerSecond: null }, [255_014]],
  ])("%s flips where the cost model says", (_name, changes, pages) => expect(first(changes)).toEqual(pages));

  it("says why there is no answer", () => {
    expect(() => solved({ pagesPerSecond: "0" })).toThrow(/cannot take a single page/);
    expect(() => solved({ way: "scale_to_zero", pagesPerSecond: null })).toThrow(/need pages per second/);
  });

  it("names an API without a price or a rate, and never counts it as zero", () => {
    expect(solved({ apis: [[{ offerId: "azure-di-commitment", share: "1" }]] }).apis[0]).toMatchObject({ unpriced: expect.stringContaining("not public"), converted: null });
    expect(solved({ currency: "EUR", rate: null }).apis[0]?.unpriced).toMatch(/no rate from USD to EUR/);
  });
});

describe("what saves most", () => {
  it("solves each change alone and lists the largest saving first", () => {
    const found = levers(base, book);
    expect(found.find((one) => one.id === "office")).toMatchObject({ saves: { amount: "375.036800000", currency: "USD" }, costs: { amount: "212.467200000" } });
    const amounts = found.map((one) => Number(one.saves.amount));
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
  });

  it("never saves more than the month costs, whatever the inputs", () => {
    const inputs = fc.record({ pages: fc.integer({ min: 0, max: 5_000_000 }), minNodes: fc.integer({ min: 1, max: 4 }), hours: fc.integer({ min: 1, max: 744 }).map(String), engineeringHours: fc.integer({ min: 0, max: 40 }).map(String), committedNodes: fc.integer({ min: 0, max: 2 }) });
    fc.assert(
      fc.property(inputs, (changes) => {
        const input = { ...base, ...changes };
        const cost = Number(solveWhatIf(input, book).self.amount);
        for (const { saves, costs } of levers(input, book)) {
          expect(Number(saves.amount)).toBeGreaterThan(0);
          expect(Number(saves.amount)).toBeLessThanOrEqual(cost + 1e-9);
          expect(Number(saves.amount) + Number(costs.amount)).toBeCloseTo(cost, 6);
        }
      }),
      { numRuns: 40 },
    );
  });
});
