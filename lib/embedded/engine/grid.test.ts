import { expect, test } from "vitest";
import { toGrid } from "./grid";
import type { Turn } from "./picture";

const box = { x0: 100, y0: 200, x1: 300, y1: 250 };

test.each<[Turn, { width: number; height: number }, number[]]>([
  [0, { width: 1000, height: 500 }, [100, 400, 300, 500]],
  [180, { width: 1000, height: 500 }, [700, 500, 900, 600]],
  [90, { width: 1000, height: 500 }, [400, 700, 500, 900]],
  [270, { width: 1000, height: 500 }, [500, 100, 600, 300]],
])("a box of a page read after a turn of %i degrees lies where it was sent", (turn, page, expected) => {
  expect(toGrid(box, page, turn)).toEqual(expected);
});

test("a box never leaves the grid and never loses its area", () => {
  expect(toGrid({ x0: -5, y0: 499.9, x1: 0.2, y1: 520 }, { width: 1000, height: 500 }, 0)).toEqual([0, 999, 1, 1000]);
});
