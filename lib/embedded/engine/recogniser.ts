import "server-only";
import { toGrid, type GridBox } from "./grid";
import { layOut } from "./layout/blocks";
import type { Label } from "./layout/labels";
import { readUpright } from "./orientation";
import type { PagePng, Picture, Turn } from "./picture";
import { createPool, type Load } from "./pool";
import { meanConfidence } from "./scan";
import { startReader, startTurner } from "./tesseract";

/** A block as it is answered: in reading order, its box on the 0–1000 grid of the picture that was sent. */
export type Block = { label: Label; box: GridBox; text: string; continues: boolean };

/** `meanConfidence` is 0–100, `null` for a page without a word; below 60 the page is handwriting or too poor to read. */
export type PageReading = { blocks: Block[]; meanConfidence: number | null };

export type Recogniser = {
  /** @throws EngineError ServiceUnavailableError at once when the queue is full. */
  read(picture: Picture, signal: AbortSignal): Promise<PageReading>;
  load(): Load;
  isHealthy(): boolean;
  close(): Promise<void>;
};

const PAGE_LIMIT_MS = 120_000;
const TURN_LIMIT_MS = 30_000;
const MAX_WAITING = 32;

/** Reads pages with as many Tesseract threads as told; they start with the first page, the orientation thread when first needed. */
export function createRecogniser(options: { tessdata: string; workers: number; maxWaiting?: number }): Recogniser {
  const maxWaiting = options.maxWaiting ?? MAX_WAITING;
  const readers = createPool({ size: options.workers, maxWaiting, timeLimitMs: PAGE_LIMIT_MS, start: () => startReader(options.tessdata) });
  const turners = createPool({
    size: 1,
    maxWaiting: options.workers,
    timeLimitMs: TURN_LIMIT_MS,
    start: () => startTurner(options.tessdata),
  });
  const proposeTurn = async (page: PagePng, signal: AbortSignal): Promise<Turn> => {
    try {
      return await turners.run((turner) => turner.turnOf(page), signal);
    } catch {
      return 0; // the turn is only a proposal: without one the page is answered as it was read
    }
  };
  return {
    read(picture, signal) {
      return readers.run(async (reader) => {
        const { scan, turn } = await readUpright(picture.page, { read: reader.read, turnOf: (page) => proposeTurn(page, signal) });
        const blocks = layOut(scan).map((block) => ({ ...block, box: toGrid(block.box, scan, turn) }));
        return { blocks, meanConfidence: meanConfidence(scan) };
      }, signal);
    },
    load: readers.load,
    isHealthy: readers.isHealthy,
    async close() {
      await Promise.all([readers.close(), turners.close()]);
    },
  };
}
