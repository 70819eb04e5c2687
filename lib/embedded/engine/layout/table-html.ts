import "server-only";

/** A cell with its plain text, how many columns and rows it takes. */
export type Cell = { text: string; columns: number; rows: number };

/** The table as HTML; a first row of words without a figure, no cell empty, becomes header cells. */
export function tableHtml(rows: readonly Cell[][]): string {
  const html = rows.map(
    (row, index) => `<tr>${row.map((cell) => cellHtml(cell, index === 0 && isHeader(row) ? "th" : "td")).join("")}</tr>`,
  );
  return `<table>${html.join("")}</table>`;
}

/** Whether text stands in at least two rows and at least two columns; less is not a table. */
export function isTabular(rows: readonly Cell[][]): boolean {
  const filledRows = rows.filter((row) => row.some((cell) => cell.text !== ""));
  const hasTwoColumns = rows.some((row) => row.filter((cell) => cell.text !== "").length >= 2);
  return filledRows.length >= 2 && hasTwoColumns;
}

function isHeader(row: readonly Cell[]): boolean {
  return row.length > 1 && row.every((cell) => /\p{L}/u.test(cell.text) && !/\d/.test(cell.text));
}

function cellHtml(cell: Cell, tag: "td" | "th"): string {
  const columns = cell.columns > 1 ? ` colspan="${cell.columns}"` : "";
  const rows = cell.rows > 1 ? ` rowspan="${cell.rows}"` : "";
  return `<${tag}${columns}${rows}>${escapeHtml(cell.text)}</${tag}>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
