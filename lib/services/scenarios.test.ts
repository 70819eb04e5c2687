import { beforeAll, describe, expect, it } from "vitest";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { costReport } from "@/lib/domain/cost-report";
import { solveWhatIf, whatIfOf } from "@/lib/domain/cost-whatif";
import { defaultPriceBook } from "@/lib/domain/price-book-default";
import { newestRate } from "@/lib/domain/price-rate";
import { execute } from "./pipeline";
import { pricesBook, pricesSet } from "./prices";
import { scenariosDelete, scenariosGet, scenariosList, scenariosSave } from "./scenarios";

const database = useDatabase();
type Person = Awaited<ReturnType<typeof createPerson>>;
let environmentId: string, owner: Person, viewer: Person, other: Person, stranger: Person;
const NOW = new Date("2026-11-21T00:00:00Z");
const book = defaultPriceBook();
const report = costReport({ month: "2026-11", now: NOW.getTime(), pages: 100_000, daysWithData: 20, nodes: [{ skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand", seconds: 3600 }], book, offerIds: ["acme"], model: "LightOnOCR-3-0.8B" });
const inputs = whatIfOf(report, ["textract-detect-text"], newestRate(book));
const as = (who: Person, input: object) => ({ db: database.db, caller: who.caller, input, now: NOW });
const save = (who: Person, name: string, extra: object = {}) => execute(scenariosSave, as(who, { environmentId, name, inputs, ...extra }));

beforeAll(async () => {
  environmentId = await createEnvironment(database.db, "scenes");
  owner = await createPerson(database.db, "Owner", { isOwner: true });
  viewer = await createPerson(database.db, "Viewer", { roles: { [environmentId]: "viewer" } });
  other = await createPerson(database.db, "Other viewer", { roles: { [environmentId]: "viewer" } });
  stranger = await createPerson(database.db, "Stranger");
});

describe("scenarios", () => {
  it("are saved, listed and shared by their id, with rights checked at every look", async () => {
    const { scenario } = await save(viewer, "As it is");
    expect((await execute(scenariosList, as(other, { environmentId }))).scenarios.map((one) => [one.name, one.by])).toEqual([["As it is", "Viewer"]]);
    expect((await execute(scenariosGet, as(other, { id: scenario.id }))).scenario.inputs).toEqual(inputs);
    await expect(execute(scenariosGet, as(stranger, { id: scenario.id }))).rejects.toMatchObject({ code: "not_found" });
    await database.db.grant.deleteMany({ where: { userId: other.id } });
    const { actorOf } = await import("./identify");
    const demoted = { ...other.caller, actor: await actorOf(database.db, await database.db.user.findUniqueOrThrow({ where: { id: other.id } })) };
    await expect(execute(scenariosGet, { db: database.db, caller: demoted, input: { id: scenario.id } })).rejects.toMatchObject({ code: "not_found" });
  });

  it("frozen ones keep their numbers when prices change", async () => {
    const { scenario } = await save(viewer, "For the meeting", { isFrozen: true, sentence: "In November so far" });
    const tiers = [{ upTo: null, per1000: "9.00" }];
    const draft = { kind: "api", offerId: "textract-detect-text", provider: "aws", product: "Amazon Textract", feature: "Detect Document Text", currency: "USD", billing: "graduated", tiers, source: "new list", asOf: "2026-11-21", effectiveFrom: NOW.toISOString() };
    await execute(pricesSet, as(owner, { draft }));
    const { frozen, scenario: read } = await execute(scenariosGet, as(viewer, { id: scenario.id }));
    const present = (await execute(pricesBook, as(viewer, {}))).book;
    expect(frozen?.at).toBe(NOW.toISOString());
    if (!frozen) throw new Error("not frozen");
    const charged = (from: typeof book) => solveWhatIf(read.inputs, from).apis[0]?.converted?.amount;
    expect([charged(frozen.book), charged(present)]).toEqual(["225.000000000", "1350.000000000"]);
  });

  it("have one name each, an answer, and are deleted by their maker or an admin", async () => {
    await expect(save(viewer, "As it is")).rejects.toMatchObject({ code: "conflict" });
    await expect(save(viewer, "Absurd", { inputs: { ...inputs, pagesPerSecond: "0" } })).rejects.toMatchObject({ code: "unprocessable" });
    const { scenario } = await save(owner, "Owner's");
    await expect(execute(scenariosDelete, as(viewer, { id: scenario.id }))).rejects.toMatchObject({ code: "forbidden" });
    await execute(scenariosDelete, as(owner, { id: scenario.id }));
    expect(await database.db.auditEvent.count({ where: { action: "scenarios.delete", outcome: "success" } })).toBe(1);
  });
});
