import type { LabelFamily } from "@/lib/domain/grounding-labels";

/** A hue and an outline, so that no family is told by colour alone. */
export type LabelStyle = { color: string; outline: "solid" | "dashed" | "dotted" | "double" };

export const labelStyles: Record<LabelFamily, LabelStyle> = {
  heading: { color: "var(--label-heading)", outline: "double" },
  text: { color: "var(--label-text)", outline: "solid" },
  list: { color: "var(--label-list)", outline: "dotted" },
  table: { color: "var(--label-table)", outline: "solid" },
  figure: { color: "var(--label-figure)", outline: "dashed" },
  formula: { color: "var(--label-code)", outline: "dotted" },
  margin: { color: "var(--label-margin)", outline: "dashed" },
};
