import { beforeAll, describe, expect, it } from "vitest";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import type { PriceDraft } from "@/lib/domain/price-draft";
import { costsReport } from "./costs";
import { execute } from "./pipeline";
import { pricesCorrect, pricesList, pricesPreviewCorrection, pricesSet } from "./prices";

const database = useDatabase();
type Person = Awaited<ReturnType<typeof createPerson>>;
let owner: Person, admin: Person, environmentId: string;

const NOW = new Date("2026-11-21T00:00:00Z");
const node = (changes: Partial<Extract<PriceDraft, { kind: "node" }>> = {}) => ({
  kind: "node" as const,
  skuId: "aws-g6-xlarge",
  region: "us-east-1",
  mode: "on_demand" as const,
  perHour: "1.0048",
  currency: "USD",
  source: "contract 12",
  asOf: "2026-11-20",
  effectiveFrom: NOW.toISOString(),
  ...changes,
});
const own = { kind: "api" as const, offerId: "acme-ocr", provider: "acme", product: "Acme OCR", feature: "Read", currency: "USD", billing: "graduated" as const, tiers: [{ upTo: 100_000, per1000: "2.00" }, { upTo: null, per1000: "1.00" }], monthlyFee: "50", includedPages: 10_000, source: "offer of 20 November", asOf: "2026-11-20", effectiveFrom: null };
const report = (now: string, offerIds?: string[]) => execute(costsReport, { db: database.db, caller: owner.caller, input: { environmentId, month: "2026-11", ...(offerIds ? { offerIds } : {}) }, now: new Date(now) });
const as = (who: Person, now = NOW) => ({ db: database.db, caller: who.caller, now });
const totalOf = async (now: string) => (await report(now)).report.self.total?.amount;

beforeAll(async () => {
  environmentId = await createEnvironment(database.db, "priced");
  owner = await createPerson(database.db, "Owner", { isOwner: true });
  admin = await createPerson(database.db, "Admin", { roles: { [environmentId]: "admin" } });
  await database.db.nodeInterval.create({ data: { environmentId, node: "n1", skuId: "aws-g6-xlarge", region: "us-east-1", startedAt: new Date("2026-11-01T00:00:00Z"), lastSeenAt: NOW } });
  const hours = Array.from({ length: 20 }, (_, day) => new Date(Date.UTC(2026, 10, day + 1, 9)));
  await database.db.usageHour.createMany({ data: hours.map((hour) => ({ environmentId, hour, modelId: "lightonocr-3-0.8b", skuKey: "aws-g6-xlarge", feature: "playground", pages: 10_000, promptTokens: 0n, completionTokens: 0n, seconds: 100 })) });
});

