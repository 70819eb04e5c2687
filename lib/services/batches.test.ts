import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaultBatchQuotas, defaultGatewayLimits, type BatchQuotas } from "@/lib/domain/rate-limit";
import type { FileAnswer } from "@/lib/platform/door";
import { readZip } from "@/lib/platform/zip-read";
import { writeZip } from "@/lib/platform/zip-write";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { ownFolder } from "@/scripts/test/gateway-place";
import { makeTiff } from "@/scripts/test/many-pages";
import { makeDesk, makePdf, streamOf, type Desk } from "@/scripts/test/reading-desk";
import { startStandInEngine, type Behaviour, type StandInEngine } from "@/scripts/test/stand-in-engine";
import { claimBatchPage } from "./batch-queue";
import { startBatchWorker, type BatchWorker } from "./batch-worker";
import { batchesCreate, batchesGet } from "./batches";
import { batchesCancel, batchesPause, batchesResume, batchesRetryFailed } from "./batches-control";
import { batchesExport, batchesUnpack } from "./batches-files";
import { execute } from "./pipeline";

ownFolder();
const at = useDatabase();
let behave: (index: number) => Behaviour;
let engine: StandInEngine;
let desk: Desk;
let worker: BatchWorker;

beforeAll(async () => {
  engine = await startStandInEngine({ behave: ({ index }) => behave(index) });
  desk = await makeDesk(at.db, "archive", engine.url);
  worker = startBatchWorker(at.db, at.url, { webhookRetrySeconds: 1 });
});
beforeEach(() => {
  behave = () => ({ kind: "answer", text: "![text](1,1,900,900) Read." });
});
afterAll(async () => {
  await worker.stop();
  await engine.stop();
});

const call = (input: unknown) => ({ db: at.db, caller: desk.caller, input });

async function start(pages: number[], extra: Record<string, unknown> = {}) {
  const documentIds = await Promise.all(pages.map((count) => desk.upload(makePdf(count))));
  const { batch, webhookSecret } = await execute(batchesCreate, call({ environmentId: desk.environmentId, name: "Letters", documentIds, deploymentId: null, ...extra }));
  return { id: batch.id, webhookSecret };
}
const stateOf = async (id: string) => (await execute(batchesGet, call({ id }))).batch;
const counted = async (id: string) => at.db.usageEntry.count({ where: { feature: "batch", id: { in: (await at.db.runPage.findMany({ where: { run: { batchId: id } } })).map((page) => page.readId ?? page.id) } } });

describe("a batch", () => {
  it("reads every page, counts each once as a batch's, and gives one zip with a manifest in the order of the documents", async () => {
    const { id } = await start([3, 1, 2]);
    await eventually(async () => (await stateOf(id)).state, 30_000).toBe("done");
    expect((await stateOf(id)).pages).toMatchObject({ total: 6, done: 6 });
    expect(await counted(id)).toBe(6);
    const file: FileAnswer = await execute(batchesExport, call({ id }));
    const entries = readZip(Buffer.from(await new Response(file.body as ReadableStream).arrayBuffer()), { maxEntries: 100, maxBytes: 1e7, maxEntryBytes: 1e7 });
    expect(entries.map(({ name }) => name)).toEqual(["00001 contract.md", "00001 contract.json", "00002 contract.md", "00002 contract.json", "00003 contract.md", "00003 contract.json", "manifest.json"]);
    const manifest = JSON.parse(entries.at(-1)?.read().toString() ?? "");
    expect(manifest).toMatchObject({ schema: "lectern.batch/1", pages: { total: 6, done: 6 }, documents: [{ pages: [{ number: 1, state: "done" }, {}, {}] }, { pages: [{}] }, { pages: [{}, {}] }] });
    expect(entries[0]?.read().toString()).toContain("Read.");
  });

  it("is held, goes on, and keeps what was read when it is cancelled", async () => {
    behave = () => ({ kind: "answer", text: "slow", pieces: 4, pieceMs: 60 });
    const { id } = await start([12]);
    await eventually(async () => (await stateOf(id)).pages.done, 20_000).toBeGreaterThan(0);
    await execute(batchesPause, call({ id }));
    await eventually(async () => (await stateOf(id)).pages.running, 20_000).toBe(0);
    const held = (await stateOf(id)).pages.done;
    expect(held).toBeLessThan(12);
    const asked = engine.asked.length;
    await execute(batchesResume, call({ id }));
    await eventually(() => engine.asked.length, 20_000).toBeGreaterThan(asked);
    await execute(batchesCancel, call({ id }));
    await eventually(async () => (await stateOf(id)).pages.running, 20_000).toBe(0);
    const { state, pages } = await stateOf(id);
    expect(state).toBe("cancelled");
    expect(pages.done + pages.cancelled).toBe(12);
  });

  it("reads failed pages again, and only those", async () => {
    // Told by their prompt: a page of the batch that was cancelled may still be on its way to the engine.
    const own = () => engine.asked.filter(({ prompt }) => prompt === "");
    behave = () => (own().length === 1 ? { kind: "status", status: 400 } : { kind: "answer", text: "fine" });
    const { id } = await start([3], { mode: "plain" });
    await eventually(async () => (await stateOf(id)).state, 30_000).toBe("done");
    expect((await execute(batchesGet, call({ id }))).problems).toMatchObject([{ state: "failed" }]);
    const asked = own().length;
    await execute(batchesRetryFailed, call({ id }));
    await eventually(async () => (await stateOf(id)).pages.done, 30_000).toBe(3);
    expect(own().length).toBe(asked + 1);
    expect(await counted(id)).toBe(3);
  });

  it("goes on after its worker is gone, without a page lost or counted twice", async () => {
    behave = () => ({ kind: "answer", text: "slow", pieces: 3, pieceMs: 40 });
    const { id } = await start([10]);
    await eventually(async () => (await stateOf(id)).pages.done, 20_000).toBeGreaterThan(1);
    await worker.stop();
    worker = startBatchWorker(at.db, at.url, { webhookRetrySeconds: 1 });
    await eventually(async () => (await stateOf(id)).state, 30_000).toBe("done");
    expect((await stateOf(id)).pages).toMatchObject({ total: 10, done: 10 });
    expect(await counted(id)).toBe(10);
  });
});

