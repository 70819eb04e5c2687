import { add, ceil, compare, divide, exact, max, multiply, subtract, ZERO, type Exact } from "../money";
import type { Curve } from "./curve";
import type { SelfTail } from "./self-host";

/**
 * What holds for good above `above` pages: one side stays cheaper, both cost the same, or nothing is known because full nodes
 * and the last API price cost the same per page (`open`).
 */
export type Beyond = { verdict: "self" | "api" | "tie"; above: bigint } | { verdict: "open"; above: null };

/** The search limit of the cost model, section 4: no crossing lies beyond the first page after `above`. */
export function beyond(tail: SelfTail, api: Curve): Beyond {
  const last = api.at(-1);
  const price = last?.slope ?? ZERO;
  const fixed = last?.constant ?? ZERO;
  const from = max(exact(tail.from), exact(last && last.after > 0n ? last.after : 0n));
  const slopes = compare(price, tail.slope);
  if (slopes > 0) return { verdict: "self", above: reach(from, subtract(tail.high, fixed), subtract(price, tail.slope)) };
  if (slopes < 0) return { verdict: "api", above: reach(from, subtract(fixed, tail.low), subtract(tail.slope, price)) };
  if (compare(fixed, tail.high) > 0) return { verdict: "self", above: ceil(from) };
  if (compare(fixed, tail.low) < 0) return { verdict: "api", above: ceil(from) };
  return compare(tail.low, tail.high) === 0 ? { verdict: "tie", above: ceil(from) } : { verdict: "open", above: null };
}

function reach(from: Exact, gap: Exact, slope: Exact): bigint {
  return ceil(max(from, divide(gap, slope)));
}

/** Where a chart of an endless alternation stops: the given number of full nodes past the last bracket. */
export function openEnd(tail: SelfTail, api: Curve, month: { capacity: bigint; nodes: bigint }): bigint {
  const bracket = api.at(-1)?.after ?? 0n;
  return ceil(add(exact(tail.from > bracket ? tail.from : bracket), multiply(exact(month.capacity), exact(month.nodes))));
}