describe("prices", () => {
  it("begins with the shipped book: every price with source and date, old ones flagged", async () => {
    const { prices } = await execute(pricesList, { ...as(admin), input: {} });
    const l4 = prices.find((one) => one.kind === "node" && one.subject === "aws-g6-xlarge" && one.region === "us-east-1" && one.mode === "on_demand");
    expect(l4).toMatchObject({ state: "in_force", origin: "book", effectiveFrom: null, asOf: "2026-07-20", warning: expect.stringContaining("124 days old") });
    expect(prices.filter((one) => one.kind === "node" || one.kind === "api").every((one) => one.source && one.asOf)).toBe(true);
  });

  it("counts each hour at the price in force in it: a new price changes nothing before it", async () => {
    expect(await totalOf("2026-11-21T00:00:00Z")).toBe("386.304000000"); // 480 h × 0.8048
    await execute(pricesSet, { ...as(owner), input: { draft: node() } });
    expect(await totalOf("2026-11-21T00:00:00Z")).toBe("386.304000000");
    expect(await totalOf("2026-11-22T00:00:00Z")).toBe("410.419200000"); // 24 h × 1.0048 more
    const { report: found } = await report("2026-11-22T00:00:00Z");
    expect(found.self.lines.map(({ hours, perHour }) => [hours, perHour?.amount])).toEqual([["480.00", "0.8048"], ["24.00", "1.0048"]]);
    expect(found.prices.filter((one) => one.name.startsWith("g6.xlarge")).map((one) => one.source)).toContain("contract 12");
    expect(found.days.at(-1)).toMatchObject({ day: "2026-11-21", pages: 200_000, costs: { self: "410.419200000" } });
  });

  it("refuses to rewrite history by a plain entry, and to anyone but an owner", async () => {
    await expect(execute(pricesSet, { ...as(owner), input: { draft: node({ effectiveFrom: "2026-11-02T00:00:00Z" }) } })).rejects.toMatchObject({ code: "unprocessable", message: expect.stringContaining("Correct the past price") });
    await expect(execute(pricesSet, { ...as(admin), input: { draft: node({ effectiveFrom: "2026-12-01T00:00:00Z" }) } })).rejects.toMatchObject({ code: "forbidden" });
    await expect(execute(pricesPreviewCorrection, { ...as(admin), input: { draft: node() } })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("shows what a correction changes, then does exactly that, and leaves the reason in the audit log", async () => {
    const draft = node({ perHour: "0.9", effectiveFrom: null, source: "invoice 7" });
    const preview = await execute(pricesPreviewCorrection, { ...as(owner), input: { draft } });
    expect(preview.changes).toEqual([{ environmentId, environmentName: "priced", month: "2026-11", what: "your GPUs", before: { amount: "386.304000000", currency: "USD" }, after: { amount: "432.000000000", currency: "USD" } }]);
    expect(await totalOf("2026-11-21T00:00:00Z")).toBe("386.304000000");
    const wrong = { ...as(owner), input: { draft: node({ perHour: "0.7", effectiveFrom: null }), reason: "misread", digest: preview.digest } };
    await expect(execute(pricesCorrect, wrong)).rejects.toMatchObject({ code: "conflict" });
    const done = await execute(pricesCorrect, { ...as(owner), input: { draft, reason: "The list was misread.", digest: preview.digest } });
    expect(done.changed).toBe(1);
    expect(await totalOf("2026-11-21T00:00:00Z")).toBe("432.000000000");
    const [event] = await database.db.auditEvent.findMany({ where: { action: "prices.correct", outcome: "success" } });
    expect(JSON.stringify(event?.record)).toContain("The list was misread.");
    const kept = await database.db.priceVersion.findMany({ where: { kind: "node", subject: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand", replacedAt: { not: null } } });
    expect(kept.every((one) => one.replacedById === done.id)).toBe(true);
  });

  it("takes a vendor with its tiers and commitment by a form", async () => {
    const preview = await execute(pricesPreviewCorrection, { ...as(owner), input: { draft: own } });
    await execute(pricesCorrect, { ...as(owner), input: { draft: own, reason: "A new vendor to compare with.", digest: preview.digest } });
    const { report: found, offers } = await report("2026-11-21T00:00:00Z", ["acme-ocr"]);
    expect(offers.map((one) => one.id)).toContain("acme-ocr");
    expect(found.apis[0]?.soFar).toEqual({ amount: "340.000000000", currency: "USD" }); // 50 + 100,000 × 2.00 + 90,000 × 1.00 per 1,000 above the included 10,000
  });

  it("warns of a slip of the unit, and refuses what is no price", async () => {
    const { warnings } = await execute(pricesSet, { ...as(owner), input: { draft: { ...own, offerId: "dear", effectiveFrom: "2026-12-01T00:00:00Z", tiers: [{ upTo: null, per1000: "1500" }] } } });
    expect(warnings).toEqual(["A page would cost more than 1.00: prices here are per 1,000 pages."]);
    await expect(execute(pricesSet, { ...as(owner), input: { draft: node({ perHour: "1,5" }) } })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(execute(pricesSet, { ...as(owner), input: { draft: node({ skuId: "own-rack", effectiveFrom: "2026-12-01T00:00:00Z" }) } })).rejects.toMatchObject({ code: "unprocessable" });
  });
});
