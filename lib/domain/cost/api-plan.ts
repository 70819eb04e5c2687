import { add, compare, divide, exact, floor, multiply, ONE, subtract, ZERO, type Exact } from "../money";
import { addCurves, type Curve, type Piece } from "./curve";

/** One bracket: pages up to and including `upTo` (null: no end) at `perPage`. */
export type Tier = { upTo: number | null; perPage: Exact };

/**
 * How a managed API bills one calendar month.
 * `graduated`: each page pays the price of the bracket it falls in; one bracket is a flat price.
 * `volume`: the price of the bracket that the whole volume reaches applies to every page.
 * `freePages` cost nothing and still count towards the brackets. The tiers apply to the pages above `includedPages`.
 */
export type ApiPlan = {
  mode: "graduated" | "volume";
  freePages: number;
  monthlyFee: Exact;
  includedPages: number;
  tiers: Tier[];
};

/** Features or document kinds with their share of the pages; features bought for the same page each have share 1. */
export type ApiMix = { plan: ApiPlan; share: Exact }[];

export function singlePlan(plan: ApiPlan): ApiMix {
  return [{ plan, share: ONE }];
}

type Bracket = { start: number; perPage: Exact; constant: Exact; isStep: boolean };

/** Lines over the pages above the included ones: x of them cost `constant + perPage × x`. */
function brackets(plan: ApiPlan): Bracket[] {
  const free = plan.freePages;
  const found: Bracket[] = free > 0 ? [{ start: 0, perPage: ZERO, constant: ZERO, isStep: false }] : [];
  let [start, paid] = [0, ZERO];
  for (const tier of plan.tiers) {
    const end = tier.upTo ?? Infinity;
    if (end > free) {
      const begin = Math.max(start, free);
      const base = plan.mode === "volume" ? exact(free) : exact(begin);
      const constant = subtract(plan.mode === "volume" ? ZERO : paid, multiply(tier.perPage, base));
      const isNewPrice = compare(tier.perPage, found.at(-1)?.perPage ?? tier.perPage) !== 0;
      found.push({ start: begin, perPage: tier.perPage, constant, isStep: plan.mode === "volume" && start > free && isNewPrice });
      if (tier.upTo !== null) paid = add(paid, multiply(tier.perPage, exact(tier.upTo - begin)));
    }
    start = end;
  }
  return found;
}

function planCurve(plan: ApiPlan, share: Exact): Curve {
  const fee: Piece = { after: -1n, slope: ZERO, constant: plan.monthlyFee, isStep: false };
  const included = exact(plan.includedPages);
  const pieces = brackets(plan).map((bracket) => ({
    // On whole pages the bracket holds from the first q with share × q beyond its start.
    after: bracket.start === 0 && plan.includedPages === 0 ? -1n : floor(divide(add(exact(bracket.start), included), share)),
    slope: multiply(bracket.perPage, share),
    constant: add(plan.monthlyFee, subtract(bracket.constant, multiply(bracket.perPage, included))),
    isStep: bracket.isStep,
  }));
  return dropCovered([fee, ...pieces]);
}

/** Keeps the last piece where several begin at the same page. */
function dropCovered(pieces: Piece[]): Curve {
  return pieces.filter((piece, index) => pieces[index + 1]?.after !== piece.after);
}

/** A(q) as straight pieces. Shares are applied exactly, without rounding to whole pages; a share of 0 leaves only the fee. */
export function apiCurve(mix: ApiMix): Curve {
  const curves = mix.map(({ plan, share }) =>
    share.n === 0n ? [{ after: -1n, slope: ZERO, constant: plan.monthlyFee, isStep: false }] : planCurve(plan, share),
  );
  const [only, ...others] = curves;
  return only && others.length === 0 ? only : addCurves(curves);
}
