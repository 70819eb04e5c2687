import "server-only";
import type { PagePng, Turn } from "./picture";
import { turnPage } from "./picture";
import { certaintyOf, readsDownwards, type Scan } from "./scan";

const CERTAIN = 80; // mean confidence from which a page is taken to stand upright
const MIN_GAIN = 1.05; // the turn proposal is wrong too often to follow it for less
const TURN_OF_DOWNWARD_TEXT: Turn = 270;

/** A scan, and how far clockwise the page was turned before it was read. */
export type Upright = { scan: Scan; turn: Turn };

export type Readers = { read(page: PagePng): Promise<Scan>; turnOf(page: PagePng): Promise<Turn> };

/** Reads a page as it is; when the reading is poor or runs downwards, reads it turned too and keeps the better one. */
export async function readUpright(page: PagePng, readers: Readers): Promise<Upright> {
  const asSent: Upright = { scan: await readers.read(page), turn: 0 };
  const isDownwards = readsDownwards(asSent.scan);
  const { confidence, letters } = certaintyOf(asSent.scan);
  if (letters === 0 || (confidence >= CERTAIN && !isDownwards)) return asSent;
  const proposed = await readers.turnOf(page);
  const turn = proposed === 0 && isDownwards ? TURN_OF_DOWNWARD_TEXT : proposed;
  if (turn === 0) return asSent;
  const turned: Upright = { scan: await readers.read(await turnPage(page, turn)), turn };
  return isBetter(turned.scan, asSent.scan, isDownwards) ? turned : asSent;
}

function isBetter(turned: Scan, asSent: Scan, isDownwards: boolean): boolean {
  if (isDownwards) return !readsDownwards(turned) && score(turned) > score(asSent) / MIN_GAIN;
  return score(turned) >= score(asSent) * MIN_GAIN;
}

function score(scan: Scan): number {
  const { confidence, letters } = certaintyOf(scan);
  return confidence * Math.sqrt(letters);
}
