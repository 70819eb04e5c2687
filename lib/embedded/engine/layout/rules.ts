import "server-only";
import { grow, heightOf, touches, unionOf, widthOf, type Box } from "../box";

/** A net of drawn rules: the places of its lines in pixels, and the rules themselves to ask whether one crosses a cell's edge. */
export type Grid = { box: Box; xs: number[]; ys: number[]; horizontal: Box[]; vertical: Box[]; tolerance: number };

const TOUCH_TOLERANCE = 0.008; // of the page's width
const MIN_HORIZONTAL = 3;
const MIN_VERTICAL = 2;
const MIN_COVER = 0.5;

/** The rules of a page between two heights, cut there. */
export function rulesBetween(rules: readonly Box[], [top, bottom]: [number, number]): Box[] {
  return rules
    .filter((rule) => rule.y0 < bottom && rule.y1 > top)
    .map((rule) => ({ ...rule, y0: Math.max(rule.y0, top), y1: Math.min(rule.y1, bottom) }));
}

/** Finds the grids among the rules of a page: rules that touch belong together; three across and two down make a grid. */
export function findGrids(rules: readonly Box[], pageWidth: number): Grid[] {
  const tolerance = pageWidth * TOUCH_TOLERANCE;
  return joinTouching(rules, tolerance).flatMap((group) => {
    const horizontal = group.filter((rule) => widthOf(rule) >= heightOf(rule));
    const vertical = group.filter((rule) => widthOf(rule) < heightOf(rule));
    if (horizontal.length < MIN_HORIZONTAL || vertical.length < MIN_VERTICAL) return [];
    const box = frameOf(group, { horizontal, vertical });
    const xs = places([box.x0, box.x1, ...vertical.map((rule) => (rule.x0 + rule.x1) / 2)], tolerance);
    const ys = places([box.y0, box.y1, ...horizontal.map((rule) => (rule.y0 + rule.y1) / 2)], tolerance);
    return [{ box, xs, ys, horizontal, vertical, tolerance }];
  });
}

/** The frame ends at the outermost rules across, or where most rules down end when that last rule was not seen. */
function frameOf(group: readonly Box[], { horizontal, vertical }: Pick<Grid, "horizontal" | "vertical">): Box {
  const across = unionOf(horizontal);
  return {
    ...unionOf(group),
    y0: Math.min(across.y0, median(vertical.map((rule) => rule.y0))),
    y1: Math.max(across.y1, median(vertical.map((rule) => rule.y1))),
  };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Whether a rule is drawn down the line `x` between two heights. */
export function ruleDown(grid: Grid, x: number, [from, to]: [number, number]): boolean {
  const near = grid.vertical.filter((rule) => Math.abs((rule.x0 + rule.x1) / 2 - x) <= grid.tolerance);
  return covers(
    near.map((rule) => [rule.y0, rule.y1]),
    [from, to],
  );
}

/** Whether a rule is drawn along the height `y` between two sides. */
export function ruleAcross(grid: Grid, y: number, [from, to]: [number, number]): boolean {
  const near = grid.horizontal.filter((rule) => Math.abs((rule.y0 + rule.y1) / 2 - y) <= grid.tolerance);
  return covers(
    near.map((rule) => [rule.x0, rule.x1]),
    [from, to],
  );
}

function covers(spans: [number, number][], [from, to]: [number, number]): boolean {
  const drawn = spans.reduce((sum, [start, end]) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0);
  return drawn >= (to - from) * MIN_COVER;
}

/** Sorted positions; those closer than the tolerance are one. */
function places(values: number[], tolerance: number): number[] {
  const merged: number[] = [];
  for (const value of values.sort((a, b) => a - b)) {
    const last = merged.at(-1);
    if (last === undefined || value - last > tolerance) merged.push(value);
  }
  return merged;
}

function joinTouching(rules: readonly Box[], tolerance: number): Box[][] {
  let groups: Box[][] = [];
  for (const rule of rules) {
    const reach = grow(rule, tolerance);
    const met = groups.filter((group) => group.some((other) => touches(reach, other)));
    groups = [...groups.filter((group) => !met.includes(group)), [...met.flat(), rule]];
  }
  return groups;
}
