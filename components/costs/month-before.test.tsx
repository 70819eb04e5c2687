import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { CostReport } from "@/lib/domain/cost-report-schema";
import { MonthBefore } from "./month-before";

afterEach(cleanup);

const reportOf = (key: string, pages: number, isRunning = true) => ({ month: { key, name: "January", label: "January 2027", isRunning }, pages }) as CostReport; // what the notice looks at

it("offers the month before while the running one has no page, over the turn of the year too", () => {
  const set = vi.fn();
  render(<MonthBefore report={reportOf("2027-01", 0)} url={{ get: () => undefined, set }} />);
  fireEvent.click(screen.getByRole("button", { name: "Show the month before" }));
  expect(set).toHaveBeenCalledWith({ month: "2026-12" });
});

it.each([
  ["has pages", reportOf("2026-12", 1)],
  ["is over", reportOf("2026-11", 0, false)],
])("says nothing of a month that %s", (_, report) => {
  render(<MonthBefore report={report} url={{ get: () => undefined, set: vi.fn() }} />);
  expect(screen.queryByRole("button")).toBeNull();
});
