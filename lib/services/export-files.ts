import "server-only";
import type { ExportFormat } from "@/lib/domain/export-format";
import { toAlto, toHocr, toHtml, toPlainText, type MarkupPage } from "@/lib/domain/export-markup";
import { tablesOf, toCsv, type Table } from "@/lib/domain/export-table";
import { documentToMarkdown, toExport } from "@/lib/domain/grounding-markdown";
import { toXlsx } from "@/lib/platform/xlsx";
import { zip, type ZipEntry } from "@/lib/platform/zip";

export type ExportedRun = { name: string; model: string; mode: "grounding" | "plain"; pages: MarkupPage[] };
type NamedTable = { title: string; table: Table };

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

function tablesIn(run: ExportedRun): NamedTable[] {
  return run.pages.flatMap(({ number, blocks }) => blocks.filter(({ label }) => label !== "code").flatMap(tablesOf).map((table, index) => ({ title: `Page ${number}, table ${index + 1}`, table })));
}

/** Every form but the PDF, each made when it is asked for. */
export function toFiles(run: ExportedRun): Record<Exclude<ExportFormat, "pdf">, () => Uint8Array> {
  const files = {
    markdown: () => bytes(documentToMarkdown(run.pages.map(({ blocks }) => blocks))),
    json: () => bytes(JSON.stringify(toExport(run), null, 2)),
    html: () => bytes(toHtml(run)),
    text: () => bytes(toPlainText(run.pages)),
    csv: () => bytes(allAsCsv(tablesIn(run))),
    xlsx: () => toXlsx(tablesIn(run)),
    hocr: () => bytes(toHocr(run)),
    alto: () => bytes(toAlto(run)),
  };
  return { ...files, zip: () => zip([...Object.entries(ARCHIVED).map(([format, name]): ZipEntry => ({ name, bytes: files[format as keyof typeof ARCHIVED]() })), ...tableFiles(tablesIn(run))]) }; // keys of ARCHIVED
}

const ARCHIVED = { markdown: "document.md", json: "document.json", html: "document.html", text: "document.txt", hocr: "document.hocr", alto: "document.alto.xml" } as const;

/** One file can hold one table: several follow each other with their title and a blank line between. The mark at the start tells spreadsheets that it is UTF-8. */
function allAsCsv(tables: NamedTable[]): string {
  if (tables.length === 0) return "\uFEFF";
  const parts = tables.map(({ title, table }) => (tables.length === 1 ? toCsv(table) : `"${title}"\r\n${toCsv(table)}`));
  return `\uFEFF${parts.join("\r\n")}`;
}

function tableFiles(tables: NamedTable[]): ZipEntry[] {
  return tables.map(({ title, table }) => ({ name: `tables/${title.toLowerCase().replace(/, | /g, "-")}.csv`, bytes: bytes(`\uFEFF${toCsv(table)}`) }));
}
