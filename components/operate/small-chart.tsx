import { ClockTime } from "@/components/ui/time";

export type SmallChartProps = {
  title: string;
  /** One value a step; null where nothing was measured, which is not zero. */
  values: readonly (number | null)[];
  format: (value: number) => string;
  /** Bars for what is counted, a line for what is measured. */
  shape: "line" | "bars";
  /** Places of events on the same axis, 0 to 1. */
  marks: readonly { share: number; text: string }[];
  from: number;
  to: number;
};

const WIDTH = 300;
const HEIGHT = 56;

/** One figure over time with the events on it; in words for whoever cannot see it. */
export function SmallChart({ title, values, format, shape, marks, from, to }: SmallChartProps) {
  const known = values.filter((value) => value !== null);
  const last = values.findLast((value) => value !== null) ?? null;
  const most = known.length > 0 ? Math.max(...known) : 0;
  const words = known.length === 0 ? "nothing measured" : `now ${last === null ? "unknown" : format(last)}, at most ${format(most)}`;
  return (
    <figure className="grid min-w-0 gap-1">
      <figcaption className="flex items-baseline justify-between gap-2">
        <span className="text-sm text-muted-foreground">{title}</span>
        <span className="font-medium tabular-nums">{last === null ? "–" : format(last)}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={`${title}: ${words}`} className="h-14 w-full overflow-visible">
        <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-border" vectorEffect="non-scaling-stroke" />
        {marks.map(({ share, text }, index) => (
          <line key={index} x1={share * WIDTH} x2={share * WIDTH} y1="0" y2={HEIGHT} className="stroke-muted-foreground/60" strokeDasharray="2 3" vectorEffect="non-scaling-stroke">
            <title>{text}</title>
          </line>
        ))}
        {shape === "line" ? <path d={lineOf(values, most)} fill="none" strokeWidth="2" strokeLinejoin="round" className="stroke-accent" vectorEffect="non-scaling-stroke" /> : <path d={barsOf(values, most)} className="fill-accent" />}
      </svg>
      <p className="flex justify-between text-sm text-muted-foreground">
        <ClockTime at={new Date(from).toISOString()} />
        <span>{known.length === 0 ? "not measured" : `most ${format(most)}`}</span>
        <ClockTime at={new Date(to).toISOString()} />
      </p>
    </figure>
  );
}

const y = (value: number, most: number) => HEIGHT - 1 - (most > 0 ? value / most : 0) * (HEIGHT - 4);

/** A gap breaks the line; a value alone between two gaps is a short dash. */
function lineOf(values: SmallChartProps["values"], most: number): string {
  const step = WIDTH / Math.max(1, values.length);
  let isOn = false;
  return values
    .map((value, index) => {
      if (value === null) return (isOn = false), "";
      const at = (index * step).toFixed(1);
      const part = `${isOn ? "L" : "M"}${at} ${y(value, most).toFixed(1)}h${(step * 0.9).toFixed(1)}`;
      isOn = true;
      return part;
    })
    .join("");
}

function barsOf(values: SmallChartProps["values"], most: number): string {
  const step = WIDTH / Math.max(1, values.length);
  return values.map((value, index) => (value ? `M${(index * step).toFixed(1)} ${HEIGHT - 1}V${y(value, most).toFixed(1)}h${(step * 0.8).toFixed(1)}V${HEIGHT - 1}z` : "")).join("");
}
