import { apiCurve } from "./cost/api-plan";
import { cornerPages } from "./cost/corners";
import { costAt, type Curve } from "./cost/curve";
import { selfHostCost, selfHostCurve, type SelfHost } from "./cost/self-host";
import type { ApiResult } from "./cost-report-api";
import type { ChartRow, CostChart } from "./cost-report-schema";
import { roundEdge } from "./cost-ticks";
import { toDecimal, type Exact } from "./money";

type Spot = { pages: number; cost: Exact | null };
export type ChartContext = {
  currency: string;
  fleet: SelfHost;
  apis: ApiResult[];
  here: Spot;
  forecast: Spot | null;
  capacity: number | null;
};

/** A staircase with more steps than this is not readable as a chart. */
const MOST_STEPS = 24;
const BARE_EDGE = 1_000_000;

/** The right edge: past this month, its forecast and the crossings, on a round number. */
export function chartEdge(context: ChartContext): number {
  const crossings = context.apis.map(({ cost }) => cost.breakEven?.crossings.map((crossing) => crossing.firstPage) ?? []);
  const firsts = crossings.flatMap((pages) => pages.slice(0, 1));
  const near = crossings.flat().filter((page) => page <= 8 * Math.max(0, ...firsts));
  const reach = Math.max(context.here.pages, context.forecast?.pages ?? 0, ...near);
  const fallback = context.capacity ? 2 * context.capacity : BARE_EDGE;
  const wanted = reach > 0 && near.length > 0 ? reach * 1.25 : Math.max(reach * 1.25, fallback);
  const seen = context.capacity ? Math.min(wanted, Math.max(MOST_STEPS * context.capacity, context.here.pages)) : wanted;
  return roundEdge(Math.max(seen, 10));
}

type DrawnLine = CostChart["lines"][number] & { curve: Curve; pricedUpTo: number };

function linesOf(context: ChartContext, upTo: number): DrawnLine[] {
  const self: DrawnLine = {
    id: "self",
    name: "Your GPUs",
    side: "self",
    curve: selfHostCurve(context.fleet, BigInt(upTo)),
    pricedUpTo: upTo,
  };
  const apis = context.apis.flatMap(({ cost, mix }): DrawnLine[] => {
    if (!mix) return [];
    const found = cost.breakEven;
    const pricedUpTo = found?.beyond.verdict === "unpriced" ? Math.min(upTo, found.searchedTo) : upTo;
    return [{ id: cost.id, name: cost.name, side: "api", curve: apiCurve(mix), pricedUpTo }];
  });
  return [self, ...apis];
}

function rowsOf(lines: DrawnLine[], marks: number[]): ChartRow[] {
  const corners = lines.flatMap((line) => cornerPages(line.curve, line.pricedUpTo));
  const pages = [...new Set([...corners, ...marks])].sort((a, b) => a - b);
  return pages.map((page) => ({
    pages: page,
    costs: Object.fromEntries(lines.map((line) => [line.id, page <= line.pricedUpTo ? amount(costAt(line.curve, BigInt(page))) : null])),
  }));
}

function amount(cost: Exact): string {
  return toDecimal(cost, 9);
}

function point(spot: Spot | null) {
  return spot?.cost ? { pages: spot.pages, cost: amount(spot.cost) } : null;
}

/** The chart's lines through their exact breakpoints, the month as a point, and bands against the first API that has a break-even. */
export function costChart(context: ChartContext): CostChart {
  const upTo = chartEdge(context);
  const lines = linesOf(context, upTo);
  const against = context.apis.find(({ cost }) => cost.breakEven)?.cost;
  const crossings = against?.breakEven?.crossings.filter((crossing) => crossing.firstPage <= upTo) ?? [];
  const bands = against?.breakEven?.intervals.filter(({ from }) => from <= upTo) ?? [];
  const [here, forecast] = [point(context.here), point(context.forecast)];
  const marks = [here, forecast].flatMap((spot) => spot?.pages ?? []).concat(crossings.map((crossing) => crossing.firstPage));
  return {
    currency: context.currency,
    upTo,
    lines: lines.map(({ id, name, side }) => ({ id, name, side })),
    rows: rowsOf(lines, marks),
    here,
    forecast,
    bands: bands.map(({ from, to, cheaper }) => ({ from, to: Math.min(to ?? upTo, upTo), cheaper })),
    crossings: crossings.map(({ firstPage, cheaper, atStep }) => ({
      pages: firstPage,
      cost: amount(selfHostCost(context.fleet, firstPage)),
      cheaper,
      atStep,
    })),
    against: against?.name ?? null,
  };
}
