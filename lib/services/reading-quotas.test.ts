import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { makeDesk, makePdf, streamOf, useOwnDataFolder, type Desk } from "@/scripts/test/reading-desk";
import { startStandInEngine, type StandInEngine } from "@/scripts/test/stand-in-engine";
import { problem } from "@/lib/platform/problem";
import { rasteriser } from "@/lib/platform/raster/rasteriser";
import { documentsDelete, documentsUpload } from "./documents";
import { execute } from "./pipeline";
import { runsStart } from "./runs";

useOwnDataFolder();
const test = useDatabase();
let engine: StandInEngine;
let desk: Desk;
let count = 0;

beforeAll(async () => {
  engine = await startStandInEngine({ behave: () => ({ kind: "answer", text: "" }) });
});
beforeEach(async () => {
  desk = await makeDesk(test.db, `quota-${(count += 1)}`, engine.url);
});
afterAll(async () => {
  await engine.stop();
  rasteriser().close();
});

const limit = (data: Record<string, number>) => test.db.environment.update({ where: { id: desk.environmentId }, data });
const read = (documentId: string) => execute(runsStart, { db: test.db, caller: desk.caller, input: { documentId, deploymentId: null } });

/** What a browser or program is answered. */
async function answerTo(refused: Promise<unknown>) {
  const error: unknown = await refused.then(() => null, (reason: unknown) => reason);
  if (!error) throw new Error("it was not refused");
  const response = problem(error, "r1");
  const body = (await response.json()) as { detail: string }; // our own problem document
  return { status: response.status, retryAfter: Number(response.headers.get("retry-after")), detail: body.detail };
}

it("files an hour: the next is answered 429 with the limit and when to go on, also when the others were deleted; another person goes on", async () => {
  await limit({ maxFilesPerHour: 2 });
  const first = await desk.upload(makePdf(1));
  await desk.upload(makePdf(1));
  await execute(documentsDelete, { db: test.db, caller: desk.caller, input: { id: first } });
  const { status, retryAfter, detail } = await answerTo(desk.upload(makePdf(1)));
  expect(status).toBe(429);
  expect(retryAfter).toBeGreaterThan(3000);
  expect(detail).toContain("files uploaded an hour: 2");
  const { caller } = await createPerson(test.db, "Colleague", { roles: { [desk.environmentId]: "analyst" } });
  await execute(documentsUpload, { db: test.db, caller, input: { environmentId: desk.environmentId, name: "a.pdf" }, body: streamOf(makePdf(1)) });
});

it("bytes an hour: once they are used up, the next file is answered 429", async () => {
  await limit({ maxMegabytesPerHour: 1 });
  await desk.upload(Buffer.concat([makePdf(1), Buffer.alloc(1024 * 1024, "%")]));
  expect(await answerTo(desk.upload(makePdf(1)))).toMatchObject({ status: 429, detail: expect.stringContaining("MB uploaded an hour: 1") });
});

it("pages an hour: 429 when they are used up, 413 for more than an hour's at once", async () => {
  await limit({ maxPagesPerHour: 3 });
  const two = await desk.upload(makePdf(2));
  await read(two);
  expect(await answerTo(read(two))).toMatchObject({ status: 429, detail: expect.stringContaining("pages read an hour: 3") });
  expect(await answerTo(read(await desk.upload(makePdf(4))))).toMatchObject({ status: 413, detail: expect.stringContaining("3 pages read an hour") });
});

it("readings at once: 429 while they go on, and not after", async () => {
  await limit({ maxReadingsAtOnce: 1 });
  const documentId = await desk.upload(makePdf(1));
  const { id } = await read(documentId);
  expect(await answerTo(read(documentId))).toMatchObject({ status: 429, retryAfter: 10, detail: expect.stringContaining("readings at once: 1") });
  await test.db.run.update({ where: { id }, data: { state: "done" } });
  await read(documentId);
});
