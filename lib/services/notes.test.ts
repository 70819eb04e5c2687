import { beforeAll, describe, expect, it } from "vitest";
import { cents } from "@/lib/domain/cost-format";
import { parseCsv } from "@/lib/domain/csv";
import { readZip } from "@/lib/platform/zip-read";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { costsReport, costsTotal } from "./costs";
import { costsExport, costsExportTotal } from "./costs-export";
import { invoicesGet, invoicesSet } from "./invoices";
import { notesAdd, notesList, notesRemove } from "./notes";
import { execute } from "./pipeline";

const database = useDatabase();
type Person = Awaited<ReturnType<typeof createPerson>>;
let environmentId: string, otherId: string, admin: Person, viewer: Person;
const call = (who: Person, input: object) => ({ db: database.db, caller: who.caller, input, now: new Date("2026-11-16T00:00:00Z") });
const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 10, day, hour));

beforeAll(async () => {
  environmentId = await createEnvironment(database.db, "noted");
  otherId = await createEnvironment(database.db, "other");
  admin = await createPerson(database.db, "Admin", { roles: { [environmentId]: "admin", [otherId]: "viewer" } });
  viewer = await createPerson(database.db, "Viewer", { roles: { [environmentId]: "viewer" } });
  for (const [id, day] of [[environmentId, 3], [environmentId, 5], [otherId, 4]] as const)
    await database.db.nodeInterval.create({ data: { environmentId: id, node: `n${day}`, skuId: "aws-g6-xlarge", region: "us-east-1", mode: day === 5 ? "spot" : "on_demand", startedAt: at(1), endedAt: at(day, 7), lastSeenAt: at(day, 7) } });
});

describe("notes on the cost chart", () => {
  it("stand on their day, are everybody's to read and their writer's to remove", async () => {
    const { id } = await execute(notesAdd, call(viewer, { environmentId, day: "2026-11-05", text: "second node added" }));
    await execute(notesAdd, call(admin, { environmentId, day: "2026-12-01", text: "next month" }));
    expect((await execute(notesList, call(admin, { environmentId, month: "2026-11" }))).notes).toMatchObject([{ day: "2026-11-05", text: "second node added", by: "Viewer", isMine: false }]);
    const { id: theirs } = await execute(notesAdd, call(admin, { environmentId, day: "2026-11-06", text: "moved to OCR 4" }));
    await expect(execute(notesRemove, call(viewer, { id: theirs }))).rejects.toMatchObject({ code: "forbidden" });
    await execute(notesRemove, call(admin, { id }));
    await execute(notesRemove, call(admin, { id: theirs }));
    expect((await execute(notesList, call(viewer, { environmentId, month: "2026-11" }))).notes).toEqual([]);
  });
});

describe("an invoice", () => {
  it("is entered by an admin, kept apart from the total, and taken out again", async () => {
    const before = (await execute(costsReport, call(viewer, { environmentId }))).report.self.total;
    const invoice = { amount: "540.00", currency: "USD", source: "invoice 7" };
    await expect(execute(invoicesSet, call(viewer, { environmentId, month: "2026-11", invoice }))).rejects.toMatchObject({ code: "forbidden" });
    await execute(invoicesSet, call(admin, { environmentId, month: "2026-11", invoice }));
    expect((await execute(invoicesGet, call(viewer, { environmentId, month: "2026-11" }))).invoice).toEqual({ ...invoice, by: "Admin" });
    expect((await execute(costsReport, call(viewer, { environmentId }))).report.self.total).toEqual(before);
    await execute(invoicesSet, call(admin, { environmentId, month: "2026-11", invoice: null }));
    expect((await execute(invoicesGet, call(viewer, { environmentId, month: "2026-11" }))).invoice).toBeNull();
  });
});

describe("over all environments", () => {
  it("each sees the total of what she may see", async () => {
    const total = async (who: Person) => (await execute(costsTotal, call(who, {}))).report.self.hours;
    const one = async (who: Person, id: string) => Number((await execute(costsReport, call(who, { environmentId: id }))).report.self.hours);
    expect(Number(await total(viewer))).toBe(await one(viewer, environmentId));
    expect(Number(await total(admin))).toBe((await one(admin, environmentId)) + (await one(admin, otherId)));
  });
});

describe("the workbook", () => {
  const rowsOf = (file: { body: unknown }) => {
    const [sheet] = readZip(Buffer.from(file.body as Uint8Array), { maxEntries: 20, maxBytes: 1e7, maxEntryBytes: 1e7 }).filter(({ name }) => name.endsWith("sheet1.xml"));
    const xml = sheet?.read().toString() ?? "";
    expect(xml).not.toContain("<f>");
    return [...xml.matchAll(/<row r="\d+">(.*?)<\/row>/g)].map(([, row]) => row ?? "");
  };
  const amount = (row: string) => Number(/<c r="E\d+"><v>([^<]*)<\/v>/.exec(row)?.[1]);
  const sumOf = (rows: string[]) => rows.filter((row) => row.includes(">your GPUs</t>")).reduce((sum, row) => sum + amount(row), 0).toFixed(2);

  it("holds numbers that sum to the cent to what is shown, and no formula", async () => {
    const { report } = await execute(costsReport, call(viewer, { environmentId }));
    const file = await execute(costsExport, call(viewer, { environmentId, format: "xlsx" }));
    const rows = rowsOf(file);
    expect(rows.filter((row) => row.includes(">your GPUs</t>"))).toHaveLength(2);
    expect(sumOf(rows)).toBe(cents(report.self.total?.amount ?? ""));
    expect(file.fileName).toBe("costs-noted-2026-11.xlsx");
  });

  it("is the same over all environments, each person's own, as CSV too", async () => {
    for (const who of [viewer, admin]) {
      const { report } = await execute(costsTotal, call(who, {}));
      const file = await execute(costsExportTotal, call(who, { format: "xlsx" }));
      expect(sumOf(rowsOf(file))).toBe(cents(report.self.total?.amount ?? ""));
      expect(file.fileName).toBe("costs-all-2026-11.xlsx");
      const csv = parseCsv(Buffer.from((await execute(costsExportTotal, call(who, { format: "csv" }))).body as Uint8Array).toString());
      expect(csv.find(({ cells }) => cells[0] === "your GPUs, total")?.cells[4]).toBe(cents(report.self.total?.amount ?? ""));
    }
  });
});
