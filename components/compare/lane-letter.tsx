import { laneStyle } from "./lane-style";

export function LaneLetter({ index }: { index: number }) {
  const { letter, color, outline } = laneStyle(index);
  return (
    <span className="inline-grid size-6 shrink-0 place-items-center rounded-sm text-sm font-semibold" style={{ color, border: `2px ${outline} ${color}` }}>
      {letter}
    </span>
  );
}
