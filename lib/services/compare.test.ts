import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FileAnswer } from "@/lib/platform/door";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { makeDeployment } from "@/scripts/test/gateway-place";
import { makeTiff } from "@/scripts/test/many-pages";
import { makeDesk, useOwnDataFolder as ownDataFolder, type Desk } from "@/scripts/test/reading-desk";
import { startStandInEngine, type StandInEngine } from "@/scripts/test/stand-in-engine";
import { compareCreate, compareDelete, compareGet, compareList, compareSetExpected } from "./compare";
import { compareExport } from "./compare-export";
import { documentsDelete } from "./documents";
import { startPageWorker, type Worker } from "./page-worker";
import { execute } from "./pipeline";

ownDataFolder();
const at = useDatabase();
let engine: StandInEngine;
let desk: Desk;
let worker: Worker;
let documentId: string;
const lanes = [{ deploymentId: null, mode: "grounding" as const }, { deploymentId: null, mode: "plain" as const, preset: "fast" as const }];

beforeAll(async () => {
  engine = await startStandInEngine({ behave: ({ asked }) => ({ kind: "answer", text: asked.prompt === "grounding" ? "![text](1,1,900,900) The quay served 214 vessels." : "The quay served 241 vessels." }) });
  desk = await makeDesk(at.db, "compare", engine.url);
  documentId = await desk.upload(makeTiff(2), "letter.tif");
  worker = startPageWorker(at.db);
});
beforeEach(() => at.db.comparison.deleteMany().then(() => undefined));
afterAll(async () => {
  await worker.stop();
  await engine.stop();
});

const call = (input: unknown, caller = desk.caller) => ({ db: at.db, caller, input });
const get = async (id: string) => execute(compareGet, call({ id }));

async function compared(input: object = {}): Promise<string> {
  const { id } = await execute(compareCreate, call({ documentId, lanes, ...input }));
  await eventually(async () => (await get(id)).lanes.every(({ state }) => state === "done"), 20_000).toBe(true);
  return id;
}

describe("a comparison", () => {
  it("reads the same pages in every lane, with seconds and tokens, and says what has no price", async () => {
    const id = await compared();
    const { comparison, lanes: [boxes, plain] } = await get(id);
    expect(comparison).toMatchObject({ name: "letter.tif", lanes: 2, hasExpected: false });
    expect(boxes).toMatchObject({ mode: "grounding", preset: "standard", pagesEnded: 2, price: null, unpriced: expect.stringContaining("own processor"), score: null });
    expect(boxes?.tokens).toBeGreaterThan(2_000);
    expect(boxes?.pages.map(({ number, state }) => [number, state])).toEqual([[1, "done"], [2, "done"]]);
    expect([boxes?.pages[0]?.answer, plain?.pages[0]?.answer]).toEqual(["![text](1,1,900,900) The quay served 214 vessels.", "The quay served 241 vessels."]);
    expect(plain).toMatchObject({ mode: "plain", preset: "fast" });
  });

  it("scores each page and all together against the expected text, which is sealed, and goes when it is taken away", async () => {
    const id = await compared();
    await execute(compareSetExpected, call({ id, text: "The quay served 214 vessels.\fThe quay served 214 vessels." }));
    const { expected, lanes: [boxes, plain] } = await get(id);
    expect(expected).toContain("--- page 2 ---");
    expect(boxes?.score).toMatchObject({ characterErrorRate: 0, wordRecall: 1 });
    expect(plain?.pages[0]?.score).toMatchObject({ errors: 2, wordRecall: 0.8 });
    expect(plain?.score).toMatchObject({ errors: 4, expectedCharacters: 56 });
    const { sealedExpected } = await at.db.comparison.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(sealedExpected ?? []).includes("vessels")).toBe(false);
    await execute(compareSetExpected, call({ id, text: " " }));
    expect((await get(id)).lanes[0]?.score).toBeNull();
    await expect(execute(compareSetExpected, call({ id, text: "one text" }))).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("costs what its node costs, by the engine's seconds", async () => {
    const id = await compared({ pages: [1] });
    const { runIds } = await at.db.comparison.findUniqueOrThrow({ where: { id } });
    const deploymentId = await makeDeployment(at.db, desk.environmentId, { name: "on-l4" });
    await at.db.run.update({ where: { id: runIds[0] ?? "" }, data: { deploymentId, skuId: "gcp-g2-standard-4", modelId: "lightonocr-3-1b" } });
    await at.db.runPage.updateMany({ where: { runId: runIds[0] ?? "" }, data: { seconds: 2 } });
    const [lane] = (await get(id)).lanes;
    expect(lane).toMatchObject({ engine: "on-l4", secondsPerPage: 2, unpriced: null });
    expect(lane?.price?.perThousand).toBeCloseTo(((lane?.price?.perHour ?? 0) * 2 * 1000) / 3600);
  });

  it("is taken away as figures and as text", async () => {
    const id = await compared();
    const file = async (format: "csv" | "json") => {
      const answer: FileAnswer = await execute(compareExport, call({ id, format }));
      return new Response(answer.body as BodyInit).text();
    };
    const rows = (await file("csv")).trim().split("\r\n");
    expect(rows).toHaveLength(5);
    expect(rows[0]).toContain("lane,engine,model,preset,prompt,page");
    expect(JSON.parse(await file("json"))).toMatchObject({ schema: "lectern.comparison/1", lanes: [{ pages: [{ text: "The quay served 214 vessels." }, {}] }, {}] });
  });

  it("is listed, linked by its id, deleted, and gone with its document", async () => {
    const id = await compared({ pages: [2] });
    expect((await execute(compareList, call({ documentId }))).comparisons).toMatchObject([{ id, documentName: "letter.tif" }]);
    await execute(compareDelete, call({ id }));
    expect((await execute(compareList, call({}))).comparisons).toEqual([]);
    expect(await at.db.run.count({ where: { documentId } })).toBeGreaterThan(0);
    const other = await desk.upload(makeTiff(1), "other.tif");
    await execute(compareCreate, call({ documentId: other, lanes }));
    await execute(documentsDelete, call({ id: other }));
    expect(await at.db.comparison.count()).toBe(0);
  });

  it("is neither shown to others of the environment nor made of pages that are not there; all lanes begin, or none", async () => {
    const id = await compared({ pages: [1] });
    const { caller: stranger } = await createPerson(at.db, "Stranger", { roles: { [desk.environmentId]: "analyst" } });
    await expect(execute(compareGet, call({ id }, stranger))).rejects.toMatchObject({ code: "not_found" });
    expect((await execute(compareList, call({}, stranger))).comparisons).toEqual([]);
    await expect(execute(compareCreate, call({ documentId, lanes, pages: [9] }))).rejects.toMatchObject({ code: "unprocessable" });
    const asleep = await makeDeployment(at.db, desk.environmentId, { name: "failed", state: "failed" });
    await expect(execute(compareCreate, call({ documentId, lanes: [lanes[0], { deploymentId: asleep }] }))).rejects.toMatchObject({ code: "unavailable" });
    await expect(execute(compareCreate, call({ documentId, lanes: [lanes[0]] }))).rejects.toThrow(/at least two/);
    expect(await at.db.comparison.count()).toBe(1);
    expect(await at.db.runPage.count({ where: { state: { in: ["queued", "running"] } } })).toBe(0);
  });
});
