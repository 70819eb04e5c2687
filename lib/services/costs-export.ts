import "server-only";
import { z } from "zod";
import { exportRows } from "@/lib/domain/cost-export";
import { writeCsv } from "@/lib/domain/csv";
import type { FileAnswer } from "@/lib/platform/door";
import { toXlsx } from "@/lib/platform/xlsx";
import { totalFor } from "./costs";
import { ReportChoice, reportOf, type ReportAnswer } from "./costs-report";
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

const Format = z.enum(["csv", "xlsx"]);
type About = { name: string; slug: string; format: z.infer<typeof Format> };

function fileOf({ report, sentence, timeZone }: ReportAnswer, { name, slug, format }: About): FileAnswer {
  const body = KINDS[format].bytes(exportRows(report, { environment: name, sentence, timeZone }));
  return { body, mediaType: KINDS[format].mediaType, fileName: `costs-${slug}-${report.month.key}.${format}`, bytes: body.byteLength };
}

export const costsExport = read({
  name: "costs.export",
  summary: "The month's report as a file for a spreadsheet: it sums to the cent to what is shown",
  permission: "cost.read",
  environment: async (input) => input.environmentId,
  answers: "file",
  input: ReportChoice.extend({ environmentId: z.uuid(), deploymentId: z.uuid().optional(), format: Format }),
  output: z.custom<FileAnswer>(),
  run: async ({ db, input: { environmentId, format, ...choice }, now }) => {
    const { id, name, slug } = await environmentById(db, environmentId);
    return fileOf(await reportOf(db, [id], { choice, now }), { name, slug, format });
  },
});

export const costsExportTotal = read({
  name: "costs.exportTotal",
  summary: "The same file over all environments whose costs I may see, sample data left out",
  permission: "cost.read",
  environment: "each",
  answers: "file",
  input: ReportChoice.extend({ format: Format }),
  output: z.custom<FileAnswer>(),
  run: async ({ caller, db, input: { format, ...choice }, now }) => {
    const answer = await totalFor(caller.actor, { db, choice, now });
    return fileOf(answer, { name: answer.environmentName, slug: "all", format });
  },
});
