import "server-only";
import { z } from "zod";
import { DomainError, notFound } from "@/lib/domain/errors";
import { ImportKind, readImport, type ImportReading, type PageRow } from "@/lib/domain/usage-import";
import type { Tx } from "@/lib/platform/db";
import { publish } from "./live";
import { read, write } from "./operation";
import { priceBook } from "./prices-book";

const ImportRow = z.strictObject({ id: z.uuid(), kind: ImportKind, fileName: z.string(), rows: z.number().int(), createdAt: z.iso.datetime(), by: z.string(), undoneAt: z.iso.datetime().nullable() });

export const importsList = read({
  name: "imports.list",
  summary: "Files of history that were imported into an environment",
  permission: "cost.read",
  environment: async (input) => input.environmentId,
  input: z.strictObject({ environmentId: z.uuid() }),
  output: z.strictObject({ imports: z.array(ImportRow) }),
  run: async ({ db, input }) => {
    const rows = await db.usageImport.findMany({ where: { environmentId: input.environmentId }, orderBy: { createdAt: "desc" }, take: 100 });
    const people = await db.user.findMany({ where: { id: { in: rows.flatMap((row) => row.createdById ?? []) } }, select: { id: true, name: true } });
    const nameOf = (id: string | null) => people.find((person) => person.id === id)?.name ?? "someone who has left";
    return {
      imports: rows.map((row) => ({
        id: row.id,
        kind: ImportKind.parse(row.kind),
        fileName: row.fileName,
        rows: row.rows,
        createdAt: row.createdAt.toISOString(),
        by: nameOf(row.createdById),
        undoneAt: row.undoneAt?.toISOString() ?? null,
      })),
    };
  },
});

/** Throws `invalid_input` with each fault and its line. */
function refuseFaults({ problems, rows }: ImportReading): void {
  if (rows === 0) throw new DomainError("invalid_input", "The file holds no rows below its header.");
  if (problems.length === 0) return;
  const fields = problems.slice(0, 100).map(({ line, field, message }) => ({ path: `line ${line}, ${field}`, message }));
  throw new DomainError("invalid_input", `Nothing was imported: ${problems.length} ${problems.length === 1 ? "fault" : "faults"}. Line ${problems[0]?.line}: ${problems[0]?.message}`, { fields });
}

export const importsCreate = write({
  name: "imports.create",
  summary: "Import pages by hour, or node hours, from a CSV file; all of it or nothing",
  permission: "environment.edit",
  environment: async (input) => input.environmentId,
  effect: "database",
  input: z.strictObject({
    environmentId: z.uuid(),
    kind: ImportKind,
    fileName: z.string().trim().min(1).max(200),
    text: z.string().min(1).max(900_000, "A file may hold 900 kB: split it."),
    mapping: z.record(z.string().max(20), z.int().min(0).max(200)).optional(),
    /** Hours that are logged already are refused unless this says that the file adds to them. */
    addsToLogged: z.boolean().default(false),
  }),
  output: z.strictObject({ id: z.uuid(), rows: z.number().int() }),
  target: (input, result) => ({ type: "import", ...(result ? { id: result.id } : {}), name: input.fileName, detail: { kind: input.kind, bytes: input.text.length, rows: result?.rows ?? null } }),
  run: async ({ db, input, caller }) => {
    const book = await priceBook(db);
    const reading = readImport(input.kind, input.text, { skus: book.gpu_skus.map((sku) => sku.id), mapping: input.mapping });
    refuseFaults(reading);
    const { environmentId } = input;
    if (!input.addsToLogged) await refuseOverlap(db, environmentId, reading);
    const { id } = await db.usageImport.create({ data: { environmentId, kind: input.kind, fileName: input.fileName, rows: reading.rows, createdById: caller.actor.userId }, select: { id: true } });
    if (reading.pages.length > 0) await db.importedHour.createMany({ data: sumHours(reading.pages).map((row) => ({ ...row, importId: id, environmentId })) });
    if (reading.nodes.length > 0) await db.nodeInterval.createMany({ data: reading.nodes.map((row) => ({ ...row, importId: id, environmentId, lastSeenAt: row.endedAt, startSource: "import", endSource: "import" })) });
    await publish(db, `usage:${environmentId}`, { data: { imported: reading.rows } });
    return { id, rows: reading.rows };
  },
});

/** The same hour, model, node type and feature may stand on several lines. */
function sumHours(rows: PageRow[]) {
  const sums = new Map<string, { hour: Date; modelId: string; skuKey: string; feature: string; pages: number }>();
  for (const { hour, modelId, skuId, feature, pages } of rows) {
    const key = [hour.getTime(), modelId, skuId, feature].join("\n");
    sums.set(key, { hour, modelId, skuKey: skuId, feature, pages: (sums.get(key)?.pages ?? 0) + pages });
  }
  return [...sums.values()];
}

/** Counting twice is worse than not counting. Throws `conflict` naming the first hour or node that is there already. */
async function refuseOverlap(db: Tx, environmentId: string, { pages, nodes }: ImportReading): Promise<void> {
  const hours = pages.map((row) => row.hour);
  const logged = hours.length > 0 ? await db.usageTotal.findFirst({ where: { environmentId, hour: { in: hours }, skuKey: { not: "" }, pages: { gt: 0 } }, orderBy: { hour: "asc" } }) : null;
  const earlier = hours.length > 0 ? await db.importedHour.findFirst({ where: { environmentId, hour: { in: hours } }, orderBy: { hour: "asc" } }) : null;
  const hour = logged?.hour ?? earlier?.hour;
  if (hour) throw new DomainError("conflict", `Pages of ${hour.toISOString()} are counted already. Take those lines out, or say that the file adds to them.`);
  for (const name of new Set(nodes.map((row) => row.node))) {
    const own = nodes.filter((row) => row.node === name);
    const there = await db.nodeInterval.findMany({ where: { environmentId, node: name }, select: { startedAt: true, endedAt: true } });
    const overlap = own.find((row) => there.some((one) => one.startedAt < row.endedAt && (one.endedAt === null || one.endedAt > row.startedAt)));
    if (overlap) throw new DomainError("conflict", `Time of the node ${name} from ${overlap.startedAt.toISOString()} is counted already. Take those lines out, or say that the file adds to it.`);
  }
}

export const importsUndo = write({
  name: "imports.undo",
  summary: "Take an imported file back: all that came with it is gone from every figure",
  permission: "environment.edit",
  environment: async (input, db) => (await db.usageImport.findUnique({ where: { id: input.id }, select: { environmentId: true } }))?.environmentId ?? null,
  effect: "database",
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({ rows: z.number().int() }),
  target: (input) => ({ type: "import", id: input.id }),
  run: async ({ db, input, now }) => {
    const found = await db.usageImport.findUnique({ where: { id: input.id } });
    if (!found || found.undoneAt) throw notFound("import");
    await db.importedHour.deleteMany({ where: { importId: input.id } });
    await db.nodeInterval.deleteMany({ where: { importId: input.id } });
    await db.usageImport.update({ where: { id: input.id }, data: { undoneAt: now } });
    await publish(db, `usage:${found.environmentId}`, { data: { undone: found.rows } });
    return { rows: found.rows };
  },
});
