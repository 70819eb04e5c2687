import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apiCost } from "./cost";
import { singlePlan } from "./cost/api-plan";
import { currentInputs, priceChanges } from "./cost-current";
import { exportCsv, exportRows, sumOfLines } from "./cost-export";
import { cents, formatMoney, formatPer1000 } from "./cost-format";
import { againstInvoice, invoiceSentence } from "./cost-invoice";
import { levers } from "./cost-levers";
import { costReport, type CostReportInput } from "./cost-report";
import { costSentence } from "./cost-sentence";
import { solveWhatIf, whatIfOf } from "./cost-whatif";
import { exact, toDecimal } from "./money";
import { parsePriceBook } from "./price-book";
import { defaultPriceBook } from "./price-book-default";
import { draftWarnings, PriceDraft } from "./price-draft";
import { managedOffer, offerPlan } from "./price-offers";
import { rateAt } from "./price-rate";

const book = defaultPriceBook();
const HOUR = 3600;
const G6 = { skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand" as const };
const PARIS = { skuId: "scaleway-l4-1-24g", region: "fr-par-1", mode: "on_demand" as const };
const RATE = { base: "EUR", quote: "USD", rate: "1.1133", date: "2026-10-28", source: "ECB" };
const input: CostReportInput = { month: "2026-11", now: Date.UTC(2026, 10, 16), pages: 212_480, daysWithData: 15, nodes: [{ ...G6, seconds: 360 * HOUR }], book, offerIds: ["textract-detect-text"], model: "LightOnOCR-3-0.8B" };
const report = (changes: Partial<CostReportInput> = {}) => costReport({ ...input, ...changes });
const about = { environment: "Production", sentence: "", timeZone: "UTC" };
const plain = (text: string) => text.replaceAll(/[\u202f\u00a0]/g, " ");
const what = whatIfOf(report(), ["textract-detect-text"], RATE);
if (!what) throw new Error("the report has a plan");

/** The complaints about peers in the order of their list; each is held by at least this test. */
describe("what users of other cost tools complain about", () => {
  it("1. a currency changes the number and not only the sign, with its rate, date and source, in the file too", () => {
    const paris = report({ nodes: [{ ...PARIS, seconds: 730 * HOUR }], currency: "USD", rate: RATE });
    expect(paris.self.total).toEqual({ amount: "642.040110000", currency: "USD" });
    expect(paris.rate).toEqual(RATE);
    const csv = exportCsv(paris, about);
    expect(csv.startsWith("\uFEFF")).toBe(true);
    expect(csv).toContain("USD for one EUR");
    expect(csv).toContain("2026-10-28");
  });

  it("2. the invoiced amount stands against the total, with the difference in percent, and is never part of it", () => {
    const { total } = report().self;
    const found = againstInvoice(total, { amount: "302.76", currency: "USD" }, null);
    expect(found).toEqual({ state: "compared", difference: { amount: "13.032000000", currency: "USD" }, percent: "4.5" });
    expect(plain(invoiceSentence({ amount: "302.76", currency: "USD" }, found))).toBe("The invoice of 302.76 USD is 4.5 % above the total.");
    expect(againstInvoice(total, { amount: "250", currency: "USD" }, null)).toMatchObject({ percent: "-13.7" });
    expect(againstInvoice(total, { amount: "250", currency: "EUR" }, null)).toMatchObject({ state: "open", reason: expect.stringContaining("no rate") });
    expect(againstInvoice(null, { amount: "250", currency: "USD" }, null)).toMatchObject({ state: "open" });
  });

  it("3. idle time is shown, and used and idle are what was paid", () => {
    const { self } = report();
    const used = exact(self.idle?.load ?? "0");
    expect(Number(self.idle?.hours) + Number(self.hours) * Number(toDecimal(used, 4))).toBeCloseTo(Number(self.hours), 1);
    expect(Number(self.idle?.cost.amount)).toBeGreaterThan(0);
  });

  it("4. a price of one's own counts, and the report names which price it took", () => {
    const own = parsePriceBook({ ...book, gpu_skus: book.gpu_skus.map((sku) => (sku.id === G6.skuId ? { ...sku, prices: [{ ...sku.prices[0], region: G6.region, mode: G6.mode, per_hour: "0.5", source: "contract 7", as_of: "2026-11-01" }] } : sku)) });
    const found = report({ book: own });
    expect(found.self.total?.amount).toBe("180.000000000");
    expect(found.prices.some((price) => price.source === "contract 7" && price.asOf === "2026-11-01")).toBe(true);
  });

  it("5. the file is the screen: the same object, to the cent", () => {
    const shown = report({ nodes: [{ ...G6, seconds: 100_001 }, { ...G6, mode: "spot", seconds: 55_555 }] });
    const rows = exportRows(shown, about);
    expect(sumOfLines(rows)).toBe(cents(shown.self.total?.amount ?? ""));
    expect(rows.find((row) => row[0] === "managed API")?.[4]).toBe(cents(shown.apis[0]?.converted?.amount ?? ""));
  });

  it("6. no saving exceeds what the month costs", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000_000 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 40 }), (pages, minNodes, hours) => {
        const one = { ...what, pages, minNodes, engineeringHours: String(hours) };
        const cost = Number(solveWhatIf(one, book).self.amount);
        for (const lever of levers(one, book)) expect(Number(lever.saves.amount)).toBeLessThanOrEqual(cost);
      }),
      { numRuns: 40 },
    );
  });

  it("7. what has no price is named and leaves the total open; it is no zero", () => {
    const found = report({ nodes: [...input.nodes, { ...G6, skuId: "own-rack", seconds: 60 }] });
    expect([found.self.total, found.self.unpriced.map(({ name }) => name)]).toEqual([null, ["own-rack (us-east-1, on demand)"]]);
    expect(costSentence(found)).toContain("is unpriced");
    expect(formatMoney({ amount: "0.000000001", currency: "USD" })).toBe("< 0.01\u00a0USD"); // nor does a small cost read as one
    expect(formatMoney({ amount: "-0.001", currency: "USD" })).toBe("> −0.01\u00a0USD");
    expect(formatMoney({ amount: "0", currency: "USD" })).toBe("0.00\u00a0USD");
  });

  it("8. two currencies are not added without a rate", () => {
    const mixed = report({ nodes: [...input.nodes, { ...PARIS, seconds: 10 * HOUR }], rate: null });
    expect(mixed.self.total).toBeNull();
    expect(mixed.self.sums.map(({ currency }) => currency).sort()).toEqual(["EUR", "USD"]);
  });

  it("9. every price says its unit, and a page above 1.00 is questioned", () => {
    expect(plain(formatPer1000({ amount: "0.88", currency: "USD" }))).toBe("0.88 USD per 1 000 pages");
    const draft = PriceDraft.parse({ kind: "api", offerId: "slip", provider: "x", product: "x", feature: "x", currency: "USD", billing: "graduated", tiers: [{ upTo: null, per1000: "1500" }], effectiveFrom: null, source: "x", asOf: "2026-11-01" });
    expect(draftWarnings(draft)).toEqual([expect.stringContaining("per 1,000 pages")]);
  });

  it("10. tiers count, each page at its own", () => {
    const offer = managedOffer(book, "textract-detect-text");
    const priced = offer && offerPlan(offer);
    if (priced?.state !== "priced") throw new Error("listed");
    expect(toDecimal(apiCost(singlePlan(priced.plan), 2_000_000), 2)).toBe("2100.00");
  });

  it("11. the hours of a month are said: plans by convention, history as it was", () => {
    expect(report().hoursConvention).toBe("730 h a month (365 x 24 / 12)");
    expect(report().self.hours).toBe("360.00");
  });

  it("12. spot is not on demand: the mode is part of every node price, and spot has its range", () => {
    expect(PriceDraft.safeParse({ kind: "node", skuId: "x1", region: "r", perHour: "1", currency: "USD", effectiveFrom: null, source: "s", asOf: "2026-11-01" }).success).toBe(false);
    const names = report({ nodes: [{ ...G6, mode: "spot", seconds: HOUR }, { ...G6, seconds: HOUR }] }).self.lines.map(({ name }) => name);
    expect(names).toEqual(["g6.xlarge (us-east-1, spot)", "g6.xlarge (us-east-1, on demand)"]);
  });

  it("13. committed prices and a contract's discount count", () => {
    const discounted = parsePriceBook({ ...book, gpu_skus: book.gpu_skus.map((sku) => (sku.id === G6.skuId ? { ...sku, prices: sku.prices.map((price) => (price.region === G6.region && price.mode === G6.mode ? { ...price, discount_percent: "25" } : price)) } : sku)) });
    expect(report({ book: discounted }).self.total?.amount).toBe("217.296000000");
    expect(report({ nodes: [{ ...G6, mode: "commit_1y", seconds: 360 * HOUR }] }).self.total?.amount).toBe("188.640000000");
  });

  it("14. cost is computed when asked, at the price of its hour: a later price changes no history", () => {
    const later = parsePriceBook({ ...book, gpu_skus: book.gpu_skus.map((sku) => (sku.id === G6.skuId ? { ...sku, prices: [...sku.prices, ...sku.prices.filter((price) => price.region === G6.region && price.mode === G6.mode).map((price) => ({ ...price, per_hour: "9.99", effective_from: "2026-11-20T00:00:00Z" }))] } : sku)) });
    const nodes = [{ ...G6, seconds: 360 * HOUR, at: Date.UTC(2026, 10, 1) }];
    expect(report({ book: later, nodes }).self.total).toEqual(report({ nodes }).self.total);
  });
});

