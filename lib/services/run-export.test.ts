import { inflateRawSync } from "node:zlib";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { useDatabase } from "@/scripts/test/database";
import { makeDesk, makePdf, useOwnDataFolder, type Desk } from "@/scripts/test/reading-desk";
import { startStandInEngine, type StandInEngine } from "@/scripts/test/stand-in-engine";
import { EXPORT_FORMAT_NAMES, type ExportFormat } from "@/lib/domain/export-format";
import { plainText } from "@/lib/domain/block-text";
import { parseGrounding } from "@/lib/domain/grounding";
import { rasteriser } from "@/lib/platform/raster/rasteriser";
import { startPageWorker, type Worker } from "./page-worker";
import { execute } from "./pipeline";
import { runsExport } from "./run-export";
import { runsGet, runsStart } from "./runs";

useOwnDataFolder();
const test = useDatabase();
const TEXT = [
  "![header](80,20,900,50) Harbour Authority",
  "![title](80,60,900,110) # Berth occupancy",
  "![text](80,120,900,300) Ναύπλιο and Łódź: nine percent",
  "![table](80,320,900,500) <table><tr><th>Month</th><th>Vessels</th></tr><tr><td>March</td><td>61</td></tr></table>",
].join("\n");
let engine: StandInEngine;
let worker: Worker;
let desk: Desk;
let runId: string;

beforeAll(async () => {
  engine = await startStandInEngine({ behave: () => ({ kind: "answer", text: TEXT }) });
  desk = await makeDesk(test.db, "exports", engine.url);
  worker = startPageWorker(test.db);
  const documentId = await desk.upload(makePdf(2), "folder/Bulletin.pdf");
  runId = (await execute(runsStart, { db: test.db, caller: desk.caller, input: { documentId, deploymentId: null } })).id;
  const look = async () => expect((await execute(runsGet, { db: test.db, caller: desk.caller, input: { id: runId } })).run.state).toBe("done");
  await vi.waitFor(look, { timeout: 25_000 });
});
afterAll(async () => {
  await worker.stop();
  await engine.stop();
  rasteriser().close();
});

async function take(format: ExportFormat, hide?: string[]) {
  const { body, fileName } = await execute(runsExport, { db: test.db, caller: desk.caller, input: { id: runId, format, ...(hide ? { hide } : {}) } });
  return { fileName, bytes: Buffer.from(await new Response(body as BodyInit).arrayBuffer()) }; // a stream or bytes: both are a BodyInit
}
const bare = (text: string) => text.replace(/<[^>]*>/g, " ").replace(/&#39;/g, "'").replace(/&amp;/g, "&").replace(/\s+/g, " ");

/** Names and contents of an archive, read from its directory. */
function unzip(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = archive.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, nameLength, from] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28), archive.readUInt32LE(at + 42)];
    const start = from + 30 + archive.readUInt16LE(from + 26) + archive.readUInt16LE(from + 28);
    files.set(archive.subarray(at + 46, at + 46 + nameLength).toString(), inflateRawSync(archive.subarray(start, start + packed)).toString());
    at += 46 + nameLength;
  }
  return files;
}

describe("what is taken away is what is shown", () => {
  it.each(["markdown", "json", "html", "text", "hocr", "alto"] as const)("%s holds every word of every page, and none that is hidden", async (format) => {
    const words = parseGrounding(TEXT).map((block) => plainText(block).split(/\s+/)).flat();
    const all = (await take(format)).bytes.toString();
    for (const word of words) expect(all.split(word).length - 1).toBeGreaterThanOrEqual(2); // on both pages
    const shown = (await take(format, ["header", "table"])).bytes.toString();
    expect(bare(shown)).not.toMatch(/Harbour|Vessels/);
    expect(shown).toContain("Berth occupancy");
  });

  it("names the file after the document", async () => {
    expect((await take("markdown")).fileName).toBe("Bulletin.md");
    expect((await take("pdf")).fileName).toBe("Bulletin.pdf");
  });

  it("gives tables to spreadsheets", async () => {
    expect((await take("csv")).bytes.toString()).toBe('\uFEFF"Page 1, table 1"\r\nMonth,Vessels\r\nMarch,61\r\n\r\n"Page 2, table 1"\r\nMonth,Vessels\r\nMarch,61\r\n');
    const book = unzip((await take("xlsx")).bytes);
    expect(book.get("xl/worksheets/sheet2.xml")).toContain('<c r="B2" t="inlineStr"><is><t xml:space="preserve">61</t></is></c>');
    expect(book.get("xl/workbook.xml")).toContain('name="Page 1, table 1"');
  });

  it("packs everything", async () => {
    const files = unzip((await take("zip", ["header"])).bytes);
    expect([...files.keys()]).toEqual(["document.md", "document.json", "document.html", "document.txt", "document.hocr", "document.alto.xml", "tables/page-1-table-1.csv", "tables/page-2-table-1.csv"]);
    for (const content of files.values()) expect(content).not.toContain("Harbour");
  });

  it("writes a PDF whose words can be found, in every script", async () => {
    const { bytes } = await take("pdf");
    const library = await PDFiumLibrary.init();
    const pdf = await library.loadDocument(bytes);
    expect(pdf.getPageCount()).toBe(2);
    const text = pdf.getPage(1).getText().replace(/\s+/g, " ");
    for (const words of ["Harbour Authority", "Ναύπλιο and Łódź: nine percent", "March 61"]) expect(text).toContain(words);
    const { originalWidth, originalHeight } = pdf.getPage(0).getOriginalSize();
    expect([originalWidth, originalHeight].map(Math.round)).toEqual([612, 792]);
    pdf.destroy();
    library.destroy();
  });

  it("is refused in a form that there is not", async () => {
    await expect(execute(runsExport, { db: test.db, caller: desk.caller, input: { id: runId, format: "docx" } })).rejects.toMatchObject({ code: "invalid_input" });
    expect(EXPORT_FORMAT_NAMES).toHaveLength(10);
  });
});
