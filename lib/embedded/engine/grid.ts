import "server-only";
import type { Box } from "./box";
import type { Turn } from "./picture";
import type { Size } from "./scan";

/** left, top, right, bottom: whole numbers 0–1000 of the picture's width and height, right > left and bottom > top. */
export type GridBox = [number, number, number, number];

const STEPS = 1000;

/** A box of a page that was read turned, on the 0–1000 grid of the page as it was sent. */
export function toGrid(box: Box, page: Size, turn: Turn): GridBox {
  const across = (x: number) => (x / page.width) * STEPS;
  const down = (y: number) => (y / page.height) * STEPS;
  const [x0, y0, x1, y1] = turnBack([across(box.x0), down(box.y0), across(box.x1), down(box.y1)], turn);
  const [left, right] = wholeSpan(x0, x1);
  const [top, bottom] = wholeSpan(y0, y1);
  return [left, top, right, bottom];
}

function turnBack([x0, y0, x1, y1]: GridBox, turn: Turn): GridBox {
  switch (turn) {
    case 0:
      return [x0, y0, x1, y1];
    case 90:
      return [y0, STEPS - x1, y1, STEPS - x0];
    case 180:
      return [STEPS - x1, STEPS - y1, STEPS - x0, STEPS - y0];
    case 270:
      return [STEPS - y1, x0, STEPS - y0, x1];
  }
}

function wholeSpan(from: number, to: number): [number, number] {
  const start = Math.min(STEPS - 1, Math.max(0, Math.round(from)));
  return [start, Math.min(STEPS, Math.max(start + 1, Math.round(to)))];
}
