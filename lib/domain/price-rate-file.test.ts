import { describe, expect, it } from "vitest";
import { costReport } from "./cost-report";
import { parsePriceBook } from "./price-book";
import { defaultPriceBook } from "./price-book-default";
import { ratesOfFile } from "./price-rate-file";

const FEED = `<?xml version="1.0"?><gesmes:Envelope><Cube><Cube time='2026-11-27'><Cube currency='USD' rate='1.1502'/><Cube currency='GBP' rate='0.8431'/></Cube></Cube></gesmes:Envelope>`;

describe("rates from a file", () => {
  it("are those of the ECB's daily feed, with its day", () =>
    expect(ratesOfFile(FEED)).toEqual([{ base: "EUR", quote: "USD", rate: "1.1502", date: "2026-11-27" }, { base: "EUR", quote: "GBP", rate: "0.8431", date: "2026-11-27" }]));
  it("or of a CSV, with or without a header", () => {
    expect(ratesOfFile("base,quote,rate,date\nUSD,GBP,0.74,2026-11-27\n")).toEqual([{ base: "USD", quote: "GBP", rate: "0.74", date: "2026-11-27" }]);
    expect(ratesOfFile("\uFEFFUSD;GBP;0.74;2026-11-27")).toHaveLength(1);
  });
  it.each(["", "hello", "base,quote,rate,date\nUSD,USD,1,2026-11-27", "EUR,USD,-1,2026-11-27", "a,b\nEUR,USD,1.1,27.11.2026"])("%j is refused", (text) => expect(() => ratesOfFile(text)).toThrow(/rate/));

  it("of several pairs convert several currencies in one total, and each is named", () => {
    const book = defaultPriceBook();
    const rates = ratesOfFile("EUR,USD,1.10,2026-11-01\nUSD,GBP,0.80,2026-11-01").map((rate) => ({ ...rate, source: "file", source_kind: "typed" }));
    const uk = { ...book.gpu_skus[0], id: "uk", currency: "GBP", prices: [{ ...book.gpu_skus[0]?.prices[0], region: "uk", mode: "on_demand", per_hour: "0.80", currency: "GBP" }] };
    const own = parsePriceBook({ ...book, fx: { ...book.fx, samples: rates }, gpu_skus: [...book.gpu_skus, uk] });
    const nodes = [{ skuId: "uk", region: "uk", mode: "on_demand" as const, seconds: 36_000 }, { skuId: "scaleway-l4-1-24g", region: "fr-par-1", mode: "on_demand" as const, seconds: 36_000 }];
    const report = costReport({ month: "2026-11", now: Date.UTC(2026, 10, 20), pages: 0, daysWithData: 1, nodes, book: own, offerIds: ["textract-detect-text"], currency: "USD" });
    expect(report.self.total).toEqual({ amount: "18.690000000", currency: "USD" }); // 8.00 GBP / 0.80 + 7.90 EUR × 1.10
    expect(report.rates.map(({ base, quote }) => `${base}/${quote}`).sort()).toEqual(["EUR/USD", "USD/GBP"]);
  });
});
