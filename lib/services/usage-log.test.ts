import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { costsReport } from "./costs";
import { execute } from "./pipeline";
import { countPage, countPages, type PageUse } from "./usage-log";
import { pruneUsage } from "./usage-retention";

const database = useDatabase();
let environmentId: string, owner: Awaited<ReturnType<typeof createPerson>>;
const NOW = new Date("2026-11-21T12:00:00Z");
const page = (changes: Partial<PageUse> = {}): PageUse => ({ id: randomUUID(), at: new Date("2026-11-10T09:59:59.999Z"), environmentId, deploymentId: null, modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge", feature: "gateway", userId: owner.id, tokenId: null, promptTokens: 10, completionTokens: 5, seconds: 1.5, ...changes });
const report = async (month: string) => (await execute(costsReport, { db: database.db, caller: owner.caller, input: { environmentId, month }, now: NOW })).report.pages;
const count = (uses: PageUse[]) => database.db.$transaction((tx) => countPages(tx, uses));

beforeAll(async () => {
  environmentId = await createEnvironment(database.db, "counted");
  owner = await createPerson(database.db, "Owner", { isOwner: true });
});

describe("a page", () => {
  it("is counted once, however often it is told, also by several at the same time", async () => {
    const one = page();
    const told = await Promise.all(Array.from({ length: 8 }, () => database.db.$transaction((tx) => countPage(tx, one))));
    expect(told.filter(Boolean)).toHaveLength(1);
    expect(await report("2026-11")).toBe(1);
  });

  it("is rolled up by hour, and by hour and person, in the same transaction", async () => {
    const uses = [page(), page({ at: new Date("2026-11-10T10:00:00Z") }), page({ feature: "batch", userId: null, tokenId: randomUUID() })];
    expect(await count([...uses, ...uses.slice(0, 1)])).toBe(3);
    const hours = await database.db.usageHour.findMany({ where: { environmentId }, orderBy: [{ hour: "asc" }, { feature: "desc" }] });
    expect(hours.map(({ hour, feature, pages, seconds }) => [hour.toISOString(), feature, pages, seconds])).toEqual([
      ["2026-11-10T09:00:00.000Z", "gateway", 2, 3],
      ["2026-11-10T09:00:00.000Z", "batch", 1, 1.5],
      ["2026-11-10T10:00:00.000Z", "gateway", 1, 1.5],
    ]);
    const totals = await database.db.usageTotal.findMany({ where: { environmentId }, orderBy: [{ hour: "asc" }, { feature: "asc" }] });
    expect(totals.map(({ hour, feature, pages }) => [hour.toISOString(), feature, Number(pages)])).toEqual([["2026-11-10T09:00:00.000Z", "batch", 1], ["2026-11-10T09:00:00.000Z", "gateway", 2], ["2026-11-10T10:00:00.000Z", "gateway", 1]]);
    const people = await database.db.usagePersonHour.findMany({ where: { environmentId, userKey: owner.id } });
    expect(people.reduce((sum, row) => sum + row.pages, 0)).toBe(3);
    expect(await database.db.usagePersonHour.count({ where: { environmentId, tokenKey: { not: "" } } })).toBe(1);
  });

  it("leaves nothing behind when its transaction fails", async () => {
    const before = await report("2026-11");
    await expect(database.db.$transaction(async (tx) => { await countPages(tx, [page()]); throw new Error("crash"); })).rejects.toThrow("crash");
    expect(await report("2026-11")).toBe(before);
  });

  it("keeps its hour when its raw row has passed its time", async () => {
    await count([page({ at: new Date("2025-01-05T10:00:00Z") })]);
    expect(await pruneUsage(database.db, NOW)).toBe(1);
    expect(await database.db.usageEntry.count({ where: { at: { lt: new Date("2025-06-01") } } })).toBe(0);
    expect(await report("2025-01")).toBe(1);
  });
});
