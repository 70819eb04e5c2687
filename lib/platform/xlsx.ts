import "server-only";
import { escapeMarkup } from "@/lib/domain/export-markup";
import { toGrid, type Table } from "@/lib/domain/export-table";
import { zip } from "./zip";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAX_CELL = 32_767;
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

function column(index: number): string {
  const rest = Math.floor(index / 26);
  return `${rest > 0 ? column(rest - 1) : ""}${String.fromCharCode(65 + (index % 26))}`;
}

const NUMBER = /^-?\d{1,15}(\.\d{1,12})?$/;

/** Every cell is text, as it was read: a workbook that guesses numbers and dates changes them, and text is never a formula. */
function sheet({ table, hasNumbers = false }: Sheet): string {
  const cell = (text: string, place: string) => {
    if (text === "") return "";
    if (hasNumbers && NUMBER.test(text)) return `<c r="${place}"><v>${text}</v></c>`;
    return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escapeMarkup(text.slice(0, MAX_CELL))}</t></is></c>`;
  };
  const rows = toGrid(table).map((cells, y) => `<row r="${y + 1}">${cells.map((text, x) => cell(text, `${column(x)}${y + 1}`)).join("")}</row>`);
  return `${head}<worksheet xmlns="${MAIN}"><sheetData>${rows.join("")}</sheetData></worksheet>`;
}

/** `hasNumbers`: plain decimals are numbers, so that a workbook can sum them; only for tables that we made ourselves. */
export type Sheet = { title: string; table: Table; hasNumbers?: boolean };

/** A workbook (ECMA-376) with one sheet for each table; one empty sheet when there is none. */
export function toXlsx(tables: readonly Sheet[]): Uint8Array {
  const sheets: readonly Sheet[] = tables.length > 0 ? tables : [{ title: "No tables", table: { rows: [] } }];
  const numbers = sheets.map((_, index) => index + 1);
  const files: Record<string, string> = {
    "[Content_Types].xml": `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${numbers.map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join("")}</Types>`,
    "_rels/.rels": `${head}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${head}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.map(({ title }, index) => `<sheet name="${escapeMarkup(title.slice(0, 31))}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${head}<Relationships xmlns="${RELATIONS}">${numbers.map((n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`).join("")}</Relationships>`,
  };
  const parts = [...Object.entries(files), ...sheets.map((one, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheet(one)] as const)];
  return zip(parts.map(([name, text]) => ({ name, bytes: Buffer.from(text) })));
}
