/**
 * `npm run bench:ocr` measures reading and drawing against the native programs in the same run, and prints ratios. Processor time is
 * compared, not the clock, so that other work on the machine counts for neither side; the gain of the second core is by the clock.
 * Parts by name: `npm run bench:ocr -- accuracy drawing memory`. Other documents: BENCH_DOCUMENTS=DIR, with their truths in DIR/expected.
 * BENCH_PAGES_SHOWN=1 prints each page; BENCH_MEGABYTES and BENCH_PAGES size the memory part.
 */
import path from "node:path";
import { compareDrawing } from "./bench-ocr/drawing";
import { compareEngines } from "./bench-ocr/accuracy";

const wanted = process.argv.slice(2);
const isWanted = (part: string) => wanted.length === 0 || wanted.includes(part);
const print = (name: string, value: string, target: string) => console.log(`${name.padEnd(72)} ${value.padStart(8)}   ${target}`);

const documents = process.env.BENCH_DOCUMENTS ?? "public/samples";
const truths = process.env.BENCH_DOCUMENTS ? path.join(documents, "expected") : "scripts/bench-ocr/truth";

if (isWanted("accuracy")) await compareEngines({ documents, truths, dataDir: process.env.LECTERN_DATA_DIR ?? ".lectern" }, print);
if (isWanted("drawing")) await compareDrawing(documents, print);
if (isWanted("memory")) await import("./bench-ocr/memory").then(({ measureMemory }) => measureMemory(print)); // last, as it brings a database with it
process.exit();
