"use client";

import { memo, useDeferredValue, useMemo } from "react";
import { CartesianGrid, Line, LineChart, ReferenceArea, ReferenceDot, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { apiSeriesAt, selfSeries, type SeriesStyle } from "@/components/ui/series";
import { chartSummary, costTop, labelledCrossings } from "@/lib/domain/cost-chart-rows";
import { formatCount } from "@/lib/domain/cost-format";
import type { ChartRow, CostChart } from "@/lib/domain/cost-report-schema";
import { axisTicks } from "@/lib/domain/cost-ticks";
import { ChartLegend } from "./chart-legend";
import { ChartTable } from "./chart-table";
import { ChartTooltip } from "./chart-tooltip";

export type BreakEvenChartProps = { chart: CostChart };

const axis = { stroke: "var(--border)", tick: { fill: "var(--muted-foreground)", fontSize: 12 }, tickLine: false };
/** Cost against pages a month: the node staircase, each API as its broken line, the cheaper side as a band, this month as a point. */
export const BreakEvenChart = memo(function BreakEvenChart({ chart }: BreakEvenChartProps) {
  const styles = useSeriesStyles(chart);
  const settled = useDeferredValue(chart);
  return (
    <figure className="grid gap-3">
      <Drawing chart={chart} styles={styles} />
      <ChartLegend chart={settled} styles={styles} />
      <ChartTable chart={settled} />
    </figure>
  );
});

type DrawingProps = BreakEvenChartProps & { styles: SeriesStyles };

/** Axes and lines that are the same as before are the same elements: the chart library then has only the points to place anew. */
function Drawing({ chart, styles }: DrawingProps) {
  const { lines, upTo, currency } = chart;
  const { top, rows } = useMemo(() => ({ top: costTop(chart), rows: chart.rows.map(({ pages, costs }) => ({ pages, ...heights(costs) })) }), [chart]);
  const across = useMemo(() => <XAxis {...axis} dataKey="pages" type="number" domain={[0, upTo]} tickFormatter={formatCount} ticks={axisTicks(upTo)} label={pagesLabel} />, [upTo]);
  const upwards = useMemo(
    () => <YAxis {...axis} type="number" domain={[0, top]} allowDataOverflow ticks={axisTicks(top)} tickFormatter={formatTick} width={72} label={costLabel(currency)} />,
    [top, currency],
  );
  const names = JSON.stringify(lines);
  const drawn = useMemo(() => linesOf(JSON.parse(names) as CostChart["lines"], styles), [names, styles]); // written one line above
  return (
    <div role="img" aria-label={chartSummary(chart)} className="h-80 w-full min-w-0">
      <ResponsiveContainer width="100%" height="100%" initialDimension={firstSize}>
        <LineChart data={rows} margin={margin} accessibilityLayer={false}>
          {still}
          {bandAreas(chart)}
          {across}
          {upwards}
          <Tooltip content={<ChartTooltip chart={chart} styles={styles} />} cursor={cursor} isAnimationActive={false} />
          {drawn}
          {crossingDots(chart)}
          {monthDots(chart)}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}

const firstSize = { width: 720, height: 320 };
const margin = { top: 24, right: 40, bottom: 20, left: 12 };
const cursor = { stroke: "var(--muted-foreground)", strokeDasharray: "2 2" };
const still = [<BandPattern key="pattern" />, <CartesianGrid key="grid" vertical={false} stroke="var(--border)" />];
const activeDot = { r: 3 };

function linesOf(lines: CostChart["lines"], styles: SeriesStyles) {
  return lines.map(({ id, name }) => <Line key={id} dataKey={id} name={name} type="linear" {...lineStyle(styles.get(id))} dot={false} activeDot={activeDot} isAnimationActive={false} />);
}

const pagesLabel = {
  value: "pages a month",
  position: "insideBottomRight",
  offset: -12,
  fill: "var(--muted-foreground)",
  fontSize: 12,
} as const;

function costLabel(currency: string) {
  return { value: `${currency} a month`, position: "top", offset: 12, fill: "var(--muted-foreground)", fontSize: 12 } as const;
}

/** Floats only here, where amounts become pixels. */
function heights(costs: ChartRow["costs"]): Record<string, number | null> {
  return Object.fromEntries(Object.entries(costs).map(([id, cost]) => [id, cost === null ? null : Number(cost)]));
}

function formatTick(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : value.toFixed(2);
}

export type SeriesStyles = Map<string, SeriesStyle>;

/** The same styles while the lines are the same. */
function useSeriesStyles(chart: CostChart): SeriesStyles {
  const lines = JSON.stringify(chart.lines.map(({ id, side }) => ({ id, side })));
  return useMemo(() => {
    const named = JSON.parse(lines) as Pick<CostChart["lines"][number], "id" | "side">[]; // written two lines above
    const apis = named.filter((line) => line.side === "api");
    return new Map(named.map((line) => [line.id, line.side === "self" ? selfSeries : apiSeriesAt(apis.indexOf(line))]));
  }, [lines]);
}

function lineStyle({ color, strokeDasharray, strokeWidth }: SeriesStyle = selfSeries) {
  return { stroke: color, strokeWidth, ...(strokeDasharray ? { strokeDasharray } : {}) };
}

/** The API's band is hatched as well as tinted, so that the sides differ without colour. */
function BandPattern() {
  return (
    <defs>
      <pattern id="cost-band-api" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="6" height="6" fill="var(--data-api-1)" fillOpacity={0.08} />
        <line x1="0" y1="0" x2="0" y2="6" stroke="var(--data-api-1)" strokeOpacity={0.14} strokeWidth="2" />
      </pattern>
    </defs>
  );
}

function bandAreas({ bands }: CostChart) {
  return bands
    .filter(({ cheaper }) => cheaper !== "tie")
    .map(({ from, to, cheaper }) => (
      <ReferenceArea
        key={from}
        x1={from}
        x2={to}
        strokeOpacity={0}
        {...(cheaper === "self" ? { fill: "var(--data-self)", fillOpacity: 0.08 } : { fill: "url(#cost-band-api)", fillOpacity: 1 })}
      />
    ));
}

function crossingDots(chart: CostChart) {
  const labelled = labelledCrossings(chart);
  const label = (pages: number) => ({ value: formatCount(pages), position: "top", fill: "var(--foreground)", fontSize: 12 }) as const;
  return chart.crossings.map(({ pages, cost }) => (
    <ReferenceDot
      key={pages}
      x={pages}
      y={Number(cost)}
      r={3.5}
      fill="var(--card)"
      stroke="var(--foreground)"
      strokeWidth={1.5}
      {...(labelled.has(pages) ? { label: label(pages) } : {})}
    />
  ));
}

function monthDots({ here, forecast }: CostChart) {
  return [
    forecast && (
      <ReferenceDot
        key="forecast"
        x={forecast.pages}
        y={Number(forecast.cost)}
        r={5}
        fill="var(--card)"
        stroke="var(--data-self)"
        strokeWidth={2}
        strokeDasharray="2 2"
      />
    ),
    here && (
      <ReferenceDot
        key="here"
        x={here.pages}
        y={Number(here.cost)}
        r={5}
        fill="var(--data-self)"
        stroke="var(--card)"
        strokeWidth={2}
        label={{ value: "you are here", position: "bottom", fill: "var(--foreground)", fontSize: 12 }}
      />
    ),
  ];
}
