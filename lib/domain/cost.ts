import { apiCurve, type ApiMix } from "./cost/api-plan";
import { costAt, uniqueSorted, type Curve, type Piece } from "./cost/curve";
import { beyond, openEnd, type Beyond } from "./cost/limit";
import { capacityPerNode, selfHostCurve, selfTail, type SelfHost } from "./cost/self-host";
import { DomainError } from "./errors";
import { floorDiv, lcm, signOf, toPages, type Exact } from "./money";

export type Side = "self" | "api";

/** The first whole page count at which the strictly cheaper side differs from the side that was cheaper before it. */
export type Crossing = { firstPage: number; cheaper: Side; atStep: boolean };

/** `cheaper` is the cheaper side from page `from` to `to` (null: for good); single ties inside count with the side before them. */
export type Interval = { from: number; to: number | null; cheaper: Side | "tie" };

export type Solution = {
  crossings: Crossing[];
  intervals: Interval[];
  /** Crossings are complete up to this page. */
  searchedTo: number;
  /** Above `limit` pages `verdict` holds for good; "open" and "unpriced" say that nothing is known there. */
  beyond: { verdict: Side | "tie" | "open" | "unpriced"; limit: number | null };
};

export type SolveOptions = {
  /** Search no further than this page; without it the search ends where one side stays cheaper for good. */
  searchUpTo?: number;
  /** The API list has no price above this page: nothing is said beyond it. */
  pricedUpTo?: number | null;
};

/** A search that a caller sized is refused past this many nodes; one that sized itself stops earlier, within a keystroke's time. */
const NODE_LIMIT = 200_000n;
const UNASKED_NODE_LIMIT = 2_000n;
const LAST_PAGE = BigInt(Number.MAX_SAFE_INTEGER);
const OPEN_END_NODES = 50n;

type Line = { slope: bigint; constant: bigint };
type Sign = -1 | 0 | 1;
type Change = { page: bigint; sign: Sign; atStep: boolean };

/**
 * Every change of the cheaper side between self-hosting and an API (or a mix of its features), with the verdict beyond the search.
 * Money of both sides must be in one currency. The method is an event walk on exact fractions: between two boundaries both sides are straight lines.
 * Throws `unprocessable` when the node capacity is below one page or the search would need more than 200,000 nodes.
 */
export function solve(selfHost: SelfHost, mix: ApiMix, options: SolveOptions = {}): Solution {
  const api = apiCurve(mix);
  const end = beyond(selfTail(selfHost), api);
  const searchedTo = searchEnd(selfHost, api, { ...options, end });
  // Past the first page after `above` nothing changes any more, however far a caller asked to look.
  const walked = end.above !== null && end.above < searchedTo ? end.above + 1n : searchedTo;
  const changes = walk(withinReach(selfHost, walked), api, walked);
  const isPriced = options.pricedUpTo === undefined || options.pricedUpTo === null;
  const isSettled = isPriced && end.above !== null && searchedTo > end.above;
  return {
    crossings: changes.flatMap(({ page, sign, atStep }, index) =>
      index === 0 ? [] : [{ firstPage: toPages(page), cheaper: sideOf(sign), atStep }],
    ),
    intervals: intervalsOf(changes, isSettled ? null : toPages(searchedTo)),
    searchedTo: toPages(searchedTo),
    beyond: {
      verdict: isPriced ? end.verdict : "unpriced",
      limit: isPriced && end.above !== null && end.above <= LAST_PAGE ? Number(end.above) : null,
    },
  };
}

function searchEnd(selfHost: SelfHost, api: Curve, options: SolveOptions & { end: Beyond }): bigint {
  const asked = [options.searchUpTo, options.pricedUpTo].filter((page) => page !== undefined && page !== null).map(BigInt);
  if (asked.length > 0) return least(asked);
  const { above } = options.end;
  const settled = above === null ? [] : [above + 1n];
  const capacity = selfHost.kind === "nodes" ? capacityPerNode(selfHost) : null;
  if (capacity === null) return least([...settled, LAST_PAGE]);
  const nodes = above === null ? OPEN_END_NODES : UNASKED_NODE_LIMIT;
  return least([...settled, openEnd(selfTail(selfHost), api, { capacity, nodes }), LAST_PAGE]);
}

