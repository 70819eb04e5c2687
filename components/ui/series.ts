/** How a line of the charts is drawn: the same thing has the same colour and dash on every screen. */
export type SeriesStyle = { color: string; strokeDasharray: string | undefined; strokeWidth: number };

export const selfSeries: SeriesStyle = { color: "var(--data-self)", strokeDasharray: undefined, strokeWidth: 2 };

export const apiSeries: SeriesStyle[] = [
  { color: "var(--data-api-1)", strokeDasharray: "7 4", strokeWidth: 1.75 },
  { color: "var(--data-api-2)", strokeDasharray: "2 3", strokeWidth: 1.75 },
  { color: "var(--data-api-3)", strokeDasharray: "10 3 2 3", strokeWidth: 1.75 },
  { color: "var(--data-api-4)", strokeDasharray: "4 2 1.5 2 1.5 2", strokeWidth: 1.75 },
];

/** Past four the colours come round again, thinner. */
export function apiSeriesAt(index: number): SeriesStyle {
  const style = apiSeries[index % apiSeries.length] ?? selfSeries;
  return index < apiSeries.length ? style : { ...style, strokeWidth: 1 };
}
