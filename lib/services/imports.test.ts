import { beforeAll, describe, expect, it } from "vitest";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { costsReport } from "./costs";
import { importsCreate, importsList, importsUndo } from "./imports";
import { execute } from "./pipeline";

const database = useDatabase();
type Person = Awaited<ReturnType<typeof createPerson>>;
let admin: Person, viewer: Person, stranger: Person, environmentId: string;

const PAGES = "\uFEFFhour;pages;sku;feature\r\n2026-10-01T09:00:00+02:00;1200;aws-g6-xlarge;batch\r\n2026-10-01T09:30:00+02:00;300;aws-g6-xlarge;batch\r\n2026-10-31T23:30:00Z;50;aws-g6-xlarge;\r\n";
const NODES = "from,to,node,sku,region,mode,share\n2026-10-01T00:00:00Z,2026-10-11T00:00:00Z,n1,aws-g6-xlarge,us-east-1,on_demand,1\n2026-10-11T00:00:00Z,2026-10-12T12:00:00Z,n1,aws-g6-xlarge,us-east-1,spot,1\n";
const create = (who: Person, input: object) => execute(importsCreate, { db: database.db, caller: who.caller, input: { environmentId, fileName: "october.csv", ...input } });
const october = async () => (await execute(costsReport, { db: database.db, caller: viewer.caller, input: { environmentId, month: "2026-10" }, now: new Date("2026-11-30T12:00:00Z") })).report;

beforeAll(async () => {
  environmentId = await createEnvironment(database.db, "history");
  admin = await createPerson(database.db, "Admin", { roles: { [environmentId]: "admin" } });
  viewer = await createPerson(database.db, "Viewer", { roles: { [environmentId]: "viewer" } });
  stranger = await createPerson(database.db, "Stranger");
});

describe("history from CSV", () => {
  it("names every fault by its line and imports nothing of the file", async () => {
    const text = "hour,pages,sku\n2026-10-01T09:00:00,1,aws-g6-xlarge\n2026-10-01T09:00:00Z,-5,aws-g6-xlarge\n2026-10-01T09:00:00Z,5,own-rack\n2026-10-01T10:00:00Z,5,aws-g6-xlarge\n";
    await expect(create(admin, { kind: "pages", text })).rejects.toMatchObject({
      code: "invalid_input",
      fields: [
        { path: "line 2, hour", message: expect.stringContaining("names no time zone") },
        { path: "line 3, pages", message: '"-5" is no whole number of pages.' },
        { path: "line 4, nodeType", message: expect.stringContaining("not in the price book") },
      ],
    });
    expect(await database.db.importedHour.count()).toBe(0);
  });

  it("counts pages and node hours like logged ones, each at its purchase mode", async () => {
    await create(admin, { kind: "pages", text: PAGES });
    await create(admin, { kind: "nodes", text: NODES, fileName: "nodes.csv" });
    const report = await october();
    expect(report.pages).toBe(1550);
    expect(report.self.lines.map(({ name, hours, cost }) => [name, hours, cost?.amount])).toEqual([
      ["g6.xlarge (us-east-1, on demand)", "240.00", "193.152000000"],
      ["g6.xlarge (us-east-1, spot)", "36.00", "21.780000000"],
    ]);
  });

  it("does not count the same hours twice, unless the file says that it adds", async () => {
    await expect(create(admin, { kind: "pages", text: PAGES })).rejects.toMatchObject({ code: "conflict" });
    await expect(create(admin, { kind: "nodes", text: NODES })).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("n1") });
    const twice = "from,to,node,sku\n2026-10-20T00:00:00Z,2026-10-22T00:00:00Z,n9,aws-g6-xlarge\n2026-10-21T00:00:00Z,2026-10-23T00:00:00Z,n9,aws-g6-xlarge\n";
    await expect(create(admin, { kind: "nodes", text: twice })).rejects.toMatchObject({ code: "invalid_input", fields: [{ path: "line 3, from", message: expect.stringContaining("paid already") }] });
  });

  it("is taken back whole, once", async () => {
    const { imports } = await execute(importsList, { db: database.db, caller: viewer.caller, input: { environmentId } });
    expect(imports.map(({ fileName, rows, by }) => [fileName, rows, by])).toEqual([["nodes.csv", 2, "Admin"], ["october.csv", 3, "Admin"]]);
    for (const one of imports) await execute(importsUndo, { db: database.db, caller: admin.caller, input: { id: one.id } });
    const report = await october();
    expect([report.pages, report.self.lines]).toEqual([0, []]);
    await expect(execute(importsUndo, { db: database.db, caller: admin.caller, input: { id: imports[0]?.id } })).rejects.toMatchObject({ code: "not_found" });
  });

  it("is for admins of the environment; others do not even learn of it", async () => {
    await expect(create(viewer, { kind: "pages", text: PAGES })).rejects.toMatchObject({ code: "forbidden" });
    await expect(create(stranger, { kind: "pages", text: PAGES })).rejects.toMatchObject({ code: "not_found" });
    const done = await create(admin, { kind: "pages", text: "a,b,c\n2026-10-02T09:00:00Z,7,aws-g6-xlarge\n", mapping: { hour: 0, pages: 1, nodeType: 2 } });
    await expect(execute(importsUndo, { db: database.db, caller: stranger.caller, input: { id: done.id } })).rejects.toMatchObject({ code: "not_found" });
    expect(await database.db.auditEvent.count({ where: { action: "imports.create", outcome: "success" } })).toBe(3);
  });
});
