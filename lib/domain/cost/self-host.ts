import { DomainError } from "../errors";
import { add, compare, divide, exact, floor, max, multiply, subtract, ZERO, type Exact } from "../money";
import { costAt, type Curve, type Piece } from "./curve";

/** Nodes that are paid for `hours` a month, whatever they do: always on, on a schedule, or committed. */
export type NodeFleet = {
  kind: "nodes";
  hourly: Exact;
  /** Hours a node is paid for in the month: 730 for plans, the scheduled hours on a schedule. */
  hours: Exact;
  /** Pages per second one busy node sustains, and the usable share of it; null: unknown, capacity is not checked. */
  rate: { pagesPerSecond: Exact; utilisation: Exact } | null;
  minNodes: number;
  overhead: Exact;
  variablePerPage: Exact;
  /** Nodes paid at a committed price, on or off; those above them are paid on demand. */
  commitment?: { nodes: number; nodeMonth: Exact };
};

/** Node hours that follow the work, plus `startupHours` paid a month. */
export type ScaleToZero = {
  kind: "scale_to_zero";
  hourly: Exact;
  rate: { pagesPerSecond: Exact; utilisation: Exact };
  startupHours: Exact;
  overhead: Exact;
  variablePerPage: Exact;
};

export type SelfHost = NodeFleet | ScaleToZero;

/** For q ≥ `from`: slope × q + low ≤ S(q) ≤ slope × q + high. */
export type SelfTail = { from: bigint; slope: Exact; low: Exact; high: Exact };

export function nodeMonth(fleet: NodeFleet): Exact {
  return multiply(fleet.hourly, fleet.hours);
}

/** Whole pages one node takes in the month; null when no rate is known. Throws when that is less than one page. */
export function capacityPerNode(fleet: Pick<NodeFleet, "hours" | "rate">): bigint | null {
  if (fleet.rate === null) return null;
  const perHour = multiply(multiply(fleet.rate.pagesPerSecond, fleet.rate.utilisation), exact(3600));
  const pages = floor(multiply(perHour, fleet.hours));
  if (pages < 1n)
    throw new DomainError(
      "unprocessable",
      "One node cannot take a single page in the month: raise its rate, its utilisation or its hours.",
    );
  return pages;
}

/** N(q): nodes needed for `pages`, at least the minimum. */
export function nodesFor(fleet: NodeFleet, pages: bigint): number {
  const capacity = capacityPerNode(fleet);
  if (capacity === null) return fleet.minNodes;
  return Math.max(fleet.minNodes, Number((pages + capacity - 1n) / capacity));
}

/** What a number of nodes costs in the month, with what is paid whatever their number. */
function fleetCost(fleet: NodeFleet): (nodes: number) => Exact {
  const month = nodeMonth(fleet);
  const committed = fleet.commitment?.nodes ?? 0;
  const reserved = fleet.commitment ? multiply(exact(committed), fleet.commitment.nodeMonth) : ZERO;
  const fixed = add(reserved, fleet.overhead);
  return (nodes) => add(fixed, { n: month.n * BigInt(Math.max(0, nodes - committed)), d: month.d });
}

function scaleToZeroPiece(plan: ScaleToZero): Piece {
  const perHour = multiply(multiply(plan.rate.pagesPerSecond, plan.rate.utilisation), exact(3600));
  return {
    after: -1n,
    slope: add(divide(plan.hourly, perHour), plan.variablePerPage),
    constant: add(plan.overhead, multiply(plan.hourly, plan.startupHours)),
    isStep: false,
  };
}

/** S(q) as straight pieces, complete up to page `upTo`. */
export function selfHostCurve(selfHost: SelfHost, upTo: bigint): Curve {
  if (selfHost.kind === "scale_to_zero") return [scaleToZeroPiece(selfHost)];
  const slope = selfHost.variablePerPage;
  const capacity = capacityPerNode(selfHost);
  const costOf = fleetCost(selfHost);
  const piece = (after: bigint, nodes: number, isStep: boolean): Piece => ({ after, slope, constant: costOf(nodes), isStep });
  const pieces = [piece(-1n, selfHost.minNodes, false)];
  if (capacity === null) return pieces;
  let after = capacity * BigInt(selfHost.minNodes);
  for (let nodes = selfHost.minNodes + 1; after < upTo; nodes += 1, after += capacity) {
    pieces.push(piece(after, nodes, nodes > (selfHost.commitment?.nodes ?? 0)));
  }
  return pieces;
}

