import { apiCorners, selfHostCorners, type Corner } from "./cost/corners";
import { selfHostCost, type NodeFleet } from "./cost/self-host";
import type { ApiResult } from "./cost-report-api";
import type { CostChart } from "./cost-report-schema";
import { toNumber, type Exact } from "./money";

type Spot = { pages: number; cost: Exact | null };
export type ChartContext = {
  currency: string;
  fleet: NodeFleet;
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
  return roundUp(Math.max(seen, 10));
}

function roundUp(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / step) * step;
}

function drawn(corners: Corner[]) {
  return corners.map(({ pages, cost }) => ({ pages, cost: toNumber(cost) }));
}

function point(spot: Spot | null) {
  return spot?.cost ? { pages: spot.pages, cost: toNumber(spot.cost) } : null;
}

/** The chart's lines through their exact breakpoints, the month as a point, and bands against the first API that has a break-even. */
export function costChart(context: ChartContext): CostChart {
  const upTo = chartEdge(context);
  const lines = context.apis.flatMap(({ cost, mix }) =>
    mix
      ? [
          {
            id: cost.id,
            name: cost.name,
            side: "api" as const,
            points: drawn(
              apiCorners(mix, Math.min(upTo, cost.breakEven?.beyond.verdict === "unpriced" ? cost.breakEven.searchedTo : upTo)),
            ),
          },
        ]
      : [],
  );
  const against = context.apis.find(({ cost }) => cost.breakEven)?.cost;
  const crossings = against?.breakEven?.crossings.filter((crossing) => crossing.firstPage <= upTo) ?? [];
  return {
    currency: context.currency,
    upTo,
    series: [{ id: "self", name: "Your GPUs", side: "self", points: drawn(selfHostCorners(context.fleet, upTo)) }, ...lines],
    here: point(context.here),
    forecast: point(context.forecast),
    bands: (against?.breakEven?.intervals ?? [])
      .filter(({ from }) => from <= upTo)
      .map(({ from, to, cheaper }) => ({ from, to: Math.min(to ?? upTo, upTo), cheaper })),
    crossings: crossings.map(({ firstPage, cheaper, atStep }) => ({
      pages: firstPage,
      cost: toNumber(selfHostCost(context.fleet, firstPage)),
      cheaper,
      atStep,
    })),
    against: against?.name ?? null,
  };
}
