import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placesOf } from "@/scripts/test/canary";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { makeDesk, makePdf, streamOf, useOwnDataFolder, type Desk } from "@/scripts/test/reading-desk";
import { startStandInEngine, type StandInEngine } from "@/scripts/test/stand-in-engine";
import { DocumentRules } from "@/lib/domain/document-rules";
import { memory } from "@/lib/platform/memory-vault";
import { rasteriser } from "@/lib/platform/raster/rasteriser";
import { documentsList } from "./document-list";
import { documentsRules, documentsSetRules } from "./document-rules";
import { documentsDelete, documentsGet, documentsHold, documentsUpload } from "./documents";
import { HELD_MS, tidy } from "./housekeeping";
import { documentsPage } from "./page-image";
import { startPageWorker, type Worker } from "./page-worker";
import { execute } from "./pipeline";
import { runsGet, runsStart } from "./runs";

const folder = useOwnDataFolder();
const test = useDatabase();
const CANARY = "Zinnobergruen-4711";
const NAME = `Akte ${CANARY}.pdf`;
let engine: StandInEngine;
let worker: Worker;
let desk: Desk;
let admin: Awaited<ReturnType<typeof createPerson>>;

beforeAll(async () => {
  engine = await startStandInEngine({ behave: () => ({ kind: "answer", text: `![text](1,1,900,90) ${CANARY}`, pieces: 3, pieceMs: 60 }) });
  desk = await makeDesk(test.db, "documents", engine.url);
  admin = await createPerson(test.db, "Admin", { roles: { [desk.environmentId]: "admin" } });
  worker = startPageWorker(test.db);
});
afterAll(async () => {
  await worker.stop();
  await engine.stop();
  rasteriser().close();
});

const call = { get db() { return test.db; }, get caller() { return desk.caller; } };
async function readToEnd(documentId: string): Promise<string> {
  const run = await execute(runsStart, { ...call, db: test.db, caller: desk.caller, input: { documentId, deploymentId: null } });
  await eventually(async () => (await execute(runsGet, { db: test.db, caller: desk.caller, input: { id: run.id } })).run.state, 20_000).toBe("done");
  return run.id;
}
const stored = async () => (await readdir(path.join(folder, "documents"), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;
const search = (input: Record<string, unknown>, caller = desk.caller) => execute(documentsList, { db: test.db, caller, input });
async function setRules(change: Partial<DocumentRules>) {
  const { rules } = await execute(documentsRules, { db: test.db, caller: admin.caller, input: { environmentId: desk.environmentId } });
  await execute(documentsSetRules, { db: test.db, caller: admin.caller, input: { environmentId: desk.environmentId, rules: { ...rules, ...change } } });
}
const purges = () => test.db.auditEvent.findMany({ where: { action: "documents.purge" }, orderBy: { sequence: "desc" } });

describe("deletion", () => {
  it("leaves nothing of a document in the folder or the database after its time, and is audited by count", async () => {
    const id = await desk.upload(makePdf(2, CANARY), NAME);
    await readToEnd(id);
    expect(await placesOf(CANARY, { db: test.db, folder })).toEqual(["table document"]); // its name, and nothing of its content
    const before = await stored();
    expect((await tidy(test.db, new Date())).documents).toBe(0);
    expect((await tidy(test.db, new Date(Date.now() + 25 * 3_600_000))).documents).toBe(1);
    expect(await placesOf(CANARY, { db: test.db, folder })).toEqual([]);
    expect(await stored()).toBe(before - 1);
    expect(await test.db.runPage.count()).toBe(0);
    const [event] = await purges();
    expect(event).toMatchObject({ environmentId: desk.environmentId, record: { detail: { documents: 1, runs: 1, pages: 2 } } });
  });

  it("happens at once when the owner or an administrator asks, and to nobody else", async () => {
    const stranger = await createPerson(test.db, "Stranger", { roles: { [desk.environmentId]: "analyst" } });
    const [own, other] = [await desk.upload(makePdf(1, CANARY)), await desk.upload(makePdf(1, CANARY))];
    await expect(execute(documentsDelete, { db: test.db, caller: stranger.caller, input: { id: own } })).rejects.toMatchObject({ code: "not_found" });
    expect(await execute(documentsDelete, { db: test.db, caller: desk.caller, input: { id: own } })).toEqual({ id: own, runs: 0, pages: 0 });
    await execute(documentsDelete, { db: test.db, caller: admin.caller, input: { id: other } });
    expect(await stored()).toBe(0);
    expect(await placesOf(CANARY, { db: test.db, folder })).toEqual([]);
  });

  it("while a page is being read ends the reading and leaves no text behind", async () => {
    const id = await desk.upload(makePdf(1, CANARY));
    const asked = engine.asked.length;
    await execute(runsStart, { db: test.db, caller: desk.caller, input: { documentId: id, deploymentId: null } });
    await eventually(() => engine.asked.length).toBe(asked + 1);
    await execute(documentsDelete, { db: test.db, caller: desk.caller, input: { id } });
    await eventually(() => test.db.liveEvent.count({ where: { sealed: { not: null } } })).toBe(0);
    expect(await test.db.runPage.count()).toBe(0);
  });
});

describe("retention 0", () => {
  it("never writes the file, reads it all the same, and forgets it with its tab", async () => {
    await setRules({ retentionHours: 0 });
    const files = await stored();
    const id = await desk.upload(makePdf(1, CANARY), "held.pdf");
    const runId = await readToEnd(id);
    expect(await stored()).toBe(files);
    expect(await placesOf(CANARY, { db: test.db, folder })).toEqual([]);
    expect((await execute(runsGet, { db: test.db, caller: desk.caller, input: { id: runId } })).pages[0]?.text).toContain(CANARY);
    expect(await execute(documentsGet, { db: test.db, caller: desk.caller, input: { id } })).toMatchObject({ isHeld: true, state: "read" });
    await expect(execute(documentsGet, { db: test.db, caller: admin.caller, input: { id } })).rejects.toMatchObject({ code: "not_found" });
    expect(await execute(documentsHold, { db: test.db, caller: desk.caller, input: { id } })).toEqual({ isThere: true });
    expect((await tidy(test.db, new Date())).documents).toBe(0);
    expect((await tidy(test.db, new Date(Date.now() + HELD_MS + 1000))).documents).toBe(1);
    expect(memory().objects.size).toBe(0);
    expect(await test.db.runPage.count()).toBe(0);
    await setRules({ retentionHours: 24 });
  });
});

describe("limits of an environment", () => {
  it("are shown, changed by administrators only, and enforced while streaming and inspecting", async () => {
    await expect(execute(documentsSetRules, { db: test.db, caller: desk.caller, input: { environmentId: desk.environmentId, rules: DocumentRules.parse({ retentionHours: 1, maxDocumentMegabytes: 1, maxDocumentPages: 2, maxPageMegapixels: 1, maxDecodedMegabytes: 16, maxPageSeconds: 5, maxPageMemoryMegabytes: 64 }) } })).rejects.toMatchObject({ code: "forbidden" });
    await setRules({ maxDocumentMegabytes: 1, maxDocumentPages: 2 });
    const { hint } = await execute(documentsRules, { db: test.db, caller: desk.caller, input: { environmentId: desk.environmentId } });
    expect(hint).toContain("up to 1 MB, 2 pages and 40 megapixels a page. Deleted after 24 hours.");
    await expect(desk.upload(makePdf(3))).rejects.toMatchObject({ reason: "too_many_pages" });
    await expect(desk.upload(Buffer.concat([makePdf(1), Buffer.alloc(2 * 1024 * 1024)]))).rejects.toMatchObject({ reason: "too_large" });
    expect(await stored()).toBe(0);
    await setRules({ maxDocumentMegabytes: 50, maxDocumentPages: 200 });
  });

  it.each([
    ["photo.heic", "ftypheic", "JPEG"],
    ["drawing.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>', "PDF or PNG"],
    ["letter.docx", "PK\u0003\u0004", "unpack|PDF"],
    ["empty.pdf", "", "0 bytes"],
  ])("refuse %s with the way out", async (name, content, remedy) => {
    const bytes = name.endsWith(".heic") ? Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`${content}\0\0\0\0mif1heic`)]) : Buffer.from(content);
    await expect(execute(documentsUpload, { db: test.db, caller: desk.caller, input: { environmentId: desk.environmentId, name }, body: streamOf(bytes) })).rejects.toThrow(new RegExp(remedy));
    expect(await stored()).toBe(0);
  });
});

