import "server-only";
import { z } from "zod";
import { exportRows } from "@/lib/domain/cost-export";
import { writeCsv } from "@/lib/domain/csv";
import type { FileAnswer } from "@/lib/platform/door";
import { toXlsx } from "@/lib/platform/xlsx";
import { ReportChoice, reportOf } from "./costs-report";
import { environmentById } from "./environment-rows";
import { read } from "./operation";

const KINDS = {
  csv: { mediaType: "text/csv; charset=utf-8", bytes: (rows: Rows) => Buffer.from(writeCsv(rows)) },
  xlsx: { mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", bytes: (rows: Rows) => toXlsx([{ title: "Costs", table: tableOf(rows), hasNumbers: true }]) },
} as const;
type Rows = ReturnType<typeof exportRows>;

function tableOf(rows: Rows) {
  return { rows: rows.map((row, y) => row.map((cell) => ({ text: cell === null ? "" : String(cell), isHeader: y === 0, colSpan: 1, rowSpan: 1 }))) };
}

export const costsExport = read({
  name: "costs.export",
  summary: "The month's report as a file for a spreadsheet: it sums to the cent to what is shown",
  permission: "cost.read",
  environment: async (input) => input.environmentId,
  answers: "file",
  input: ReportChoice.extend({ environmentId: z.uuid(), deploymentId: z.uuid().optional(), format: z.enum(["csv", "xlsx"]) }),
  output: z.custom<FileAnswer>(),
  run: async ({ db, input: { environmentId, format, ...choice }, now }) => {
    const environment = await environmentById(db, environmentId);
    const { report, sentence, timeZone } = await reportOf(db, [environment.id], { choice, now });
    const body = KINDS[format].bytes(exportRows(report, { environment: environment.name, sentence, timeZone }));
    return { body, mediaType: KINDS[format].mediaType, fileName: `costs-${environment.slug}-${report.month.key}.${format}`, bytes: body.byteLength };
  },
});
