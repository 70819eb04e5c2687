import { toPages, type Exact } from "../money";
import { apiCurve, type ApiMix } from "./api-plan";
import { costAt, uniqueSorted, type Curve } from "./curve";
import { selfHostCurve, type SelfHost } from "./self-host";

/** Corner of a cost line, for drawing: both ends of every straight piece up to `upTo` pages. */
export type Corner = { pages: number; cost: Exact };

function corners(curve: Curve, upTo: number): Corner[] {
  const end = BigInt(upTo);
  const pages = uniqueSorted(curve.flatMap(({ after }) => [after < 0n ? 0n : after, after + 1n]).concat(0n, end)).filter(
    (page) => page <= end,
  );
  return pages.map((page) => ({ pages: toPages(page), cost: costAt(curve, page) }));
}

/** The breakpoints of both sides up to `upTo` pages: corners of the staircase and of the tiers. */
export function selfHostCorners(selfHost: SelfHost, upTo: number): Corner[] {
  return corners(selfHostCurve(selfHost, BigInt(upTo)), upTo);
}

export function apiCorners(mix: ApiMix, upTo: number): Corner[] {
  return corners(apiCurve(mix), upTo);
}

/** The bracket and node boundaries up to `upTo`: the last page before each new piece of either side. */
export function boundaries(selfHost: SelfHost, mix: ApiMix, upTo: number): number[] {
  const ends = [...selfHostCurve(selfHost, BigInt(upTo)), ...apiCurve(mix)].map((piece) => piece.after);
  return uniqueSorted(ends.filter((after) => after >= 0n && after <= BigInt(upTo))).map(toPages);
}
