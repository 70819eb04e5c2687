import { describe, expect, it } from "vitest";
import { singlePlan } from "./cost/api-plan";
import { solve } from "./cost";
import { caseApi, caseSelfHost, parseCostCases, solveCase } from "./cost-case";
import cases from "./fixtures/cost-cases.json";
import { exact } from "./money";

const parsed = parseCostCases(cases);

function caseOf(id: string) {
  const found = parsed.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`no case ${id}`);
  return { fleet: caseSelfHost(found.self_host), mix: singlePlan(caseApi(found.api)), upTo: found.search_up_to };
}

describe("the published break-even cases", () => {
  it.each(cases.map((row) => [row.id, row.title, row] as const))("%s %s", (id, _title, row) => {
    const question = parsed.find((candidate) => candidate.id === id);
    expect(question && solveCase(question)).toEqual(row.expect);
  });

  it.each(cases.map((row) => row.id))("%s is complete without a given search limit", (id) => {
    const { fleet, mix, upTo } = caseOf(id);
    const within = solve(fleet, mix).crossings.filter((crossing) => crossing.firstPage <= upTo);
    expect(within).toEqual(solve(fleet, mix, { searchUpTo: upTo }).crossings);
  });
});

describe("intervals and the verdict beyond", () => {
  it("lists B10 as nine intervals, the API for good from 2,628,001", () => {
    const { fleet, mix } = caseOf("B10");
    const solution = solve(fleet, mix);
    expect(solution.beyond).toEqual({ verdict: "api", limit: 3_058_913 });
    expect(solution.intervals).toHaveLength(9);
    expect(solution.intervals.slice(0, 2)).toEqual([
      { from: 0, to: 391_669, cheaper: "api" },
      { from: 391_670, to: 657_000, cheaper: "self" },
    ]);
    expect(solution.intervals.at(-1)).toEqual({ from: 2_628_001, to: null, cheaper: "api" });
  });

  it("does not promise the last interval for good when the search stopped before the limit", () => {
    const { fleet, mix } = caseOf("B10");
    expect(solve(fleet, mix, { searchUpTo: 700_000 }).intervals.at(-1)).toEqual({ from: 657_001, to: 700_000, cheaper: "api" });
  });

  it("finds a crossing that lies right after an exact limit (B02)", () => {
    const { fleet, mix } = caseOf("B02");
    const solution = solve(fleet, mix);
    expect(solution.beyond).toEqual({ verdict: "self", limit: 11_740 });
    expect(solution.intervals.at(-1)).toEqual({ from: 11_741, to: null, cheaper: "self" });
  });

  it("is open when a full node and the API cost the same per page", () => {
    const { fleet, mix } = caseOf("B10");
    const flat = singlePlan({
      mode: "graduated",
      freePages: 0,
      monthlyFee: exact(0),
      includedPages: 0,
      tiers: [{ upTo: null, perPage: exact("0.001") }],
    });
    const even = {
      ...fleet,
      hourly: exact("657"),
      hours: exact(1),
      rate: { pagesPerSecond: exact("657000"), utilisation: { n: 1n, d: 3600n } },
    };
    const solution = solve(even, flat);
    expect(solution.beyond).toEqual({ verdict: "open", limit: null });
    // Full nodes tie exactly, so the API is never strictly dearer.
    expect(solution.crossings).toEqual([]);
    expect(solve(even, mix).beyond.verdict).toBe("api");
  });

  it("is a tie for good when both sides are the same line", () => {
    const plan = {
      mode: "graduated" as const,
      freePages: 0,
      monthlyFee: exact(10),
      includedPages: 0,
      tiers: [{ upTo: null, perPage: exact("0.001") }],
    };
    const line = {
      kind: "nodes" as const,
      hourly: exact(10),
      hours: exact(1),
      rate: null,
      minNodes: 1,
      overhead: exact(0),
      variablePerPage: exact("0.001"),
    };
    expect(solve(line, singlePlan(plan))).toMatchObject({
      crossings: [],
      intervals: [{ from: 0, to: null, cheaper: "tie" }],
      beyond: { verdict: "tie" },
    });
  });

  it("says nothing beyond the last page that has a price", () => {
    const { fleet, mix } = caseOf("B07");
    const solution = solve(fleet, mix, { pricedUpTo: 1_000_000 });
    expect(solution.beyond).toEqual({ verdict: "unpriced", limit: null });
    expect(solution.intervals).toEqual([{ from: 0, to: 1_000_000, cheaper: "api" }]);
  });

  it("refuses a staircase without end instead of hanging", () => {
    const { fleet, mix } = caseOf("B10");
    const slow = { ...fleet, rate: { pagesPerSecond: exact("0.000001"), utilisation: exact("1") } };
    const parallel = singlePlan({ ...mix[0]!.plan, tiers: [{ upTo: null, perPage: { n: 587_504n, d: 2_000n } }] });
    expect(() => solve(slow, parallel, { searchUpTo: 9_000_000_000_000 })).toThrow(/more than 200000 nodes/);
    expect(() => solve({ ...slow, rate: { pagesPerSecond: exact("0.0000001"), utilisation: exact("1") } }, mix)).toThrow(
      /cannot take a single page/,
    );
  });
});

describe("speed", () => {
  it("solves 50 nodes against 6 tiers in at most 5 ms at the median", () => {
    const { fleet } = caseOf("B10");
    const tiers = [1, 2, 5, 10, 20].map((millions, index) => ({ upTo: millions * 1_000_000, perPage: exact(`0.00${95 - index * 2}`) }));
    const mix = singlePlan({
      mode: "graduated",
      freePages: 1000,
      monthlyFee: exact(0),
      includedPages: 0,
      tiers: [...tiers, { upTo: null, perPage: exact("0.00085") }],
    });
    const times = Array.from({ length: 41 }, () => {
      const start = performance.now();
      solve(fleet, mix, { searchUpTo: 657_000 * 50 });
      return performance.now() - start;
    });
    expect(times.sort((a, b) => a - b)[20]).toBeLessThanOrEqual(5);
  });
});
