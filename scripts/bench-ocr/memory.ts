import { randomFillSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { DocumentLimits } from "@/lib/domain/document";
import { renderSize } from "@/lib/domain/document-rendering";
import { migrate } from "../migrate";
import { startPostgres } from "../postgres";
import { makeDesk, makePdf, useOwnDataFolder as ownDataFolder } from "../test/reading-desk";
import { childPids } from "./processor-time";

const MIB = 1024 * 1024;
const PIECE = 64 * 1024;
const megabytes = Number(process.env.BENCH_MEGABYTES ?? 200);
const pageCount = Number(process.env.BENCH_PAGES ?? 500);

/** MiB that the workers have (`VmRSS`), or had at most (`VmHWM`); proc(5). */
function workersMiB(field: "VmRSS" | "VmHWM"): number {
  const sizes = childPids().map((pid) => {
    const status = readStatus(pid);
    return /^Name:\s+postgres/m.test(status) ? 0 : Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  });
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return ""; // it ended meanwhile
  }
}

/** The most that this process, and its workers, had while some work went on, above what they had before. */
async function growthDuring(work: () => Promise<unknown>): Promise<{ server: number; workers: number }> {
  globalThis.gc?.();
  const before = { server: process.memoryUsage.rss(), workers: workersMiB("VmRSS") };
  let peak = before.server;
  const look = () => (peak = Math.max(peak, process.memoryUsage.rss()));
  const timer = setInterval(look, 20);
  await work().finally(() => clearInterval(timer));
  return { server: (look() - before.server) / MIB, workers: workersMiB("VmHWM") - before.workers };
}

/** A PDF of that many bytes: one page, and a stream that nothing uses. Made piece by piece, so that it is never whole in memory here. */
function largePdf(bytes: number): ReadableStream<Uint8Array> {
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>"];
  let head = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = head.length;
    head += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  places.push(head.length);
  head += `4 0 obj\n<< /Length ${bytes} >>\nstream\n`;
  const end = "\nendstream\nendobj\n";
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const tail = `${end}xref\n0 5\n0000000000 65535 f \n${rows}trailer << /Root 1 0 R /Size 5 >>\nstartxref\n${head.length + bytes + end.length}\n%%EOF\n`;
  const piece = randomFillSync(new Uint8Array(PIECE)); // the same one again and again: what is measured is not this
  let left = bytes;
  return new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(Buffer.from(head))),
    pull(controller) {
      controller.enqueue(left < PIECE ? piece.subarray(0, left) : piece);
      left -= Math.min(PIECE, left);
      if (left > 0) return;
      controller.enqueue(new Uint8Array(Buffer.from(tail)));
      controller.close();
    },
  });
}

/** Prints how much this process and its workers grow while a large file is uploaded, and while a PDF of many pages is drawn. */
export async function measureMemory(print: (name: string, value: string, target: string) => void): Promise<void> {
  const tell = async (name: string, work: () => Promise<unknown>) => {
    const { server, workers } = await growthDuring(work);
    print(`${name}: server ${server.toFixed(0)} MiB, its workers ${workers.toFixed(0)} MiB`, `${(server + workers).toFixed(0)} MiB`, "target < 300 MiB");
  };
  ownDataFolder();
  const postgres = await startPostgres({ dir: ".data/bench/pg", database: `bench_${Date.now()}`, isTest: true });
  process.env.DATABASE_URL = postgres.url;
  await migrate(postgres.url);
  // Imported now, as the configuration is read from the environment.
  const { db } = await import("@/lib/platform/db");
  const { execute } = await import("@/lib/services/pipeline");
  const { documentsUpload } = await import("@/lib/services/documents");
  const { createRasteriser, rasteriser } = await import("@/lib/platform/raster/rasteriser");
  const desk = await makeDesk(db(), "bench-memory", "http://127.0.0.1:9");
  await db().environment.update({ where: { id: desk.environmentId }, data: { maxDocumentMegabytes: megabytes + 10, maxDocumentPages: pageCount } });
  await Promise.all([desk.upload(makePdf(1)), desk.upload(makePdf(1))]); // connections, code and both workers are there

  const upload = () => execute(documentsUpload, { db: db(), caller: desk.caller, input: { environmentId: desk.environmentId, name: "large.pdf" }, body: largePdf(megabytes * MIB) });
  await tell(`growth for an upload of ${megabytes} MB`, upload);
  rasteriser().close();

  const raster = createRasteriser();
  const bytes = makePdf(pageCount);
  const limits = DocumentLimits.parse({ maxPages: pageCount });
  const source = { id: "pages", bytes: async () => bytes };
  const size = renderSize({ model: "0.8B", preset: "best", page: { kind: "pdf", widthPt: 612, heightPt: 792 } });
  const draw = (number: number) => raster.renderPage(source, { number, ...size }, { name: "pages.pdf", limits });
  await Promise.all(["one", "two"].map((id) => raster.inspect({ id, bytes: async () => makePdf(1) }, { name: "one.pdf", limits })));
  const drawAll = async () => {
    const queue = Array.from({ length: pageCount }, (_, index) => index + 1);
    const lane = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await draw(next);
    };
    await Promise.all([lane(), lane(), lane(), lane()]);
  };
  await tell(`growth for drawing ${pageCount} pages of a PDF at 5 MP`, drawAll);
  raster.close();
  await db().$disconnect();
  await postgres.stop();
}