describe("around a batch", () => {
  it("signs its webhook, and sends it again when it was not taken", async () => {
    const taken: { headers: IncomingHttpHeaders; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (piece) => (body += piece));
      request.on("end", () => {
        taken.push({ headers: request.headers, body });
        response.writeHead(taken.length === 1 ? 500 : 204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo; // a TCP server has a port
    const { id, webhookSecret } = await start([1], { webhookUrl: `http://127.0.0.1:${port}/done?x=1` });
    await eventually(async () => (await stateOf(id)).webhookState, 60_000).toBe("delivered");
    expect(taken).toHaveLength(2);
    const [, last] = taken;
    const key = Buffer.from(webhookSecret?.slice("whsec_".length) ?? "", "base64");
    const expected = createHmac("sha256", key).update(`${last?.headers["webhook-id"]}.${last?.headers["webhook-timestamp"]}.${last?.body}`).digest("base64");
    expect(last?.headers["webhook-signature"]).toBe(`v1,${expected}`);
    expect(JSON.parse(last?.body ?? "")).toMatchObject({ type: "batch.done", batch: { id, pages: { done: 1 } } });
    server.close();
  });

  it("takes an archive apart: documents stored, what is none named with its reason", async () => {
    async function* files() {
      yield { name: "in/a.pdf", content: makePdf(2) };
      yield { name: "in/notes.txt", content: Buffer.from("not a document") };
      yield { name: "in/nested.zip", content: Buffer.from("504b0304140000000000", "hex") };
      yield { name: "__MACOSX/a.pdf", content: Buffer.from("x") };
    }
    const archive = new Uint8Array(await new Response(writeZip(files())).arrayBuffer());
    const { documentIds, skipped } = await execute(batchesUnpack, { ...call({ environmentId: desk.environmentId, name: "a.zip" }), body: streamOf(archive) });
    expect(documentIds).toHaveLength(1);
    expect(skipped.map(({ name }) => name)).toEqual(["in/notes.txt", "in/nested.zip"]);
  });

  it("waits for a page of the playground that wants the same engine", async () => {
    behave = () => ({ kind: "answer", text: "batch" });
    const documentId = await desk.upload(makeTiff(1), "first.tif");
    const first = await at.db.run.create({ data: { documentId, environmentId: desk.environmentId, modelId: "embedded", mode: "grounding", preset: "fast", createdById: desk.userId, pages: { create: [{ number: 1 }] } }, include: { pages: true } });
    const { id } = await start([1]);
    const [page] = await at.db.runPage.findMany({ where: { run: { batchId: id } } });
    expect(await claimBatchPage(at.db, page?.id ?? "", { now: new Date() })).toBe("wait");
    await at.db.runPage.updateMany({ where: { runId: first.id }, data: { state: "done" } });
    await eventually(async () => (await stateOf(id)).state, 30_000).toBe("done");
  });

  it("names the limit that a person's or an environment's batches would pass, and when to come back (I1)", async () => {
    const held = await start([3]);
    await execute(batchesPause, call({ id: held.id }));
    const setLimits = (batches: BatchQuotas) => at.db.setting.upsert({ where: { key: "gateway.limits" }, create: { key: "gateway.limits", value: { gateway: defaultGatewayLimits, batches } }, update: { value: { gateway: defaultGatewayLimits, batches } } });
    const refusal = { code: "rate_limited", retryAfterSeconds: 60 };
    await setLimits({ ...defaultBatchQuotas, batchesOfPerson: 1 });
    await expect(start([1])).rejects.toMatchObject({ ...refusal, message: expect.stringContaining("the limit for one person is 1") });
    await setLimits({ ...defaultBatchQuotas, pagesOfPerson: 3 });
    await expect(start([1])).rejects.toMatchObject({ ...refusal, message: expect.stringContaining("the limit of 3 for one person") });
    await setLimits({ ...defaultBatchQuotas, pagesOfEnvironment: 3 });
    await expect(start([1])).rejects.toMatchObject({ ...refusal, message: expect.stringContaining("its limit of 3") });
    await execute(batchesCancel, call({ id: held.id }));
    await at.db.setting.deleteMany({ where: { key: "gateway.limits" } });
  });

  it("names files that were left out, with the reason, in the batch and in its manifest; holds the outputs that were chosen", async () => {
    const skipped = [{ name: "in/notes.txt", reason: "This is no document." }];
    const { id } = await start([1], { skipped, outputs: ["text", "html"] });
    await eventually(async () => (await stateOf(id)).state, 30_000).toBe("done");
    expect(await stateOf(id)).toMatchObject({ skipped, outputs: ["text", "html"], engine: "Embedded CPU engine" });
    const file: FileAnswer = await execute(batchesExport, call({ id }));
    const entries = readZip(Buffer.from(await new Response(file.body as ReadableStream).arrayBuffer()), { maxEntries: 100, maxBytes: 1e7, maxEntryBytes: 1e7 });
    expect(entries.map(({ name }) => name)).toEqual(["00001 contract.txt", "00001 contract.html", "manifest.json"]);
    expect(JSON.parse(entries.at(-1)?.read().toString() ?? "")).toMatchObject({ skipped });
  });
});
