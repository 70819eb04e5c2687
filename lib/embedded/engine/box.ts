import "server-only";

/** A rectangle in pixels, origin top left; `x1` and `y1` lie just outside. */
export type Box = { x0: number; y0: number; x1: number; y1: number };

export type Point = { x: number; y: number };

export function widthOf(box: Box): number {
  return box.x1 - box.x0;
}

export function heightOf(box: Box): number {
  return box.y1 - box.y0;
}

export function areaOf(box: Box): number {
  return Math.max(0, widthOf(box)) * Math.max(0, heightOf(box));
}

export function centreOf(box: Box): Point {
  return { x: (box.x0 + box.x1) / 2, y: (box.y0 + box.y1) / 2 };
}

export function holds(box: Box, point: Point): boolean {
  return point.x >= box.x0 && point.x < box.x1 && point.y >= box.y0 && point.y < box.y1;
}

export function grow(box: Box, by: number): Box {
  return { x0: box.x0 - by, y0: box.y0 - by, x1: box.x1 + by, y1: box.y1 + by };
}

/** The common part of two boxes; its area is 0 when they do not meet. */
export function intersect(a: Box, b: Box): Box {
  return { x0: Math.max(a.x0, b.x0), y0: Math.max(a.y0, b.y0), x1: Math.min(a.x1, b.x1), y1: Math.min(a.y1, b.y1) };
}

export function touches(a: Box, b: Box): boolean {
  return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1;
}

/** The smallest box around all; four zeros for none. */
export function unionOf(boxes: readonly Box[]): Box {
  const [first, ...rest] = boxes;
  if (!first) return { x0: 0, y0: 0, x1: 0, y1: 0 };
  return rest.reduce(
    (all, box) => ({
      x0: Math.min(all.x0, box.x0),
      y0: Math.min(all.y0, box.y0),
      x1: Math.max(all.x1, box.x1),
      y1: Math.max(all.y1, box.y1),
    }),
    first,
  );
}
