import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { makeDesk, makePdf, useOwnDataFolder, type Desk } from "@/scripts/test/reading-desk";
import { startStandInEngine, type Behaviour, type StandInEngine } from "@/scripts/test/stand-in-engine";
import { rasteriser } from "@/lib/platform/raster/rasteriser";
import { startPageWorker, type Worker } from "./page-worker";
import { runsReadAgain } from "./page-again";
import { finishPage } from "./page-outcome";
import { execute } from "./pipeline";
import { runsCancel, runsGet, runsStart } from "./runs";

useOwnDataFolder();
const test = useDatabase();
const good: Behaviour = { kind: "answer", text: "![text](10,10,900,60) Read." };
let behave: (index: number) => Behaviour = () => good;
let engine: StandInEngine;
let worker: Worker;
let desk: Desk;

beforeAll(async () => {
  engine = await startStandInEngine({ behave: ({ index }) => behave(index) });
  desk = await makeDesk(test.db, "reading", engine.url);
  worker = startPageWorker(test.db);
});
afterEach(() => {
  behave = () => good;
  engine.asked.splice(0);
});
afterAll(async () => {
  await worker.stop();
  await engine.stop();
  rasteriser().close();
});

async function start(pages = 1): Promise<string> {
  const documentId = await desk.upload(makePdf(pages));
  return (await execute(runsStart, { db: test.db, caller: desk.caller, input: { documentId, deploymentId: null } })).id;
}
const look = (id: string) => execute(runsGet, { db: test.db, caller: desk.caller, input: { id } });
async function ended(id: string) {
  await eventually(async () => (await look(id)).run.state, 25_000).toBe("done");
  const view = await look(id);
  const page = view.pages[0];
  if (!page) throw new Error("a run has pages");
  return { ...view, page };
}
const tries = (attempts: { outcome: string; temperature: number }[]) => attempts.map(({ outcome, temperature }) => [outcome, temperature]);
const counted = async (id: string) => test.db.usageEntry.findMany({ where: { id } });

