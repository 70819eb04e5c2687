import { describe, expect, it } from "vitest";
import { costReport, type CostReportInput } from "./cost-report";
import { CostReport } from "./cost-report-schema";
import { costSentence, sentenceParts } from "./cost-sentence";
import { defaultPriceBook } from "./price-book-default";
import { DEFAULT_OFFER_IDS } from "./price-offers";

const book = defaultPriceBook();
const HOUR = 3600;
const G6 = { skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand" as const };
const L4_PARIS = { skuId: "scaleway-l4-1-24g", region: "fr-par-1", mode: "on_demand" as const };

/** C12: 130,000 pages in the first 240 of 720 hours, one node always on. */
const c12: CostReportInput = {
  month: "2026-11",
  now: Date.UTC(2026, 10, 11),
  pages: 130_000,
  daysWithData: 10,
  nodes: [{ ...G6, seconds: 240 * HOUR }],
  book,
  offerIds: DEFAULT_OFFER_IDS,
};
const report = (changes: Partial<CostReportInput> = {}) => costReport({ ...c12, ...changes });
/** The sentence with ordinary spaces. */
const sentence = (changes: Partial<CostReportInput> = {}) => costSentence(report(changes)).replaceAll(/[\u202f\u00a0]/g, " ");
const kinds = (changes: Partial<CostReportInput> = {}) => sentenceParts(report(changes)).map((part) => part.kind);
const ended = { now: Date.UTC(2026, 11, 5), nodes: [{ ...G6, seconds: 720 * HOUR }] };

describe("the month so far and its forecast (C12)", () => {
  const found = report();
  it("travels through its schema unchanged", () => expect(CostReport.parse(JSON.parse(JSON.stringify(found)))).toEqual(found));

  it("forecasts pages and node hours over the real month, and applies tiers to the forecast total", () => {
    expect(found.forecast).toEqual({ state: "made", pages: 390_000, self: { amount: "579.456000000", currency: "USD" } });
    expect(found.apis[0]).toMatchObject({
      name: "Textract",
      soFar: { amount: "195.000000000" },
      forecast: { amount: "585.000000000" },
      comparison: {
        soFar: { outcome: "cheaper", difference: { amount: "1.848000000" } },
        forecast: { outcome: "cheaper", difference: { amount: "5.544000000" } },
      },
    });
    expect(found.coverage).toEqual({ daysWithData: 10, daysElapsed: 10 });
  });

  it("plans with 730 hours and says so", () => {
    expect(found.hoursConvention).toBe("730 h a month (365 x 24 / 12)");
    expect(found.plan).toMatchObject({
      name: "g6.xlarge (us-east-1, on demand)",
      hours: "730",
      nodeMonth: { amount: "587.504000000" },
      rate: null,
      capacity: null,
    });
    expect(found.apis.map((api) => api.breakEven?.crossings[0]?.firstPage)).toEqual([391_670, 391_670, 391_670, 146_877]);
  });

  it("names source, date and age of every price once", () => {
    expect(found.prices).toHaveLength(5);
    expect(found.prices[0]).toMatchObject({ price: "0.8048\u00a0USD per node-hour", asOf: "2026-07-20", age: { state: "old", days: 114 } });
    expect(found.prices[1]?.price.replaceAll(/[\u202f\u00a0]/g, " ")).toBe("1.50 USD per 1 000 pages to 1 000 000, then 0.60 USD");
  });

  it("shows idle time with a known rate, and none without", () => {
    expect(found.self.idle).toBeNull();
    const known = report({ model: "LightOnOCR-3-0.8B" });
    expect(known.self.idle).toMatchObject({ hours: "198.49", load: "0.1729", isRateDoubtful: false });
    expect(known.plan?.rate?.kind).toBe("estimated");
    expect(known.plan?.capacity).toBe(1_371_816);
  });
});

describe("one sentence for each branch", () => {
  const base = "In November so far, 130 000 pages cost 193.15 USD on your GPUs; Textract would have charged 195.00 USD.";
  it.each<[string, Partial<CostReportInput>, string]>([
    ["cheaper", {}, `${base} At this pace the month ends 5.54 USD cheaper than Textract; self-hosting wins from 391 670 pages a month.`],
    [
      "dearer",
      { pages: 100_000 },
      "In November so far, 100 000 pages cost 193.15 USD on your GPUs; Textract would have charged 150.00 USD. At this pace the month ends 129.46 USD dearer than Textract; self-hosting wins from 391 670 pages a month.",
    ],
    [
      "tie",
      { ...ended, pages: 386_304, nodes: [{ ...G6, seconds: 720 * HOUR }], offerIds: ["textract-detect-text"] },
      "In November, 386 304 pages cost 579.46 USD on your GPUs; Textract would have charged 579.46 USD. The month ended level with Textract; self-hosting wins from 391 670 pages a month.",
    ],
    [
      "ended",
      { ...ended, pages: 400_000 },
      "In November, 400 000 pages cost 579.46 USD on your GPUs; Textract would have charged 600.00 USD. The month ended 20.54 USD cheaper than Textract; self-hosting wins from 391 670 pages a month.",
    ],
    [
      "too early",
      { now: Date.UTC(2026, 10, 4) },
      `${base} It is too early in the month for a forecast; self-hosting wins from 391 670 pages a month.`,
    ],
    [
      "gaps",
      { daysWithData: 3 },
      `${base} Only 3 of 10 days have data, too few for a forecast; self-hosting wins from 391 670 pages a month.`,
    ],
    ["no data", { pages: 0, nodes: [], daysWithData: 0 }, "In November so far, no pages and no node hours are logged."],
    [
      "idle only",
      { pages: 0 },
      "In November so far, no pages were read and your GPUs cost 193.15 USD. Without pages there is no forecast; self-hosting wins from 391 670 pages a month.",
    ],
    [
      "no node hours",
      { nodes: [] },
      "In November so far, 130 000 pages were read, but no node hours are logged, so there is no cost of your own to compare.",
    ],
    [
      "unpriced node",
      { nodes: [{ ...G6, skuId: "own-rack", region: "cellar", seconds: 60 }] },
      "own-rack (cellar, on demand) is unpriced: the price book does not list this node type. It is left out of every total until it has a price.",
    ],
    [
      "unpriced API",
      { offerIds: ["azure-di-commitment"] },
      "In November so far, 130 000 pages cost 193.15 USD on your GPUs. Azure Document Intelligence: Commitment tiers (hosted, connected container) is unpriced: its fees are not public and have not been entered. It is left out of every total until it has a price.",
    ],
    [
      "no rate (C20)",
      { nodes: [{ ...L4_PARIS, seconds: 730 * HOUR }], rate: null },
      "In November so far, 130 000 pages cost 576.70 EUR on your GPUs and would have cost 195.00 USD at Textract; without an exchange rate the two are not compared.",
    ],
    [
      "several flips",
      {
        plan: {
          ...G6,
          measured: { pagesPerSecond: "0.5", kind: "measured", basis: "logged runs", source: "this portal", asOf: "2026-11-10" },
          utilisation: "0.5",
        },
      },
      `${base} At this pace the month ends 5.54 USD cheaper than Textract; the cheaper side changes 8 times between 391 670 and 2 628 001 pages a month, the API is cheaper beyond.`,
    ],
    [
      "never",
      {
        plan: {
          ...G6,
          measured: { pagesPerSecond: "0.1", kind: "measured", basis: "logged runs", source: "this portal", asOf: "2026-11-10" },
          utilisation: "0.5",
        },
      },
      `${base} At this pace the month ends 5.54 USD cheaper than Textract; Textract is cheaper at any volume.`,
    ],
  ])("%s", (_name, changes, expected) => expect(sentence(changes)).toBe(expected));

  it("keeps the good numbers when one of several nodes is unpriced, without a total", () => {
    const mixed = report({ nodes: [...c12.nodes, { ...G6, skuId: "own-rack", seconds: 60 }] });
    expect(mixed.self).toMatchObject({
      total: null,
      sums: [{ amount: "193.152000000", currency: "USD" }],
      unpriced: [{ name: "own-rack (us-east-1, on demand)" }],
    });
    expect(mixed.apis[0]?.comparison).toEqual({ soFar: null, forecast: null });
  });

  it("names an API that the price book does not list", () =>
    expect(report({ offerIds: ["gone"] }).apis[0]).toMatchObject({ id: "gone", unpriced: "the price book does not list it" }));
  it("says what is cheaper at last in a typed part", () => expect(kinds({ nodes: [] })).toEqual(["no_node_hours"]));
});

describe("currencies", () => {
  const paris = { nodes: [{ ...L4_PARIS, seconds: 730 * HOUR }], offerIds: ["docai-enterprise-ocr"] };
  const rate = { base: "EUR", quote: "USD", rate: "1.1133", date: "2026-10-28", source: "ECB" };

  it("converts once by the pinned rate, which travels with the report (B27)", () => {
    const converted = report({ ...paris, currency: "USD", rate });
    expect(converted.self.total).toEqual({ amount: "642.040110000", currency: "USD" });
    expect(converted.apis[0]?.breakEven?.crossings).toEqual([{ firstPage: 428_027, cheaper: "self", atStep: false }]);
    expect(converted.rate).toEqual(rate);
  });

  it("finds the same crossing in the other currency", () => {
    const inEuro = report({ ...paris, rate });
    expect(inEuro).toMatchObject({ currency: "EUR", self: { total: { amount: "576.700000000", currency: "EUR" } } });
    expect(inEuro.apis[0]?.breakEven?.crossings[0]?.firstPage).toBe(428_027);
    expect(inEuro.apis[0]?.soFar?.currency).toBe("USD");
  });

  it("shows no rate when none was needed, and no chart when it is missing", () => {
    expect(report().rate).toBeNull();
    const bare = report({ ...paris, currency: "USD", rate: null });
    expect([bare.self.total, bare.chart, bare.apis[0]?.breakEven]).toEqual([null, null, null]);
    expect(bare.self.sums).toEqual([{ amount: "576.700000000", currency: "EUR" }]);
  });
});