describe("the list", () => {
  it("is searched by name, owner and state, in pages", async () => {
    const [first, second] = [await desk.upload(makePdf(1), "Invoice May.pdf"), await desk.upload(makePdf(1), "Receipt.pdf")];
    await readToEnd(first);
    expect((await search({ name: "invoice" })).documents.map(({ id }) => id)).toEqual([first]);
    expect((await search({ name: "100%_" })).documents).toEqual([]);
    expect((await search({ state: "read" })).documents).toMatchObject([{ id: first, state: "read", ownerName: "Reader documents" }]);
    expect((await search({ state: "unread" })).documents).toMatchObject([{ id: second, state: "unread" }]);
    expect((await search({ owner: "others" })).documents).toEqual([]);
    expect((await search({ owner: "others" }, admin.caller)).documents).toHaveLength(2);
    const page = await search({ limit: 1 });
    expect(page.documents).toMatchObject([{ id: second }]);
    expect((await search({ limit: 1, before: page.nextBefore })).documents).toMatchObject([{ id: first }]);
  });

  it("shows names without characters that deceive", async () => {
    const id = await desk.upload(makePdf(1), "../a\u202Egpj.exe\r\nX: y.pdf");
    expect(await execute(documentsGet, { db: test.db, caller: desk.caller, input: { id } })).toMatchObject({ name: "../agpj.exeX: y.pdf" });
  });

  it("gives pages also as thumbnails", async () => {
    const id = await desk.upload(makePdf(1));
    const png = async (maxEdge?: number) => {
      const { body } = await execute(documentsPage, { db: test.db, caller: desk.caller, input: { id, number: 1, modelId: "lightonocr-3-1b", preset: "standard", ...(maxEdge ? { maxEdge } : {}) } });
      return Buffer.from(body as Uint8Array).readUInt32BE(20); // a PNG's height
    };
    expect([await png(), await png(160)]).toEqual([1540, 160]);
  });
});
