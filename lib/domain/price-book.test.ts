import { describe, expect, it } from "vitest";
import pricing from "./data/pricing.json";
import { apiCost } from "./cost";
import { singlePlan } from "./cost/api-plan";
import { toDecimal } from "./money";
import { ageWarning, priceAge } from "./price-age";
import { nodePrice, parsePriceBook, sku, skus } from "./price-book";
import { newestRate } from "./price-rate";
import { defaultPriceBook } from "./price-book-default";
import { DEFAULT_OFFER_IDS, managedOffer, managedOffers, offerPlan } from "./price-offers";
import { listedRate } from "./price-throughput";

const book = defaultPriceBook();
const NOW = Date.UTC(2026, 10, 30);

function offer(id: string) {
  const found = managedOffer(book, id);
  if (!found) throw new Error(`no offer ${id}`);
  return found;
}

describe("node prices", () => {
  it("lists every SKU with at least one price, a source and a date", () => {
    expect(skus(book)).toHaveLength(pricing.gpu_skus.length);
    for (const { prices } of skus(book)) expect(prices.every((price) => price.source && price.as_of)).toBe(true);
  });

  it("finds the price in force with its source", () => {
    const price = nodePrice(book, { skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand" });
    expect(price).toMatchObject({ state: "priced", perHour: "0.8048", currency: "USD", asOf: "2026-07-20", isDerived: false, range: null });
  });

  it("takes the newest of several readings", () => {
    expect(nodePrice(book, { skuId: "aws-g6-xlarge", region: "us-east-1", mode: "spot" })).toMatchObject({
      perHour: "0.605",
      asOf: "2026-09",
    });
  });

  it("keeps the spread of a spot sample, and marks derived prices", () => {
    expect(nodePrice(book, { skuId: "aws-g6-xlarge", region: "eu-north-1", mode: "spot" })).toMatchObject({
      range: { low: "0.3183", high: "0.3411" },
    });
    expect(nodePrice(book, { skuId: "gcp-g2-standard-4", region: "europe-west4", mode: "commit_1y" })).toMatchObject({ isDerived: true });
  });

  it.each([
    ["own-rack", "us-east-1", /does not list this node type/],
    ["aws-g6-xlarge", "eu-west-1", /no price for this region/],
  ])("%s in %s is unpriced, named, never zero", (skuId, region, reason) => {
    const price = nodePrice(book, { skuId, region, mode: "on_demand" });
    expect(price).toMatchObject({ state: "unpriced", name: expect.stringContaining(region), reason: expect.stringMatching(reason) });
    expect(price).not.toHaveProperty("perHour");
  });

  it("knows what it does not know", () => expect(sku(book, "nope")).toBeNull());
});

describe("managed offers", () => {
  it("prices the four default offers to the end", () => {
    for (const id of DEFAULT_OFFER_IDS) expect(offerPlan(offer(id))).toMatchObject({ state: "priced", pricedUpTo: null, currency: "USD" });
  });

  it("bills graduated tiers, and the free allowance only when asked", () => {
    const bill = (withFreeAllowance: boolean) => {
      const priced = offerPlan(offer("textract-detect-text"), { withFreeAllowance });
      return priced.state === "priced" ? toDecimal(apiCost(singlePlan(priced.plan), 2_000_000), 2) : null;
    };
    expect([bill(false), bill(true)]).toEqual(["2100.00", "2098.50"]);
  });

  it("stops where a list has no price", () =>
    expect(offerPlan(offer("textract-layout"))).toMatchObject({ state: "priced", pricedUpTo: 1_000_000 }));

  it.each([
    ["azure-di-commitment", /fees are not public/],
    ["docai-expense-parser", /billed per document/],
  ])("%s is unpriced with the reason", (id, reason) =>
    expect(offerPlan(offer(id))).toMatchObject({ state: "unpriced", reason: expect.stringMatching(reason) }),
  );

  it("has a plan or a reason for every offer", () => {
    for (const each of managedOffers(book)) expect(["priced", "unpriced"]).toContain(offerPlan(each).state);
  });
});

describe("rates and ages", () => {
  it("labels the rate of an L4 an estimate, and that of an H100 published", () => {
    expect(listedRate(book, { model: "LightOnOCR-3-0.8B", gpu: "NVIDIA L4" })).toMatchObject({ pagesPerSecond: "0.87", kind: "estimated" });
    expect(listedRate(book, { model: "LightOnOCR-3-0.8B", gpu: "NVIDIA H100 80GB" })).toMatchObject({
      pagesPerSecond: "4.78",
      kind: "published",
    });
    expect(listedRate(book, { model: "LightOnOCR-3-0.8B", gpu: "NVIDIA L40S" })).toBeNull();
  });

  it("pins the newest exchange rate", () =>
    expect(newestRate(book)).toMatchObject({ base: "EUR", quote: "USD", rate: "1.1133", date: "2026-10-28" }));

  it.each([
    ["2026-11-09", { state: "fresh", days: 21 }],
    ["2026-09-01", { state: "fresh", days: 90 }],
    ["2026-08-31", { state: "old", days: 91 }],
    ["2026-09", { state: "fresh", days: 90 }],
    ["2026-08", { state: "old", days: 121 }],
    ["2026 H2 (day not recorded)", { state: "undated" }],
    ["undated stored copy", { state: "undated" }],
  ])("%s is %j", (asOf, age) => expect(priceAge(asOf, NOW)).toEqual(age));

  it("warns in one sentence", () => {
    expect(ageWarning(priceAge("2026-07-20", NOW))).toBe("This price is 133 days old: check it at its source.");
    expect(ageWarning(priceAge("2026-11-09", NOW))).toBeNull();
  });
});

describe("a broken book", () => {
  it.each([
    [
      "a price as a float",
      { ...pricing, fx: { ...pricing.fx, samples: [{ date: "2026-01-01", rate: 1.1, source: "x" }] } },
      /fx\.samples\.0\.rate/,
    ],
    [
      "an unknown mode",
      { ...pricing, gpu_skus: [{ ...pricing.gpu_skus[0], prices: [{ region: "a", mode: "rent" }] }] },
      /gpu_skus\.0\.prices\.0\.mode/,
    ],
    ["nothing", null, /not usable/],
  ])("%s is refused at load", (_name, value, message) => expect(() => parsePriceBook(value)).toThrow(message));
});