describe("a scenario that is frozen", () => {
  const present = parsePriceBook({
    ...book,
    fx: { ...book.fx, samples: [...book.fx.samples, { date: "2026-11-25", rate: "1.20", source: "ECB", source_kind: "official" }] },
    gpu_skus: book.gpu_skus.map((sku) => (sku.id === G6.skuId ? { ...sku, prices: sku.prices.map((price) => (price.region === G6.region && price.mode === G6.mode ? { ...price, per_hour: "0.9" } : price)) } : sku)),
  });
  const inputs = { ...what, rate: rateAt(book, Infinity) };

  it("shows the same numbers next month, and offers to update to current prices, saying which changed", () => {
    expect(priceChanges(inputs, { frozen: book, present: book })).toEqual([]);
    expect(priceChanges(inputs, { frozen: book, present }).map((change) => [change.what, plain(change.before), plain(change.after)])).toEqual([
      ["g6.xlarge (us-east-1, on demand)", "0.8048 USD per node-hour", "0.9000 USD per node-hour"],
      ["USD for one EUR", "1.1133 (2026-10-28)", "1.20 (2026-11-25)"],
    ]);
    const updated = { ...inputs, ...currentInputs(inputs, present) };
    expect([updated.perHour, updated.rate?.rate, updated.pages]).toEqual(["0.9", "1.20", inputs.pages]);
    expect(solveWhatIf(updated, present).self.amount).toBe("657.000000000");
    expect(solveWhatIf(inputs, book).self.amount).toBe("587.504000000");
  });

  it("solves without a rate of its own", () => expect(currentInputs({ ...inputs, rate: null }, present).rate).toBeNull());
});
