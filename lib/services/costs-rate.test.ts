import { beforeAll, describe, expect, it } from "vitest";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { costsReport } from "./costs";
import { measuredRates } from "./costs-rate";
import { execute } from "./pipeline";

const database = useDatabase();
const at = (hour: number) => new Date(Date.UTC(2026, 10, 10, hour));
const NOW = Date.UTC(2026, 10, 20);
let environmentId: string, viewer: Awaited<ReturnType<typeof createPerson>>;

beforeAll(async () => {
  environmentId = await createEnvironment(database.db, "rates");
  viewer = await createPerson(database.db, "Viewer", { roles: { [environmentId]: "viewer" } });
  await database.db.nodeInterval.create({ data: { environmentId, node: "n1", skuId: "aws-g6-xlarge", region: "us-east-1", startedAt: at(0), endedAt: at(12), lastSeenAt: at(12) } });
  // One node: a quiet hour, a full one, a fuller one.
  const hours = [[8, 60, 600], [9, 2_880, 20_000], [10, 3_240, 30_000]] as const;
  for (const [hour, pages, seconds] of hours)
    await database.db.usageHour.create({ data: { environmentId, hour: at(hour), modelId: "lightonocr-3-0.8b", skuKey: "aws-g6-xlarge", feature: "batch", pages, promptTokens: 0, completionTokens: 0, seconds } });
});

describe("a node's measured rate", () => {
  it("is that of its best full hour, and takes the estimate's place on the page, with its basis", async () => {
    const { report } = await execute(costsReport, { db: database.db, caller: viewer.caller, input: { environmentId, month: "2026-11" }, now: new Date(NOW) });
    expect(report.plan?.rate).toEqual({ pagesPerSecond: "0.9000", kind: "measured", basis: "3240 pages in 3600 node seconds, at least 4 at once, in the hour from 2026-11-10 10:00 UTC", source: "this portal's own log", asOf: "2026-11-10" });
  });

  it("is not made of quiet hours, nor of hours long past: there the listed rate stays", async () => {
    await database.db.usageHour.deleteMany({ where: { seconds: { gt: 1000 } } });
    await database.db.usageTotal.deleteMany({ where: { seconds: { gt: 1000 } } });
    expect(await measuredRates(database.db, [environmentId], NOW)).toEqual({});
    const { report } = await execute(costsReport, { db: database.db, caller: viewer.caller, input: { environmentId, month: "2026-11" }, now: new Date(NOW) });
    expect(report.plan?.rate?.kind).toBe("estimated");
  });
});
