import { toPages } from "../money";
import { apiCurve, type ApiMix } from "./api-plan";
import { uniqueSorted, type Curve } from "./curve";
import { capacityPerNode, selfHostCurve, type SelfHost } from "./self-host";

/** Where a cost line bends or jumps, for drawing: both sides of every boundary, page 0 and the right edge `upTo`. */
export function cornerPages(curve: Curve, upTo: number): number[] {
  const end = BigInt(upTo);
  const pages = curve.flatMap(({ after }) => [after < 0n ? 0n : after, after + 1n]);
  return uniqueSorted([0n, ...pages, end].filter((page) => page <= end)).map(toPages);
}

/** The first `count` bracket and node boundaries up to `upTo`: the last page before each new piece of either side. */
export function boundaries(selfHost: SelfHost, mix: ApiMix, { upTo, count }: { upTo: number; count: number }): number[] {
  const capacity = selfHost.kind === "nodes" ? capacityPerNode(selfHost) : null;
  const end = BigInt(upTo);
  // No more nodes than are asked for: the search limit may stand for billions of them.
  const last = selfHost.kind === "nodes" && capacity !== null ? capacity * BigInt(selfHost.minNodes + count) : end;
  const ends = [...selfHostCurve(selfHost, last < end ? last : end), ...apiCurve(mix)].map((piece) => piece.after);
  return uniqueSorted(ends.filter((after) => after >= 0n && after <= end)).slice(0, count).map(toPages);
}