/** The two parallel lines that hold S(q) for large q (cost model, section 4, "search limit"). */
export function selfTail(selfHost: SelfHost): SelfTail {
  const capacity = selfHost.kind === "nodes" ? capacityPerNode(selfHost) : null;
  if (selfHost.kind === "scale_to_zero" || capacity === null) {
    const piece = selfHostCurve(selfHost, 0n)[0];
    const fixed = piece?.constant ?? ZERO;
    return { from: 0n, slope: piece?.slope ?? ZERO, low: fixed, high: fixed };
  }
  const month = nodeMonth(selfHost);
  const reserved = selfHost.commitment;
  const shift = reserved ? multiply(exact(reserved.nodes), subtract(reserved.nodeMonth, month)) : ZERO;
  const low = add(selfHost.overhead, shift);
  const nodes = BigInt(Math.max(selfHost.minNodes, reserved?.nodes ?? 0));
  return { from: capacity * nodes, slope: add(divide(month, exact(capacity)), selfHost.variablePerPage), low, high: add(low, month) };
}

/** S(q): the self-host cost of a month with `pages` pages. */
export function selfHostCost(selfHost: SelfHost, pages: number): Exact {
  const at = BigInt(pages);
  if (selfHost.kind === "scale_to_zero") return costAt(selfHostCurve(selfHost, at), at);
  return add(fleetCost(selfHost)(nodesFor(selfHost, at)), multiply(selfHost.variablePerPage, exact(pages)));
}

/**
 * O: fixed extra cost a month. Engineering time and set-up are part of it: `engineeringHours` × `engineeringRate`,
 * and `setUp` spread over `setUpMonths`.
 */
export function monthlyOverhead(parts: {
  fixed?: Exact;
  engineeringHours?: Exact;
  engineeringRate?: Exact;
  setUp?: Exact;
  setUpMonths?: number;
}): Exact {
  const time = multiply(parts.engineeringHours ?? ZERO, parts.engineeringRate ?? ZERO);
  const setUp = parts.setUp ? divide(parts.setUp, exact(parts.setUpMonths ?? 1)) : ZERO;
  return add(add(parts.fixed ?? ZERO, time), setUp);
}

/** Hours a month above which a commitment for `hours` is cheaper than paying on demand. */
export function commitmentBreakEvenHours(committed: Exact, onDemand: Exact, hours: Exact): Exact {
  return divide(multiply(hours, committed), onDemand);
}

/** The smallest pages per second × utilisation at which a node can beat `perPage` at scale; null when v alone is dearer. */
export function leastRateToWin(hourly: Exact, perPage: Exact, variablePerPage: Exact): Exact | null {
  const margin = subtract(perPage, variablePerPage);
  return compare(margin, ZERO) > 0 ? divide(hourly, multiply(exact(3600), margin)) : null;
}

export type Load = { busyHours: Exact; paidHours: Exact; idleHours: Exact; idleCost: Exact; load: Exact | null; isRateDoubtful: boolean };

/**
 * Idle hours and their cost. `pagesPerSecond` is the full rate, without utilisation: headroom is idle time that is paid for.
 * More busy than paid hours means a wrong rate: idle is then 0 and `isRateDoubtful` is set.
 */
export function loadOf(input: { pages: number; pagesPerSecond: Exact; paidHours: Exact; hourly: Exact }): Load {
  const busyHours = divide(exact(input.pages), multiply(exact(3600), input.pagesPerSecond));
  const idleHours = max(ZERO, subtract(input.paidHours, busyHours));
  return {
    busyHours,
    paidHours: input.paidHours,
    idleHours,
    idleCost: multiply(idleHours, input.hourly),
    load: input.paidHours.n === 0n ? null : divide(busyHours, input.paidHours),
    isRateDoubtful: compare(busyHours, input.paidHours) > 0,
  };
}

/** Price per 1,000 pages in effect; null at 0 pages, where it has no value. */
export function effectivePer1000(cost: Exact, pages: number): Exact | null {
  return pages === 0 ? null : divide(multiply(cost, exact(1000)), exact(pages));
}

/** Pages at the month's end if it goes on at this pace, rounded down to whole pages. */
export function forecastPages(pages: number, elapsed: Exact, whole: Exact): number {
  return Number(floor(divide(multiply(exact(pages), whole), elapsed)));
}
