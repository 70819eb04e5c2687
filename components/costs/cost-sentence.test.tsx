import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { costReport, type CostReportInput } from "@/lib/domain/cost-report";
import { defaultPriceBook } from "@/lib/domain/price-book-default";
import { CostSentence } from "./cost-sentence";

afterEach(cleanup);

const HOUR = 3600;
const G6 = { skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand" as const };
const PARIS = { skuId: "scaleway-l4-1-24g", region: "fr-par-1", mode: "on_demand" as const };
const input: CostReportInput = { month: "2026-11", now: Date.UTC(2026, 10, 11), pages: 130_000, daysWithData: 10, nodes: [{ ...G6, seconds: 240 * HOUR }], book: defaultPriceBook(), offerIds: ["textract-detect-text"] };
const ended = { now: Date.UTC(2026, 11, 5), nodes: [{ ...G6, seconds: 720 * HOUR }] };
const slow = (pagesPerSecond: string) => ({ plan: { ...G6, utilisation: "0.5", measured: { pagesPerSecond, kind: "measured" as const, basis: "logged", source: "portal", asOf: "2026-11-10" } } });

function show(changes: Partial<CostReportInput>): string {
  render(<p data-testid="sentence"><CostSentence report={costReport({ ...input, ...changes })} /></p>);
  return (screen.getByTestId("sentence").textContent ?? "").replaceAll(/[\u202f\u00a0]/g, " ");
}

describe("the sentence on the page", () => {
  it.each<[string, Partial<CostReportInput>, string]>([
    ["cheaper", {}, "At this pace the month ends 5.54 USD cheaper than Textract"],
    ["dearer", { pages: 100_000 }, "At this pace the month ends 129.46 USD dearer than Textract"],
    ["tie", { ...ended, pages: 386_304 }, "The month ended level with Textract"],
    ["ended", { ...ended, pages: 400_000 }, "The month ended 20.54 USD cheaper than Textract"],
    ["no data", { pages: 0, nodes: [], daysWithData: 0 }, "no pages and no node hours are logged"],
    ["no node hours", { nodes: [] }, "there is no cost of your own to compare"],
    ["idle only", { pages: 0 }, "no pages were read and your GPUs cost 193.15 USD"],
    ["too little to see", { ...ended, pages: 3, nodes: [{ ...G6, seconds: 1 }] }, "3 pages cost < 0.01 USD on your GPUs"],
    ["an unpriced node", { nodes: [{ ...G6, skuId: "own-rack", seconds: 60 }] }, "own-rack (us-east-1, on demand) is unpriced"],
    ["an unpriced API", { offerIds: ["azure-di-commitment"] }, "its fees are not public and have not been entered"],
    ["no rate", { nodes: [{ ...PARIS, seconds: 730 * HOUR }], rate: null }, "without an exchange rate the two are not compared"],
    ["too early", { now: Date.UTC(2026, 10, 4) }, "It is too early in the month for a forecast"],
    ["gaps", { daysWithData: 3 }, "Only 3 of 10 days have data, too few for a forecast"],
    ["one crossing", {}, "self-hosting wins from 391 670 pages a month"],
    ["several crossings", slow("0.5"), "the cheaper side changes 8 times between 391 670 and 2 628 001 pages a month, the API is cheaper beyond"],
    ["none", slow("0.1"), "Textract is cheaper at any volume"],
  ])("%s", (_name, changes, expected) => expect(show(changes)).toContain(expected));

  it("stresses the outcome, and says a weak forecast quietly", () => {
    show({ pages: 100_000 });
    expect(screen.getByText(/dearer than Textract/).className).toContain("text-working");
    cleanup();
    show({ ...ended, pages: 400_000 });
    expect(screen.getByText(/cheaper than Textract/).className).toContain("text-ready");
    cleanup();
    show({ daysWithData: 3 });
    expect(screen.getByText(/too few for a forecast/).className).toContain("text-muted-foreground");
  });
});
