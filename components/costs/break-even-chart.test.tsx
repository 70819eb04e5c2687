import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { costReport, type CostReportInput } from "@/lib/domain/cost-report";
import { costSentence } from "@/lib/domain/cost-sentence";
import { defaultPriceBook } from "@/lib/domain/price-book-default";
import { DEFAULT_OFFER_IDS } from "@/lib/domain/price-offers";
import { BreakEvenChart } from "./break-even-chart";
import { CostFigures } from "./cost-figures";
import { CostSentence } from "./cost-sentence";
import { CostTable } from "./cost-table";
import { IntervalsList } from "./intervals-list";
import { PriceSources } from "./price-sources";

const node = { skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand" as const };
const input: CostReportInput = {
  month: "2026-11",
  now: Date.UTC(2026, 10, 16),
  pages: 212_480,
  daysWithData: 15,
  nodes: [{ ...node, seconds: 360 * 3600 }],
  book: defaultPriceBook(),
  offerIds: DEFAULT_OFFER_IDS,
  model: "LightOnOCR-3-0.8B",
};
const report = costReport(input);
const plain = (text: string | null | undefined) => (text ?? "").replaceAll(/[\u202f\u00a0]/g, " ");

function chartOf(made: typeof report) {
  if (!made.chart) throw new Error("no chart");
  return made.chart;
}

afterEach(cleanup);

describe("break-even chart", () => {
  it("says in words what it draws", () => {
    render(<BreakEvenChart chart={chartOf(report)} />);
    const name = plain(screen.getByRole("img").getAttribute("aria-label"));
    expect(name).toContain("Cost of a month in USD");
    expect(name).toContain("Against Textract: from 0 to 391 669 pages Textract is cheaper; from 391 670 pages on self-hosting is cheaper.");
    expect(name).toContain("This month so far: 212 480 pages, 289.73 USD on your GPUs.");
  });

  it("draws one line for each side and a point for the month", () => {
    const { container } = render(<BreakEvenChart chart={chartOf(report)} />);
    expect(container.querySelectorAll("path.recharts-line-curve")).toHaveLength(5);
    expect(container.querySelectorAll(".recharts-reference-dot")).toHaveLength(3);
    expect(container.textContent).toContain("you are here");
  });

  it("keeps nothing focusable inside the picture", () => {
    render(<BreakEvenChart chart={chartOf(report)} />);
    expect(screen.getByRole("img").querySelectorAll('[tabindex="0"], a, button')).toHaveLength(0);
  });

  it("lists the same numbers as a table", () => {
    render(<BreakEvenChart chart={chartOf(report)} />);
    const table = screen.getByRole("table", { hidden: true, name: "Cost of a month in USD by pages" });
    const crossing = within(table).getByRole("row", { hidden: true, name: /391.670/ });
    const cells = within(crossing).getAllByRole("cell", { hidden: true });
    expect(cells.map((cell) => plain(cell.textContent))).toEqual([
      "587.50",
      "587.51",
      "587.51",
      "587.51",
      "1 566.68",
      "your GPUs cheaper from here",
    ]);
    expect(within(table).getByRole("row", { hidden: true, name: /this month so far/ })).toBeDefined();
  });
});

describe("beside the chart", () => {
  it("shows the tested sentence word for word", () => {
    const { container } = render(<CostSentence report={report} />);
    expect(container.textContent).toBe(costSentence(report));
  });

  it("compares each API for the same pages", () => {
    render(<CostTable report={report} />);
    const cells = within(screen.getByRole("row", { name: /Mistral/ })).getAllByRole("cell");
    expect(cells.map((cell) => plain(cell.textContent))).toEqual([
      "849.92 USD",
      "1 699.84 USD",
      "1 120.38 USD cheaper",
      "from 146 877 pages",
    ]);
  });

  it("names an unpriced API instead of a zero", () => {
    const made = costReport({ ...input, offerIds: ["azure-di-commitment"] });
    render(<CostTable report={made} />);
    expect(screen.getByRole("row", { name: /unpriced its fees are not public/ })).toBeDefined();
    expect(screen.queryByText(/^0\.00/)).toBeNull();
  });

  it("lists intervals and what holds beyond", () => {
    const [api] = report.apis;
    if (!api) throw new Error("no API");
    render(<IntervalsList api={api} />);
    expect(screen.getAllByRole("listitem").map((item) => plain(item.textContent))).toEqual([
      "0 to 391 669 pagesTextract is cheaper",
      "391 670 pages and moreyour GPUs are cheaper",
    ]);
    expect(screen.getByText(/^Self-hosting stays cheaper above/)).toBeDefined();
  });

  it("links every price to its source and flags old ones", () => {
    render(<PriceSources report={report} />);
    expect(screen.getAllByRole("link")).toHaveLength(5);
    expect(screen.getByText("119 days old")).toBeDefined();
  });

  it("marks idle time from an unmeasured rate as estimated", () => {
    render(<CostFigures report={report} />);
    expect(screen.getByText("estimated")).toBeDefined();
  });
});
