import "server-only";
import { access } from "node:fs/promises";
import path from "node:path";
import { Worker as Thread } from "node:worker_threads";
import { createWorker, OEM, PSM, type Worker } from "tesseract.js";
import type { PagePng, Turn } from "./picture";
import { readScan, type Scan } from "./scan";

/** A running Tesseract thread; `broken` aborts when it ends. */
type TesseractThread = { broken: AbortSignal; stop(): Promise<void> };

export type Reader = TesseractThread & { read(page: PagePng): Promise<Scan> };
export type Turner = TesseractThread & { turnOf(page: PagePng): Promise<Turn> };

type Start = { languages: string[]; mode: OEM; tessdata: string };

const START_LIMIT_MS = 30_000;

/** Starts a thread that reads English, French and German (0.8–1.7 s of one core, about 150 MB). */
export async function startReader(tessdata: string): Promise<Reader> {
  const worker = await start({ languages: ["eng", "fra", "deu"], mode: OEM.LSTM_ONLY, tessdata });
  await worker.setParameters({
    tessedit_pageseg_mode: PSM.AUTO,
    thresholding_method: "2",
    user_defined_dpi: "230",
    debug_file: "/dev/null",
  });
  return {
    ...threadOf(worker),
    async read(page) {
      const { data } = await worker.recognize(page.png, {}, { text: false, blocks: true, hocr: true });
      return readScan(data, { width: page.width, height: page.height });
    },
  };
}

/** Starts a thread that tells which way up a page is (0.2–0.6 s a page, often wrong: its answer is only a proposal). */
export async function startTurner(tessdata: string): Promise<Turner> {
  const worker = await start({ languages: ["osd"], mode: OEM.TESSERACT_ONLY, tessdata });
  await worker.setParameters({ debug_file: "/dev/null" });
  return {
    ...threadOf(worker),
    async turnOf(page) {
      const found = await worker.detect(page.png);
      const { orientation_degrees: degrees } = found.data;
      return degrees === 90 || degrees === 180 || degrees === 270 ? degrees : 0;
    },
  };
}

/**
 * Every option is needed: without `langPath` tesseract.js downloads, without `cacheMethod` it writes into the working
 * directory, without `errorHandler` a failed job ends the process; and when a file is missing it never settles.
 */
async function start({ languages, mode, tessdata }: Start): Promise<Worker> {
  await Promise.all(languages.map((language) => access(path.join(tessdata, `${language}.traineddata.gz`))));
  const isLegacy = mode === OEM.TESSERACT_ONLY;
  const starting = createWorker(languages.join("+"), mode, {
    langPath: tessdata,
    cacheMethod: "none",
    gzip: true,
    legacyCore: isLegacy,
    legacyLang: isLegacy,
    errorHandler: () => undefined, // the job's promise rejects as well
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("Tesseract did not start in time.")), START_LIMIT_MS);
  });
  try {
    return await Promise.race([starting, late]);
  } catch (error) {
    starting.then((worker) => worker.terminate()).catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function threadOf(worker: Worker): TesseractThread {
  const ended = new AbortController();
  const thread: unknown = Reflect.get(worker, "worker"); // not in the types; without a listener its error ends the process
  if (thread instanceof Thread) {
    thread.once("error", () => ended.abort());
    thread.once("exit", () => ended.abort());
  }
  return {
    broken: ended.signal,
    async stop() {
      await worker.terminate();
    },
  };
}
