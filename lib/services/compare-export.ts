import "server-only";
import { z } from "zod";
import { laneText } from "@/lib/domain/compare-lane";
import type { FileAnswer } from "@/lib/platform/door";
import { environmentOfComparison, lanesOf, openExpected, readableComparison, toComparisonRow, type LaneView } from "./compare-rows";
import { read } from "./operation";

export const compareExport = read({
  name: "compare.export",
  summary: "A comparison as a file: every figure as CSV, or figures and texts as JSON",
  permission: "document.read",
  environment: environmentOfComparison,
  audited: true,
  answers: "file",
  input: z.strictObject({ id: z.uuid(), format: z.enum(["csv", "json"]) }),
  output: z.custom<FileAnswer>(),
  target: (input) => ({ type: "comparison", id: input.id, detail: { format: input.format } }),
  run: async ({ caller, db, input }) => {
    const row = await readableComparison(db, caller.actor, input.id);
    const lanes = await lanesOf(db, caller.actor, row);
    const text = input.format === "csv" ? toCsv(lanes) : toJson({ comparison: toComparisonRow(row), expected: openExpected(row), lanes });
    const body = new TextEncoder().encode(text);
    const fileName = `${row.name.replace(/[^\p{L}\p{N} ._-]/gu, "_")} compared.${input.format}`;
    return { body, mediaType: input.format === "csv" ? "text/csv; charset=utf-8" : "application/json", fileName, bytes: body.byteLength };
  },
});

const COLUMNS = ["lane", "engine", "model", "preset", "prompt", "page", "state", "seconds", "prompt_tokens", "completion_tokens", "cost", "currency", "character_error_rate", "word_recall"];

function toCsv(lanes: readonly LaneView[]): string {
  const rows = lanes.flatMap((lane, index) =>
    lane.pages.map((page) => {
      const cost = lane.price && page.seconds !== null ? (lane.price.perHour * page.seconds) / 3600 : null;
      const facts = [index + 1, lane.engine, lane.modelId, lane.preset, lane.mode, page.number, page.state, page.seconds, page.promptTokens, page.completionTokens];
      return [...facts, cost, lane.price?.currency ?? null, page.score?.characterErrorRate ?? null, page.score?.wordRecall ?? null];
    }),
  );
  return [COLUMNS, ...rows].map((cells) => cells.map(cell).join(",")).join("\r\n") + "\r\n";
}

/** A name that begins like a formula is kept from being one. */
function cell(value: string | number | null): string {
  if (value === null) return "";
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function toJson({ lanes, ...rest }: { comparison: unknown; expected: unknown; lanes: readonly LaneView[] }): string {
  const withTexts = lanes.map((lane) => ({ ...lane, pages: lane.pages.map((page) => ({ ...page, text: laneText(page.answer) })) }));
  return JSON.stringify({ schema: "lectern.comparison/1", ...rest, lanes: withTexts }, null, 2);
}
