import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { catalogGet } from "./catalog";
import { catalogMeasured } from "./catalog-measured";
import { execute } from "./pipeline";
import { priceBook } from "./prices-book";

const database = useDatabase();
const now = new Date("2026-11-30T12:00:00Z");
let environmentId: string;
let viewer: Caller;
let stranger: Caller;

beforeAll(async () => {
  const { db } = database;
  const place = await db.environment.create({ data: { slug: "catalogue", name: "Catalogue", kind: "staging", namespace: "catalogue" } });
  environmentId = place.id;
  viewer = (await createPerson(db, "Viewer of the catalogue", { roles: { [place.id]: "viewer" } })).caller;
  stranger = (await createPerson(db, "Stranger to the catalogue", { roles: {} })).caller;
});

describe("prices in the catalogue", () => {
  it("are those of the database, from the instant on at which they count", async () => {
    const { db } = database;
    const size = async (at: Date) => (await execute(catalogGet, { db, caller: viewer, input: {}, now: at })).sizes.find((each) => each.id === "aws-g6-xlarge");
    const before = await size(now);
    expect(before?.price).toMatchObject({ state: "priced" });
    await priceBook(db);
    const row = await db.priceVersion.findFirstOrThrow({ where: { kind: "node", subject: "aws-g6-xlarge", mode: "on_demand" }, orderBy: [{ createdAt: "asc" }] });
    const value = { ...(row.value as object), per_hour: "9.87", effective_from: "2026-12-01T00:00:00.000Z" };
    await db.priceVersion.create({ data: { kind: row.kind, subject: row.subject, region: row.region, mode: row.mode, value, origin: "form", effectiveFrom: new Date("2026-12-01T00:00:00Z") } });
    expect((await size(now))?.price).toEqual(before?.price);
    expect((await size(new Date("2026-12-02T00:00:00Z")))?.price).toMatchObject({ state: "priced", perHour: "9.87" });
  });
});

describe("what was measured", () => {
  const facts = { weightsGib: 2.05, kvGib: 14.5, kvTokens: 135_700, concurrency: 8.28, graphsGib: 0.6 };
  const ask = (caller: Caller, skuId = "aws-g6-xlarge") => execute(catalogMeasured, { db: database.db, caller, input: { modelId: "lightonocr-3-1b", skuId }, now });

  it("is the newest log and the portal's own pages, for those who may see the environment", async () => {
    const { db } = database;
    expect(await ask(viewer)).toEqual({ logged: null, pages: null });
    const spec = { name: "contracts", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" };
    const deployment = await db.deployment.create({ data: { environmentId, name: "contracts", spec } });
    const revision = await db.revision.create({ data: { deploymentId: deployment.id, number: 1, spec, manifests: [], digest: randomUUID() } });
    await db.rollout.create({ data: { revisionId: revision.id, state: "ready", facts, startedAt: now, endedAt: now } });
    await db.usageHour.create({ data: { hour: new Date("2026-11-29T10:00:00Z"), environmentId, modelId: "lightonocr-3-1b", skuKey: "aws-g6-xlarge", feature: "playground", pages: 40, promptTokens: 1, completionTokens: 1, seconds: 100 } });
    expect(await ask(viewer)).toEqual({ logged: { facts, at: now.toISOString(), maxModelLen: null, deployment: "contracts", isSandbox: false }, pages: { count: 40, secondsPerPage: 2.5 } });
    const sample = await db.environment.create({ data: { slug: "sample-c", name: "Sample", kind: "staging", namespace: "sample-c", isSample: true } });
    await db.usageHour.create({ data: { hour: new Date("2026-11-29T11:00:00Z"), environmentId: sample.id, modelId: "lightonocr-3-1b", skuKey: "aws-g6-xlarge", feature: "playground", pages: 9000, promptTokens: 1, completionTokens: 1, seconds: 1 } });
    const owner = (await createPerson(db, "Owner who sees samples", { isOwner: true })).caller;
    expect((await ask(owner)).pages).toEqual({ count: 40, secondsPerPage: 2.5 });
    expect(await ask(viewer, "aws-g5-xlarge")).toEqual({ logged: null, pages: null });
    expect(await ask(stranger)).toEqual({ logged: null, pages: null });
  });
});
