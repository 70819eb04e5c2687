import { add, exact, multiply, ZERO, type Exact } from "../money";

/**
 * A straight piece of a monthly cost: from page `after` + 1 to the next piece, q pages cost `constant + slope × q`.
 * `isStep` marks a piece that begins with a new node or a new whole-volume price.
 */
export type Piece = { after: bigint; slope: Exact; constant: Exact; isStep: boolean };

/** Pieces in ascending order; the first begins at `after` = −1, so that page 0 is covered. */
export type Curve = Piece[];

/** The cost of `pages` whole pages on the curve. */
export function costAt(curve: Curve, pages: bigint): Exact {
  const piece = pieceAt(curve, pages);
  return add(piece.constant, multiply(piece.slope, exact(pages)));
}

export function pieceAt(curve: Curve, pages: bigint): Piece {
  const piece = curve.findLast((candidate) => candidate.after < pages);
  return piece ?? { after: -1n, slope: ZERO, constant: ZERO, isStep: false };
}

/** The sum of several curves: features that are bought together. */
export function addCurves(curves: Curve[]): Curve {
  const starts = uniqueSorted(curves.flatMap((curve) => curve.map((piece) => piece.after)));
  return starts.map((after) => {
    const active = curves.map((curve) => pieceAt(curve, after + 1n));
    return {
      after,
      slope: active.map((piece) => piece.slope).reduce(add, ZERO),
      constant: active.map((piece) => piece.constant).reduce(add, ZERO),
      isStep: active.some((piece) => piece.isStep && piece.after === after),
    };
  });
}

/** The same curve in another currency: every amount times `rate`. */
export function scaleCurve(curve: Curve, rate: Exact): Curve {
  return curve.map((piece) => ({ ...piece, slope: multiply(piece.slope, rate), constant: multiply(piece.constant, rate) }));
}

export function uniqueSorted(values: bigint[]): bigint[] {
  return [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
