/** A letter, a hue and an outline for each lane, so that none is told by colour alone; the same wherever the lane shows. */
export const LANE_STYLES = [
  { letter: "A", color: "var(--label-text)", outline: "solid" },
  { letter: "B", color: "var(--label-figure)", outline: "dashed" },
  { letter: "C", color: "var(--label-table)", outline: "dotted" },
  { letter: "D", color: "var(--label-code)", outline: "double" },
] as const;

export type LaneStyle = (typeof LANE_STYLES)[number];

export function laneStyle(index: number): LaneStyle {
  return LANE_STYLES[index] ?? LANE_STYLES[0];
}

export const PRESET_WORDS = { fast: "Fast: 1540 px", standard: "Standard", best: "Best: 5 MP" };
export const MODE_WORDS = { grounding: "Text with boxes", plain: "Text alone" };
