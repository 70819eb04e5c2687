import { z } from "zod";
import { parseCsv, type CsvRow } from "./csv";
import { PurchaseMode } from "./price-book";

export const ImportKind = z.enum(["pages", "nodes"]);
export type ImportKind = z.infer<typeof ImportKind>;

/** What a file of a kind can say, and the names by which columns are recognised. */
const FIELDS = {
  pages: {
    hour: { isNeeded: true, names: ["hour", "time", "at", "date", "timestamp"] },
    pages: { isNeeded: true, names: ["pages", "page count", "count"] },
    model: { isNeeded: false, names: ["model", "model id"] },
    nodeType: { isNeeded: true, names: ["node type", "sku", "instance type"] },
    feature: { isNeeded: false, names: ["feature", "source"] },
  },
  nodes: {
    from: { isNeeded: true, names: ["from", "start", "started at"] },
    to: { isNeeded: true, names: ["to", "end", "ended at"] },
    node: { isNeeded: true, names: ["node", "name"] },
    nodeType: { isNeeded: true, names: ["node type", "sku", "instance type"] },
    region: { isNeeded: false, names: ["region"] },
    mode: { isNeeded: false, names: ["mode", "purchase mode", "purchase"] },
    share: { isNeeded: false, names: ["share", "gpu share"] },
    use: { isNeeded: false, names: ["use"] },
  },
} as const;

/** The column (from 0) of each field; a field without one takes its usual value. */
export type ImportMapping = Record<string, number>;
export type ImportProblem = { line: number; field: string; message: string };
export type PageRow = { hour: Date; pages: number; modelId: string; skuId: string; feature: string };
export type NodeRow = { startedAt: Date; endedAt: Date; node: string; skuId: string; region: string; mode: PurchaseMode; share: number; use: "held" | "kept" };
export type ImportReading = { header: string[]; mapping: ImportMapping; pages: PageRow[]; nodes: NodeRow[]; problems: ImportProblem[]; rows: number };

export function importFields(kind: ImportKind): { name: string; isNeeded: boolean }[] {
  return Object.entries(FIELDS[kind]).map(([name, { isNeeded }]) => ({ name, isNeeded }));
}

/** The columns by their names in the header; what is not recognised is left for a person to map. */
export function guessMapping(kind: ImportKind, header: string[]): ImportMapping {
  const heads = header.map((head) => head.trim().toLowerCase().replaceAll("_", " "));
  const found = Object.entries(FIELDS[kind]).map(([name, { names }]): [string, number] => [name, heads.findIndex((head) => (names as readonly string[]).includes(head))]);
  return Object.fromEntries(found.filter(([, column]) => column >= 0));
}

export const MOST_IMPORT_ROWS = 50_000;

/** Reads a file of history: its rows, and each fault with its line. `skus` are the node types that the price book lists. Pure, so that a preview and the import agree. */
export function readImport(kind: ImportKind, text: string, options: { skus: readonly string[]; mapping?: ImportMapping | undefined }): ImportReading {
  const [head, ...rows] = parseCsv(text);
  const header = head?.cells ?? [];
  const mapping = options.mapping ?? guessMapping(kind, header);
  const reading: ImportReading = { header, mapping, pages: [], nodes: [], problems: [], rows: rows.length };
  for (const { name, isNeeded } of importFields(kind))
    if (isNeeded && mapping[name] === undefined) reading.problems.push({ line: 1, field: name, message: "No column is mapped to it." });
  if (rows.length > MOST_IMPORT_ROWS) reading.problems.push({ line: MOST_IMPORT_ROWS + 2, field: "file", message: `A file may hold ${MOST_IMPORT_ROWS} rows: split it.` });
  if (reading.problems.length > 0) return reading;
  const known = new Set(options.skus);
  const readRow = kind === "pages" ? readPages : readNodes;
  for (const row of rows) readRow(row, { reading, known });
  if (kind === "nodes") noteOverlaps(reading);
  return reading;
}

type Target = { reading: ImportReading; known: ReadonlySet<string> };
type Row = { text(name: string): string; fault(field: string, message: string): null };

function rowOf({ line, cells }: CsvRow, { reading }: Target): Row {
  return {
    text: (name) => cells[reading.mapping[name] ?? -1]?.trim() ?? "",
    fault: (field, message) => {
      reading.problems.push({ line, field, message });
      return null;
    },
  };
}

/** Instants need a zone: a bare local time would mean another hour on another machine. */
function instant(row: Row, field: string): Date | null {
  const text = row.text(field);
  const at = Date.parse(text);
  if (Number.isNaN(at)) return row.fault(field, `"${text}" is no instant: write it like 2026-11-01T09:00:00Z.`);
  if (!/(Z|[+-]\d{2}:?\d{2})$/.test(text)) return row.fault(field, `"${text}" names no time zone: end it with Z or an offset like +01:00.`);
  return new Date(at);
}

function nodeType(row: Row, known: ReadonlySet<string>): string | null {
  const skuId = row.text("nodeType");
  return known.has(skuId) ? skuId : row.fault("nodeType", `"${skuId}" is not in the price book: enter the node type there first.`);
}

function readPages(source: CsvRow, target: Target): void {
  const row = rowOf(source, target);
  const at = instant(row, "hour");
  const skuId = nodeType(row, target.known);
  const text = row.text("pages");
  const pages = /^\d{1,9}$/.test(text) ? Number(text) : row.fault("pages", `"${text}" is no whole number of pages.`);
  if (!at || !skuId || pages === null) return;
  const hour = new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000);
  target.reading.pages.push({ hour, pages, skuId, modelId: row.text("model") || "imported", feature: row.text("feature") || "import" });
}

function readNodes(source: CsvRow, target: Target): void {
  const row = rowOf(source, target);
  const [startedAt, endedAt, skuId] = [instant(row, "from"), instant(row, "to"), nodeType(row, target.known)];
  const node = row.text("node") || row.fault("node", "The node has no name.");
  const mode = PurchaseMode.safeParse(row.text("mode") || "on_demand").data ?? row.fault("mode", `"${row.text("mode")}" is no purchase mode: on_demand, spot, commit_1y or commit_3y.`);
  const shareText = row.text("share") || "1";
  const share = Number(shareText) > 0 && Number(shareText) <= 1 ? Number(shareText) : row.fault("share", `"${shareText}" is no share: it lies between 0 and 1.`);
  const use = row.text("use") === "kept" ? "kept" : "held";
  if (!startedAt || !endedAt || !skuId || !node || !mode || share === null) return;
  if (endedAt <= startedAt) row.fault("to", "The end is not after the start.");
  else target.reading.nodes.push({ startedAt, endedAt, node, skuId, region: row.text("region"), mode, share, use });
}

/** A node cannot be paid more than once at a time: whole shares that overlap are faults. */
function noteOverlaps({ nodes, problems }: ImportReading): void {
  const sorted = nodes.map((row, index) => ({ row, line: index + 2 })).sort((a, b) => a.row.startedAt.getTime() - b.row.startedAt.getTime());
  const last = new Map<string, Date>();
  for (const { row, line } of sorted) {
    const before = last.get(row.node);
    if (row.share === 1 && before && before > row.startedAt) problems.push({ line, field: "from", message: `The node ${row.node} is paid already at that time by another row.` });
    if (!before || row.endedAt > before) last.set(row.node, row.endedAt);
  }
}
