import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { centsThatSum, exportCsv, exportRows, sumOfLines } from "./cost-export";
import { cents } from "./cost-format";
import { costReport } from "./cost-report";
import { parseCsv, writeCsv } from "./csv";
import { add, exact, toDecimal, ZERO } from "./money";
import { defaultPriceBook } from "./price-book-default";

const node = (mode: "on_demand" | "spot", seconds: number) => ({ skuId: "aws-g6-xlarge", region: "us-east-1", mode, seconds });
const report = costReport({ month: "2026-11", now: Date.UTC(2026, 10, 16), pages: 212_480, daysWithData: 15, nodes: [node("on_demand", 100_001), node("spot", 55_555)], book: defaultPriceBook(), offerIds: ["textract-detect-text", "azure-di-commitment"], model: "LightOnOCR-3-0.8B" });
const about = { environment: "Production", sentence: "=HYPERLINK(1)", timeZone: "Europe/Paris" };

describe("the file equals the screen", () => {
  const rows = exportRows(report, about);
  it("sums to the cent to the total that is shown", () => {
    expect(sumOfLines(rows)).toBe(cents(report.self.total?.amount ?? ""));
    expect(rows.find((row) => row[0] === "your GPUs, total")?.[4]).toBe(cents(report.self.total?.amount ?? ""));
  });
  it("has each API with its cents, and the unpriced one named, without a zero", () => {
    expect(rows.filter((row) => row[0] === "managed API").map((row) => [row[1], row[4], row[6]])).toEqual([
      ["Amazon Textract: Detect Document Text", "318.72", null],
      ["Azure Document Intelligence: " + String(report.apis[1]?.fullName.split(": ")[1]), null, expect.stringContaining("unpriced")],
    ]);
  });
  it("carries source and date of every price", () => {
    const prices = rows.filter((row) => row[0] === "price");
    expect(prices).toHaveLength(report.prices.length);
    expect(prices.every((row) => row[7] && row[8])).toBe(true);
  });
  it("is UTF-8 with a mark, and runs no formula", () => {
    const text = exportCsv(report, about);
    expect(text.startsWith("\uFEFF")).toBe(true);
    expect(text).toContain("'=HYPERLINK(1)");
    expect(parseCsv(text)).toHaveLength(rows.length);
  });
});

describe("cents that sum", () => {
  it("to the rounded total, each within a cent, for any lines", () => {
    const amount = fc.integer({ min: 0, max: 10_000_000_000 }).map((nano) => toDecimal({ n: BigInt(nano), d: 1_000_000n }, 9));
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 30 }), (amounts) => {
        const total = toDecimal(amounts.map((one) => exact(one)).reduce(add, ZERO), 9);
        const shown = centsThatSum(amounts, total);
        expect(toDecimal(shown.map((one) => exact(one)).reduce(add, ZERO), 2)).toBe(cents(total));
        shown.forEach((one, index) => expect(Math.abs(Number(one) - Number(amounts[index]))).toBeLessThanOrEqual(0.0101));
      }),
    );
  });
});

describe("CSV", () => {
  it.each(["=1+1", "+cmd", "@SUM(A1)", "\tx", "-1+2"])("%s is text", (cell) => expect(writeCsv([[cell]])).toContain(`'${cell}`));
  it.each(["-12.50", "0", "318.72"])("%s stays a number", (cell) => expect(writeCsv([[cell]])).toBe(`\uFEFF${cell}\r\n`));
  it("reads back what it wrote, whatever the cells hold", () => {
    const cells = fc.string().filter((cell) => !/^[=+\-@\t\r]/.test(cell) && !/\r/.test(cell) && cell !== "");
    fc.assert(fc.property(fc.array(fc.tuple(cells, cells, cells), { minLength: 1, maxLength: 8 }), (rows) => {
      expect(parseCsv(writeCsv(rows), ",").map((row) => row.cells)).toEqual(rows.map((row) => [...row]));
    }));
  });
  it("knows the line of each row, past cells of several lines", () => expect(parseCsv('a,b\n"x\ny",2\n3,4\n').map((row) => row.line)).toEqual([1, 2, 4]));
});
