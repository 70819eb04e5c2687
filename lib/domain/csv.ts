/** One record of a CSV file with the number of the line on which it begins (the header is line 1). */
export type CsvRow = { line: number; cells: string[] };

/** Reads CSV as RFC 4180 writes it: quoted cells may hold separators, quotes and line ends. A byte-order mark is taken off. */
export function parseCsv(text: string, separator = separatorOf(text)): CsvRow[] {
  const rows: CsvRow[] = [];
  let [cell, line, isQuoted] = ["", 1, false];
  let current: CsvRow = { line, cells: [] };
  const endRow = () => {
    current.cells.push(cell);
    if (current.cells.length > 1 || cell.trim() !== "") rows.push(current);
    cell = "";
    current = { line: line + 1, cells: [] };
  };
  const source = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at] ?? "";
    if (isQuoted && sign === '"' && source[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (!isQuoted && sign === separator) {
      current.cells.push(cell);
      cell = "";
    } else if (!isQuoted && sign === "\n") endRow();
    else cell += sign;
    if (sign === "\n") line += 1;
    if (sign === "\n" && !isQuoted) current.line = line;
  }
  if (cell !== "" || current.cells.length > 0) endRow();
  return rows;
}

/** The separator that the first line holds most of. */
function separatorOf(text: string): string {
  const [head = ""] = text.split(/\r?\n/, 1);
  const count = (sign: string) => head.split(sign).length;
  return [",", ";", "\t"].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ",");
}

/** Signs that make a spreadsheet run a cell as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** A CSV file for spreadsheets: UTF-8 with a byte-order mark, CRLF, and no cell that could run as a formula. */
export function writeCsv(rows: (string | number | null)[][]): string {
  const cellOf = (value: string | number | null) => {
    const text = value === null ? "" : String(value);
    const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
    return /[",\n\r;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `\uFEFF${rows.map((row) => row.map(cellOf).join(",")).join("\r\n")}\r\n`;
}
