import { cn } from "./cn";

export type ProgressProps = {
  /** What goes forward: "Reading page 3 of 12". */
  label: string;
  /** Leave out while the end is not known. */
  value?: number;
  max?: number;
  /** The state in words, when a percentage says too little. */
  valueText?: string;
  showLabel?: boolean;
  className?: string;
};

export function Progress({ label, value, max = 100, valueText, showLabel, className }: ProgressProps) {
  const share = value === undefined || max <= 0 ? undefined : Math.min(1, Math.max(0, value / max));
  return (
    <div data-slot="progress" className={cn("grid min-w-0 gap-1", className)}>
      {showLabel && (
        <span className="flex justify-between gap-3 text-sm text-muted-foreground">
          <span className="truncate">{label}</span>
          {valueText && <span className="shrink-0 tabular-nums">{valueText}</span>}
        </span>
      )}
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={value}
        aria-valuetext={valueText}
        className="h-1.5 overflow-hidden rounded-full bg-muted"
      >
        <div
          className={cn("h-full rounded-full bg-accent transition-[width]", share === undefined && "w-1/3 animate-pulse")}
          style={share === undefined ? undefined : { width: `${share * 100}%` }}
        />
      </div>
    </div>
  );
}
