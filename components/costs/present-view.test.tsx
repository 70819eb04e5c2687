import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Output } from "@/lib/client/api";
import { readKey } from "@/lib/client/hooks";
import { createQueryClient } from "@/lib/client/query-client";
import { costReport, type CostReportInput } from "@/lib/domain/cost-report";
import { defaultPriceBook } from "@/lib/domain/price-book-default";
import { PresentButton, type PresentProps } from "./present-view";

const book = defaultPriceBook();
const node = { skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand" as const, seconds: 360 * 3600 };
const input: CostReportInput = { month: "2026-11", now: Date.UTC(2026, 10, 16), pages: 212_480, daysWithData: 15, nodes: [node], book, offerIds: ["textract-detect-text"] };
const viewOf = (changes: Partial<CostReportInput>) => ({ environmentName: "Production", report: costReport({ ...input, ...changes }) }) as Output<"costs.report">; // what a slide shows
const client = createQueryClient();
const shown = (props: PresentProps) => (
  <QueryClientProvider client={client}>
    <PresentButton {...props} />
  </QueryClientProvider>
);
const plain = (element: HTMLElement) => (element.textContent ?? "").replaceAll(/[\u202f\u00a0]/g, " ");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 16, 13, 2, 11) });
  client.setQueryData(readKey("prices.book", {}), { book } as Output<"prices.book">); // prices.book has more, which a slide does not look at
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  window.history.replaceState(null, "", "/costs");
});

it("keeps what is presented while pages are read and prices change, and says since when", () => {
  const { rerender } = render(shown({ view: viewOf({}), scenario: null }));
  fireEvent.click(screen.getByRole("button", { name: "Present" }));
  const slide = () => plain(screen.getByRole("dialog", { name: /November 2026, Production/ }));
  expect(slide()).toMatch(/As of 16 Nov 2026, \d\d:02:11/);
  expect(slide()).toContain("212 480 pages cost 289.73 USD");
  rerender(shown({ view: viewOf({ pages: 999_999, nodes: [{ ...node, seconds: 720 * 3600 }] }), scenario: null }));
  expect(slide()).toContain("212 480 pages cost 289.73 USD");
  fireEvent.click(screen.getByRole("button", { name: "End" }));
  fireEvent.click(screen.getByRole("button", { name: "Present" }));
  expect(slide()).toContain("999 999 pages cost 579.46 USD");
});

it("presents the what-if that is on the page, saved or not", () => {
  window.history.replaceState(null, "", `/costs?whatif=${encodeURIComponent(JSON.stringify({ minNodes: 2, pages: 500_000 }))}`);
  render(shown({ view: viewOf({}), scenario: null }));
  fireEvent.click(screen.getByRole("button", { name: "Present" }));
  const chart = screen.getByRole("region", { name: "Break-even" });
  expect(plain(chart)).toContain("With changed inputs: 1 175.01 USD a month on your GPUs at 500 000 pages.");
  expect(within(screen.getByRole("dialog")).getByRole("list", { name: /against Textract/ }).textContent?.replaceAll(/[\u202f\u00a0]/g, " ")).toContain("783 339 pages");
});
