/**
 * node --expose-gc --conditions=react-server --import tsx scripts/prove-archive.ts [--megabytes 1000 --files 400]: uploads one zip of that size, and prints
 * what the process's memory came to while the archive was stored, weighed, and taken apart.
 */
import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";

const argument = (name: string, usual: number) => (process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : usual);
const [megabytes, files] = [argument("megabytes", 1000), argument("files", 400)];
const LOOK_MS = 20;
const megabytesNow = () => Math.round(process.memoryUsage().rss / 1e6);

/** A zip of PDFs of one page; what makes them heavy stands as noise behind the end of each, and does not pack. */
async function makeArchive(file: string): Promise<void> {
  const { writeZip } = await import("@/lib/platform/zip-write");
  const { makePdf } = await import("./test/reading-desk");
  async function* all() {
    for (let index = 0; index < files; index += 1) yield { name: `in/${index}.pdf`, content: Buffer.concat([randomBytes(Math.round((megabytes * 1e6) / files)), makePdf(1)].reverse()) };
  }
  await pipeline(Readable.fromWeb(writeZip(all()) as NodeStream), createWriteStream(file)); // the same stream; Node and the DOM type it apart
}

async function main(): Promise<void> {
  const { ownFolder } = await import("./test/gateway-place");
  const { startPostgres } = await import("./postgres");
  const { migrate } = await import("./migrate");
  ownFolder();
  const database = await startPostgres({ dir: ".data/bench/pg-archive", database: `archive_${Date.now()}`, isTest: true });
  process.env.DATABASE_URL = database.url;
  await migrate(database.url);
  const { connect } = await import("@/lib/platform/db");
  const { batchesUnpack } = await import("@/lib/services/batches-files");
  const { execute } = await import("@/lib/services/pipeline");
  const { makeDesk, makePdf } = await import("./test/reading-desk");
  const db = connect(database.url);
  const desk = await makeDesk(db, `archive-${Date.now()}`, "http://127.0.0.1:1");
  await desk.upload(makePdf(1)); // what is loaded once is there
  const file = path.join(process.env.LECTERN_DATA_DIR ?? ".data", "archive.zip");
  mkdirSync(path.dirname(file), { recursive: true });
  await makeArchive(file);
  globalThis.gc?.();
  const before = megabytesNow();
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, megabytesNow())), LOOK_MS);
  const started = performance.now();
  const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>; // as above
  const { documentIds, skipped } = await execute(batchesUnpack, { db, caller: desk.caller, input: { environmentId: desk.environmentId, name: "archive.zip" }, body });
  clearInterval(looking);
  const left = readdirSync(path.join(process.env.LECTERN_DATA_DIR ?? "", "scratch")).length;
  console.log(`an archive of ${Math.round(statSync(file).size / 1e6)} MB, ${files} files: ${documentIds.length} documents stored, ${skipped.length} left out, in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  console.log(`memory ${before} MB before, ${most} MB at most, ${most - before} MB more; ${left} files left in scratch`);
  rmSync(process.env.LECTERN_DATA_DIR ?? "", { recursive: true, force: true });
  await db.$disconnect();
  await database.stop();
  process.exit(documentIds.length === files ? 0 : 1);
}

await main();
