import { readFile } from "node:fs/promises";
import { Mistral } from "@mistralai/mistralai";
import { HTTPValidationError, SDKError } from "@mistralai/mistralai/models/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaultGatewayLimits } from "@/lib/domain/rate-limit";
import { useDatabase } from "@/scripts/test/database";
import { makeApiKey, ownFolder, serveGateway, type GatewayPlace } from "@/scripts/test/gateway-place";
import { makeDesk, makePdf, type Desk } from "@/scripts/test/reading-desk";
import { startStandInEngine, type Behaviour, type StandInEngine } from "@/scripts/test/stand-in-engine";

ownFolder();
const at = useDatabase();
const text = [
  "![header](80,20,400,40) Harbour Authority",
  "![title](80,60,600,110) # Berths in spring",
  "![text](80,150,900,400) The quay served 214 vessels.",
  "![image](100,420,500,700) A coiled rope.",
  "![table](100,720,900,900) <table><tr><td>Rope</td><td>12</td></tr></table>",
].join("\n\n");

let behave: () => Behaviour;
let engine: StandInEngine;
let desk: Desk;
let place: GatewayPlace;
let client: Mistral;
const pdf = (pages: number) => `data:application/pdf;base64,${Buffer.from(makePdf(pages)).toString("base64")}`;

beforeAll(async () => {
  engine = await startStandInEngine({ behave: () => behave() });
  desk = await makeDesk(at.db, "harbour", engine.url);
  place = await serveGateway(at.db);
  client = new Mistral({ apiKey: await makeApiKey(at.db, desk.userId), serverURL: place.origin, retryConfig: { strategy: "none" } });
});
beforeEach(async () => {
  behave = () => ({ kind: "answer", text });
  await at.db.usageEntry.deleteMany();
});
afterAll(async () => {
  await place.close();
  await engine.stop();
});

describe("the official Mistral client, with nothing changed but the address and the key", () => {
  it("reads a PDF: Markdown, boxes in pixels, dimensions, blocks and usage, each page counted once", async () => {
    const answer = await client.ocr.process({ model: "mistral-ocr-latest", document: { type: "document_url", documentUrl: pdf(3) } });
    expect(answer).toMatchObject({ model: "harbour/embedded-tesseract-5", usageInfo: { pagesProcessed: 3 } });
    expect(answer.pages.map(({ index }) => index)).toEqual([0, 1, 2]);
    const [first] = answer.pages;
    expect(first?.dimensions).toEqual({ dpi: 186, height: 2048, width: 1583 });
    expect(first?.markdown).toContain("# Berths in spring\n\nThe quay served 214 vessels.\n\n![img-0.jpeg](img-0.jpeg)\n\n<table>");
    expect(first?.images).toMatchObject([{ id: "img-0.jpeg", topLeftX: 158, topLeftY: 860, bottomRightX: 792, bottomRightY: 1434, imageBase64: null }]);
    expect(first?.blocks?.map(({ type }) => type)).toEqual(["header", "title", "text", "image", "table"]);
    expect(await at.db.usageEntry.findMany()).toMatchObject(Array(3).fill({ pages: 1, feature: "gateway", promptTokens: 1000 }));
  });

  it.each([[[1], [1]], ["0,2-3", [0, 2, 3]]] as [number[] | string, number[]][])("reads the pages %j only", async (pages, expected) => {
    const answer = await client.ocr.process({ model: "harbour/embedded-tesseract-5", document: { type: "document_url", documentUrl: pdf(4) }, pages });
    expect(answer.pages.map(({ index }) => index)).toEqual(expected);
    expect(await at.db.usageEntry.count()).toBe(expected.length);
  });

  it("takes headers and tables out, and sends the pictures when asked", async () => {
    const image = `data:image/jpeg;base64,${(await readFile("public/samples/receipt-thermal.jpg")).toString("base64")}`;
    const answer = await client.ocr.process({ model: "mistral-ocr-latest", document: { type: "image_url", imageUrl: image }, includeImageBase64: true, extractHeader: true, tableFormat: "html" });
    const [page] = answer.pages;
    expect(page).toMatchObject({ header: "Harbour Authority", tables: [{ id: "tbl-0.html", format: "html" }] });
    expect(page?.markdown).not.toContain("Harbour Authority");
    expect(page?.markdown).toContain("[tbl-0.html](tbl-0.html)");
    expect(Buffer.from(page?.images[0]?.imageBase64?.split(",")[1] ?? "", "base64").subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  });

  it.each([
    ["an address", { document: { type: "document_url", documentUrl: "https://example.test/a.pdf" } }],
    ["a page that is not there", { document: { type: "document_url", documentUrl: pdf(1) }, pages: [4] }],
    ["annotations", { document: { type: "document_url", documentUrl: pdf(1) }, documentAnnotationPrompt: "Sum it up" }],
  ] as [string, Omit<Parameters<typeof client.ocr.process>[0], "model">][])("is told about %s as a validation error", async (_what, wrong) => {
    await expect(client.ocr.process({ model: "mistral-ocr-latest", ...wrong })).rejects.toBeInstanceOf(HTTPValidationError);
    expect(await at.db.usageEntry.count()).toBe(0);
  });

  it("is told about its key and about the engine in Mistral's own words", async () => {
    const stranger = new Mistral({ apiKey: "lct_wrongwrongwrongwrongwrong", serverURL: place.origin, retryConfig: { strategy: "none" } });
    const document = { type: "document_url" as const, documentUrl: pdf(1) };
    await expect(stranger.ocr.process({ model: "mistral-ocr-latest", document })).rejects.toMatchObject({ statusCode: 401 });
    behave = () => ({ kind: "status", status: 400, body: "{}" });
    const refused = client.ocr.process({ model: "mistral-ocr-latest", document });
    await expect(refused).rejects.toBeInstanceOf(SDKError);
    expect(await at.db.usageEntry.count()).toBe(0);
  });

  it("hears of a limit as 429 with its name and Retry-After, before anything is read", async () => {
    const tight = await serveGateway(at.db, { limits: { ...defaultGatewayLimits, pagesPerMinute: { ...defaultGatewayLimits.pagesPerMinute, ofToken: 2 } } });
    const own = new Mistral({ apiKey: await makeApiKey(at.db, desk.userId), serverURL: tight.origin, retryConfig: { strategy: "none" } });
    const refused = await own.ocr.process({ model: "mistral-ocr-latest", document: { type: "document_url", documentUrl: pdf(3) } }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SDKError);
    expect(refused).toMatchObject({ statusCode: 429, body: expect.stringContaining("2 pages a minute for this token") });
    expect(Number((refused as SDKError).headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await at.db.usageEntry.count()).toBe(0);
    await tight.close();
  });

  it("reads a page again that looped, hotter, and counts it once with all its tokens", async () => {
    let asked = 0;
    behave = () => ((asked += 1) === 1 ? { kind: "loop" } : { kind: "answer", text });
    const answer = await client.ocr.process({ model: "mistral-ocr-latest", document: { type: "document_url", documentUrl: pdf(1) } });
    expect(answer.pages[0]?.markdown).toContain("214 vessels");
    expect(engine.asked.at(-1)?.temperature).toBe(0.5);
    expect(await at.db.usageEntry.count()).toBe(1);
  });
});