/** The staircase up to `walked` pages, unless it would have more steps than can be walked. */
function withinReach(selfHost: SelfHost, walked: bigint): Curve {
  const capacity = selfHost.kind === "nodes" ? capacityPerNode(selfHost) : null;
  if (capacity !== null && walked / capacity > NODE_LIMIT) {
    throw new DomainError(
      "unprocessable",
      `The search up to ${walked} pages needs more than ${NODE_LIMIT} nodes: lower the search limit or check pages per second.`,
    );
  }
  return selfHostCurve(selfHost, walked);
}

function least(pages: bigint[]): bigint {
  return pages.reduce((lowest, page) => (page < lowest ? page : lowest));
}

/** The signs of A − S from page 0 on: the first side that is strictly cheaper, then every change. */
function walk(self: Curve, api: Curve, end: bigint): Change[] {
  const unit = commonDenominator([...self, ...api].flatMap((piece) => [piece.slope, piece.constant]));
  const [selfLines, apiLines] = [self, api].map((curve) => curve.map((piece) => lineOf(piece, unit)));
  const starts = uniqueSorted([...self, ...api].map((piece) => piece.after)).filter((after) => after < end);
  const changes: Change[] = [];
  const note = (page: bigint, sign: Sign, atStep: boolean) => {
    if (sign !== 0 && sign !== changes.at(-1)?.sign) changes.push({ page, sign, atStep });
  };
  let [s, a] = [0, 0];
  starts.forEach((after, index) => {
    const last = starts[index + 1] ?? end;
    while ((self[s + 1]?.after ?? last) <= after) s += 1;
    while ((api[a + 1]?.after ?? last) <= after) a += 1;
    const [left, right, selfLine, apiLine] = [self[s], api[a], selfLines?.[s], apiLines?.[a]];
    if (!left || !right || !selfLine || !apiLine) return;
    const gap: Line = { slope: apiLine.slope - selfLine.slope, constant: apiLine.constant - selfLine.constant };
    const isStep = (left.isStep && left.after === after) || (right.isStep && right.after === after);
    const first = signAt(gap, after + 1n);
    note(after + 1n, first, isStep);
    const final = signAt(gap, last);
    if (final !== 0 && final !== first && last > after + 1n) note(firstBeyondRoot(gap), final, false);
  });
  return changes;
}

function signAt(gap: Line, page: bigint): Sign {
  return signOf(gap.slope * page + gap.constant);
}

/** The first whole page after the line's root. */
function firstBeyondRoot(gap: Line): bigint {
  const [n, d] = gap.slope > 0n ? [-gap.constant, gap.slope] : [gap.constant, -gap.slope];
  return floorDiv(n, d) + 1n;
}

function commonDenominator(values: Exact[]): bigint {
  return values.reduce((unit, value) => lcm(unit, value.d), 1n);
}

/** A piece in whole numbers of one `unit`-th. */
function lineOf({ slope, constant }: Piece, unit: bigint): Line {
  return { slope: slope.n * (unit / slope.d), constant: constant.n * (unit / constant.d) };
}

function sideOf(sign: Sign): Side {
  return sign > 0 ? "self" : "api";
}

function intervalsOf(changes: Change[], end: number | null): Interval[] {
  const first = changes[0];
  if (!first) return [{ from: 0, to: end, cheaper: "tie" }];
  const lead: Interval[] = first.page > 0n ? [{ from: 0, to: toPages(first.page) - 1, cheaper: "tie" }] : [];
  const sides = changes.map(({ page, sign }, index): Interval => {
    const next = changes[index + 1];
    return { from: toPages(page), to: next ? toPages(next.page) - 1 : end, cheaper: sideOf(sign) };
  });
  return [...lead, ...sides];
}

/** A(q): what the API, or a mix of its features, charges for a month with `pages` pages. */
export function apiCost(mix: ApiMix, pages: number): Exact {
  return costAt(apiCurve(mix), BigInt(pages));
}
