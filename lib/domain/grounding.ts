import { createMarkerScanner, type Marker } from "./grounding-marker";
import { createPlainSplitter, guessLabel } from "./grounding-plain";

/** x1, y1, x2, y2 on a 0–1000 grid per axis, origin top left, x1 < x2 and y1 < y2. */
export type Box = readonly [number, number, number, number];

/** What was done to a box that came damaged; null when it was fine. */
export type BoxRepair = "swapped" | "clamped" | "empty";

/** One layout block in reading order. `box` is null when the model gave none or one without area: the text is kept. */
export type Block = {
  index: number;
  label: string;
  /** Written `label+`: goes on where an earlier block stopped, in the next column or on the next page. */
  continues: boolean;
  box: Box | null;
  boxRepair: BoxRepair | null;
  text: string;
};

export type GroundingParser = {
  /** Takes the next piece of the model's answer; pieces may be cut anywhere. */
  push(delta: string): void;
  /** The blocks so far; the last one may still grow. Blocks before it keep their identity between calls. */
  readonly blocks: readonly Block[];
  /** Ends the text: a marker that was cut off becomes text of the block before it. */
  finish(): readonly Block[];
};

type OpenBlock = { marker: Marker | null; raw: string };

/**
 * Incremental parser of LightOnOCR-3's grounding text, `![label](x1,y1,x2,y2) text` per block
 * (https://github.com/lightonai/LightOnOCR, README). Total: takes any text in any chunking in linear time, never throws and
 * loses no text. Text before the first marker, or without any, becomes blocks without boxes. LightOnOCR-2's pictures with boxes
 * (https://huggingface.co/lightonai/LightOnOCR-2-1B-bbox) become blocks of their own between the text around them.
 */
export function createGroundingParser(): GroundingParser {
  const closed: Block[] = [];
  let open: OpenBlock | null = null;

  function close() {
    const block = open && toBlock(open, closed.length);
    if (block) closed.push(block);
    open = null;
  }

  const plain = createPlainSplitter({
    text: (piece) => {
      open = { marker: null, raw: (open?.raw ?? "") + piece };
    },
    end: close,
  });

  const scanner = createMarkerScanner({
    text: (piece) => {
      if (open?.marker) open.raw += piece;
      else plain.push(piece);
    },
    marker: (marker) => {
      plain.finish();
      close();
      open = { marker, raw: "" };
      if (marker.isAlone) close();
    },
  });

  function blocks(): readonly Block[] {
    const last = open && toBlock(open, closed.length);
    return last ? [...closed, last] : [...closed];
  }

  return {
    push: scanner.push,
    get blocks() {
      return blocks();
    },
    finish() {
      scanner.finish();
      if (!open?.marker) plain.finish();
      close();
      return [...closed];
    },
  };
}

/** Parses a whole answer at once; see `createGroundingParser`. */
export function parseGrounding(text: string): readonly Block[] {
  const parser = createGroundingParser();
  parser.push(text);
  return parser.finish();
}

function toBlock({ marker, raw }: OpenBlock, index: number): Block | null {
  const text = raw.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd();
  if (marker) return { index, label: marker.label, continues: marker.continues, ...repairBox(marker.numbers), text };
  if (text.trim() === "") return null;
  return { index, label: guessLabel(text), continues: false, box: null, boxRepair: null, text };
}

function repairBox(numbers: Box): { box: Box | null; boxRepair: BoxRepair | null } {
  const [left, top, right, bottom] = numbers;
  const sorted: Box = [Math.min(left, right), Math.min(top, bottom), Math.max(left, right), Math.max(top, bottom)];
  const [x1, y1, x2, y2] = sorted.map((value) => Math.min(1000, Math.max(0, Math.round(value))));
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined || x1 >= x2 || y1 >= y2) {
    return { box: null, boxRepair: "empty" };
  }
  const box: Box = [x1, y1, x2, y2];
  if (left > right || top > bottom) return { box, boxRepair: "swapped" };
  return { box, boxRepair: sorted.some((value, i) => Math.round(value) !== box[i]) ? "clamped" : null };
}
