import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Attempts, pageFacts, PageNotice } from "@/components/playground/page-notice";
import { rasteriser } from "@/lib/platform/raster/rasteriser";
import { startPageWorker, type Worker } from "@/lib/services/page-worker";
import { execute } from "@/lib/services/pipeline";
import { runsGet, runsStart } from "@/lib/services/runs";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { makeDesk, makePdf, useOwnDataFolder, type Desk } from "@/scripts/test/reading-desk";
import { startStandInEngine, type Behaviour, type StandInEngine } from "@/scripts/test/stand-in-engine";

// From an engine that fails on purpose, over HTTP, through the queue and the database, to the words that stand beside the page.
useOwnDataFolder();
const test = useDatabase();
const good: Behaviour = { kind: "answer", text: "![text](10,10,900,60) Read." };
let behave: (index: number) => Behaviour = () => good;
let engine: StandInEngine;
let worker: Worker;
let desk: Desk;

beforeAll(async () => {
  engine = await startStandInEngine({ behave: () => behave(engine.asked.length - 1) });
  desk = await makeDesk(test.db, "faults", engine.url);
  worker = startPageWorker(test.db);
});
afterAll(async () => {
  await worker.stop();
  await engine.stop();
  rasteriser().close();
});

const textOf = (html: string) => html.replace(/<[^>]*>/g, " ").replaceAll("&#x27;", "'").replaceAll("&amp;", "&").replace(/\s+/g, " ").trim();

async function start(how: (index: number) => Behaviour): Promise<() => Promise<{ state: string; shown: string }>> {
  engine.asked.splice(0);
  behave = how;
  const documentId = await desk.upload(makePdf(1));
  const { id } = await execute(runsStart, { db: test.db, caller: desk.caller, input: { documentId, deploymentId: null } });
  return async () => {
    const [page] = (await execute(runsGet, { db: test.db, caller: desk.caller, input: { id } })).pages;
    if (!page) throw new Error("a run has pages");
    const parts = [createElement(PageNotice, { page, runId: id, key: "notice" }), createElement(Attempts, { page, key: "tries" })];
    const html = renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, parts));
    return { state: page.state, shown: `${pageFacts(page)} ${textOf(html)}` };
  };
}

const first = (fault: Behaviour) => (index: number) => (index === 0 ? fault : good);

describe("what a person sees of an engine that", () => {
  it.each<[string, (index: number) => Behaviour, string, RegExp[]]>([
    ["loops", () => ({ kind: "loop" }), "truncated", [/repeated itself at every temperature and was stopped; the text up to there is kept/, /With a longer limit/, /3 tries.*repeated itself.*temperature 0\.8/]],
    ["loops once", first({ kind: "loop" }), "done", [/2 tries 1\. repeated itself after .* at temperature 0\.2.*2\. read after .* at temperature 0\.5/]],
    ["truncates", () => ({ kind: "answer", text: "![text](1,1,9,9) Cut", finish: "length" }), "truncated", [/reached its length limit; the end of the page is missing/, /With a longer limit/, /With a smaller picture/]],
    ["cuts the connection", first({ kind: "cut", after: "![text](1,1,9,9) Half" }), "done", [/2 tries 1\. broke off/]],
    ["answers 400", () => ({ kind: "status", status: 400 }), "failed", [/refused the page picture; read the page with another preset/, /Repeat this page/]],
    ["answers 504", () => ({ kind: "status", status: 504 }), "failed", [/gave the page up because it took too long/, /Repeat this page/]],
    ["answers 429", first({ kind: "status", status: 429, retryAfter: "1" }), "done", [/2 tries 1\. engine busy/]],
    ["answers 500", first({ kind: "status", status: 500 }), "done", [/2 tries 1\. broke off.*The engine failed while reading the page/]],
    ["answers 503", first({ kind: "status", status: 503 }), "done", [/2 tries 1\. engine busy/]],
    ["sends damaged markers", () => ({ kind: "answer", text: "![text](930,300,70,220) Swapped.\n![tab" }), "done", [/tokens written/]],
    ["sends no boxes", () => ({ kind: "answer", text: "# Plain" }), "done", [/answered without boxes; the page is kept as plain text/]],
  ])("%s", async (_fault, how, state, sentences) => {
    const look = await start(how);
    await eventually(async () => (await look()).state, 25_000).toBe(state);
    const { shown } = await look();
    for (const sentence of sentences) expect(shown).toMatch(sentence);
  });

  it("asks to wait: the page says how long, and why", async () => {
    const look = await start(first({ kind: "status", status: 429, retryAfter: "600" }));
    await eventually(async () => (await look()).shown, 25_000).toMatch(/Trying again in \d+ s: The engine is overloaded/);
  });

  it("writes slowly: the page says that it is being read", async () => {
    const look = await start(() => ({ kind: "hang", first: "![text](1,1,9,9) begun" }));
    await eventually(async () => (await look()).shown, 25_000).toContain("The engine is reading the page");
  });
});