describe("one page on the retry ladder", () => {
  it("is read at once, asked with the one trained word and no limit, and counted once", async () => {
    const { page } = await ended(await start());
    expect(page).toMatchObject({ state: "done", text: "![text](10,10,900,60) Read.", note: "", attempts: [{ outcome: "read", route: "embedded", temperature: 0.2 }] });
    expect(engine.asked).toMatchObject([{ prompt: "grounding", maxTokens: undefined }]);
    expect(await counted(page.id)).toMatchObject([{ pages: 1, promptTokens: 1000 }]);
  });

  it("leaves a loop, and asks again at other temperatures", async () => {
    behave = (index) => (index === 0 ? { kind: "loop" } : good);
    const { page } = await ended(await start());
    expect(tries(page.attempts)).toEqual([["loop", 0.2], ["read", 0.5]]);
    expect(page.text).toBe("![text](10,10,900,60) Read.");
    await eventually(() => engine.asked[0]?.isClosedByClient).toBe(true);
  });

  it("says that the model loops at every temperature, and keeps what it wrote", async () => {
    behave = () => ({ kind: "loop" });
    const { page } = await ended(await start());
    expect(tries(page.attempts)).toEqual([["loop", 0.2], ["loop", 0.5], ["loop", 0.8]]);
    expect(page.state).toBe("truncated");
    expect(page.reason).toContain("repeated itself");
    expect(page.text).toContain("over and over");
  });

  it("waits as long as Retry-After says, for 429 and 503, and then reads", async () => {
    behave = (index) => [{ kind: "status", status: 429, retryAfter: "2" } as const, { kind: "status", status: 503 } as const][index] ?? good;
    const { page } = await ended(await start());
    expect(page.attempts.map(({ outcome }) => outcome)).toEqual(["busy", "busy", "read"]);
    const [first, second] = engine.asked;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2000);
  });

  it("reads again after a connection that broke in the middle, from the start", async () => {
    behave = (index) => (index === 0 ? { kind: "cut", after: "![text](1,1,9,9) Half" } : good);
    const { page } = await ended(await start());
    expect(page.attempts.map(({ outcome }) => outcome)).toEqual(["broken", "read"]);
    expect(page.text).toBe("![text](10,10,900,60) Read.");
  });

  it("does not try again what the engine refuses", async () => {
    behave = () => ({ kind: "status", status: 400, body: '{"error":{"message":"bad image"}}' });
    const { page } = await ended(await start());
    expect(page).toMatchObject({ state: "failed", attempts: [{ outcome: "refused" }] });
    expect(page.reason).toContain("refused the page picture");
  });

  it("keeps text without boxes as plain text, and says so", async () => {
    behave = () => ({ kind: "answer", text: "# Plain\n\nNo boxes here." });
    const { page } = await ended(await start());
    expect(page).toMatchObject({ state: "done", attempts: [{ outcome: "no_boxes" }] });
    expect(page.note).toContain("without boxes");
  });

  it("survives damaged markers without losing text", async () => {
    const text = "![text](930,300,70,220) Swapped.\n![text](70,400,1042,460) Outside.\n![tab";
    behave = () => ({ kind: "answer", text });
    expect((await ended(await start())).page).toMatchObject({ state: "done", text });
  });

  it("says that a page was truncated, and reads it again with a longer limit; both readings are counted", async () => {
    behave = (index) => (index === 0 ? { kind: "answer", text: "![text](1,1,9,9) Cut", finish: "length" } : good);
    const id = await start();
    const first = await ended(id);
    expect(first.page).toMatchObject({ state: "truncated" });
    expect(first.page.reason).toContain("length limit");
    await execute(runsReadAgain, { db: test.db, caller: desk.caller, input: { id, page: 1, with: "longer" } });
    await eventually(async () => (await look(id)).pages[0]?.state, 20_000).toBe("done");
    expect(engine.asked[1]?.maxTokens).toBe(16_384 - 1000 - 128);
    const { pages } = await look(id);
    expect(pages[0]?.attempts.map(({ outcome }) => outcome)).toEqual(["truncated", "read"]);
    expect(await test.db.usageEntry.count({ where: { environmentId: desk.environmentId, id: { in: [first.page.id] } } })).toBe(1);
    const { readId } = await test.db.runPage.findUniqueOrThrow({ where: { id: first.page.id } });
    expect(await counted(readId ?? "")).toHaveLength(1);
  });

  it("reads a page again that broke off five times, and lets no worker of the reading before write into it", async () => {
    behave = () => ({ kind: "status", status: 400 });
    const id = await start();
    const { page: failed } = await ended(id);
    const before = await test.db.runPage.update({ where: { id: failed.id }, data: { attempt: 6 }, include: { attempts: true, run: { include: { document: true } } } });
    behave = () => good;
    await execute(runsReadAgain, { db: test.db, caller: desk.caller, input: { id, page: 1 } });
    await eventually(async () => (await look(id)).pages[0]?.state, 20_000).toBe("done");
    const again = await test.db.runPage.update({ where: { id: failed.id }, data: { state: "running" } });
    await finishPage(test.db, { ...before, attempt: again.attempt }, { failure: "late" });
    expect((await look(id)).pages[0]).toMatchObject({ state: "running", text: "![text](10,10,900,60) Read." });
    await test.db.runPage.update({ where: { id: failed.id }, data: { state: "done" } });
  });

  it("takes a limit off that does not fit the context", async () => {
    behave = (index) => [{ kind: "answer", text: "Cut", finish: "length" } as const, { kind: "status", status: 400, body: "maximum context length is 16384" } as const][index] ?? good;
    const id = await start();
    await ended(id);
    await execute(runsReadAgain, { db: test.db, caller: desk.caller, input: { id, page: 1, with: "longer" } });
    await eventually(async () => (await look(id)).pages[0]?.state, 20_000).toBe("done");
    expect((await look(id)).pages[0]?.attempts.map(({ outcome }) => outcome)).toEqual(["truncated", "over_limit", "read"]);
  });
});

describe("many pages", () => {
  it("read on when one fails, two at a time on the CPU engine", async () => {
    behave = (index) => (index === 1 ? { kind: "status", status: 400 } : { kind: "answer", text: "![text](1,1,9,9) a", pieces: 4, pieceMs: 30 });
    const { pages } = await ended(await start(6));
    expect(pages.map(({ state }) => state).sort()).toEqual(["done", "done", "done", "done", "done", "failed"]);
    expect(engine.mostAtOnce).toBe(2);
  });

  it("stop within a second, also at the engine, when the run is cancelled", async () => {
    behave = () => ({ kind: "hang", first: "![text](1,1,9,9) begun" });
    const id = await start(3);
    await eventually(async () => (await look(id)).pages.some(({ text }) => text !== "")).toBe(true);
    const at = Date.now();
    await execute(runsCancel, { db: test.db, caller: desk.caller, input: { id } });
    await eventually(() => engine.asked.every(({ isClosedByClient }) => isClosedByClient)).toBe(true);
    expect(Date.now() - at).toBeLessThan(1000);
    const view = await look(id);
    expect(view.pages.map(({ state }) => state)).toEqual(["cancelled", "cancelled", "cancelled"]);
    const begun = view.pages.findIndex(({ text }) => text.includes("begun"));
    expect(begun).toBeGreaterThanOrEqual(0);
    await eventually(async () => (await look(id)).pages[begun]?.attempts.map(({ outcome }) => outcome)).toEqual(["cancelled"]);
  });
});
