/** How a block looks in the overlay and the filter; "margin" is page furniture, which exports may leave out. */
export type LabelFamily = "heading" | "text" | "list" | "table" | "figure" | "formula" | "margin";

export const labelFamilies: readonly LabelFamily[] = ["heading", "text", "list", "table", "figure", "formula", "margin"];

// Labels of the model's README and cards, and the aliases that LightOn's benchmark code accepts.
const familyOfLabel = new Map<string, LabelFamily>([
  ["title", "heading"],
  ["section", "heading"],
  ["figure_title", "heading"],
  ["list", "list"],
  ["table", "table"],
  ["chart", "figure"],
  ["image", "figure"],
  ["figure", "figure"],
  ["formula", "formula"],
  ["code", "formula"],
  ["header", "margin"],
  ["footer", "margin"],
  ["page_number", "margin"],
  ["page_header", "margin"],
  ["page_footer", "margin"],
  ["header_image", "margin"],
  ["footer_image", "margin"],
]);

const generatedLabels = new Set(["chart", "image", "figure", "header_image", "footer_image"]);

/** The family of a label; the label set is open, so an unknown one is "text". */
export function labelFamily(label: string): LabelFamily {
  return familyOfLabel.get(label) ?? "text";
}

/** Whether the text of such a block is the model's own description or estimate and not text that stands on the page. */
export function isGenerated(label: string): boolean {
  return generatedLabels.has(label);
}
