import { convert, type Rates } from "./cost/currency";
import { effectivePer1000, loadOf } from "./cost/self-host";
import { moneyText } from "./cost-format";
import type { NodeLine, SelfCost } from "./cost-report-schema";
import { add, divide, exact, multiply, sum, toDecimal, ZERO, type Exact } from "./money";
import { nodePrice, type PriceBook, type PurchaseMode } from "./price-book";

/**
 * Node time that was paid for in the month, by SKU, region and purchase mode, in seconds to the millisecond. `at` (epoch ms) is when:
 * the price in force then counts. `kept` nodes were paid although no pod held them.
 */
export type NodeUse = { skuId: string; region: string; mode: PurchaseMode; seconds: number; at?: number | undefined; use?: "held" | "kept" | undefined };

type Priced = { name: string; use: "held" | "kept"; hours: Exact; cost: Exact | null; currency: string | null; perHour: string | null; reason: string | null };

function price(use: NodeUse, book: PriceBook): Priced {
  const found = nodePrice(book, use);
  const hours = hoursOf(use);
  const common = { name: found.name, use: use.use ?? ("held" as const), hours };
  if (found.state === "unpriced") return { ...common, cost: null, currency: null, perHour: null, reason: found.reason };
  return { ...common, cost: multiply(hours, exact(found.perHour)), currency: found.currency, perHour: found.perHour, reason: null };
}

function hoursOf(use: NodeUse): Exact {
  return divide(exact(Math.round(use.seconds * 1000)), exact(3_600_000));
}

/** Uses of the same node at the same price make one line. */
function gather(priced: Priced[]): Priced[] {
  const lines = new Map<string, Priced>();
  for (const one of priced) {
    const key = [one.name, one.use, one.perHour, one.currency].join(" ");
    const before = lines.get(key);
    lines.set(key, before ? { ...before, hours: add(before.hours, one.hours), cost: before.cost && one.cost && add(before.cost, one.cost) } : one);
  }
  return [...lines.values()];
}

function lineOf({ name, use, hours, cost, currency, perHour, reason }: Priced): NodeLine {
  const money = cost && currency ? moneyText(cost, currency) : null;
  return { name, use, hours: toDecimal(hours, 2), perHour: perHour && currency ? { amount: perHour, currency } : null, cost: money, unpriced: reason };
}

function sumsByCurrency(priced: Priced[]): Map<string, Exact> {
  const sums = new Map<string, Exact>();
  for (const { cost, currency } of priced) {
    if (cost && currency) sums.set(currency, add(sums.get(currency) ?? ZERO, cost));
  }
  return sums;
}

type Context = { book: PriceBook; currency: string; rate: Rates; pages: number; pagesPerSecond: string | null; countsKept?: boolean | undefined };

/** What is summed in one currency; null rather than wrong: when a node has no price or a sum has no rate. */
function totalOf(priced: Priced[], { currency, rate }: Pick<Context, "currency" | "rate">): Exact | null {
  const converted = [...sumsByCurrency(priced)].map(([from, value]) => convert(value, { from, to: currency }, rate));
  const known = converted.filter((value) => value !== null);
  return priced.every((one) => one.reason === null) && known.length === converted.length ? sum(known) : null;
}

/** The logged node hours at the prices in force. Kept nodes are shown apart, and are part of the total only when `countsKept`. */
export function selfCost(nodes: NodeUse[], context: Context): { cost: SelfCost; total: Exact | null } {
  const all = gather(nodes.map((use) => price(use, context.book)));
  const kept = all.filter((one) => one.use === "kept");
  const priced = context.countsKept ? all : all.filter((one) => one.use === "held");
  const unpriced = [...new Map(priced.flatMap((one) => (one.reason ? [[one.name, { name: one.name, reason: one.reason }] as const] : []))).values()];
  const total = totalOf(priced, context);
  const keptCost = totalOf(kept, context);
  const hours = sum(priced.map((one) => one.hours));
  const per1000 = total && effectivePer1000(total, context.pages);
  const cost: SelfCost = {
    lines: priced.map(lineOf),
    hours: toDecimal(hours, 2),
    total: total && moneyText(total, context.currency),
    sums: [...sumsByCurrency(priced)].map(([currency, value]) => moneyText(value, currency)),
    unpriced,
    effectivePer1000: per1000 && moneyText(per1000, context.currency),
    idle: total && idleOf(hours, total, context),
    kept:
      kept.length === 0
        ? null
        : { hours: toDecimal(sum(kept.map((one) => one.hours)), 2), cost: keptCost && moneyText(keptCost, context.currency), isCounted: context.countsKept ?? false },
  };
  return { cost, total };
}

/** The total of `selfCost` alone: for sums by day. */
export function selfTotal(nodes: NodeUse[], context: Pick<Context, "book" | "currency" | "rate" | "countsKept">): Exact | null {
  const counted = context.countsKept ? nodes : nodes.filter(({ use }) => use !== "kept");
  return totalOf(counted.map((use) => price(use, context.book)), context);
}

function idleOf(hours: Exact, total: Exact, context: Context): SelfCost["idle"] {
  if (context.pagesPerSecond === null || hours.n === 0n) return null;
  const hourly = divide(total, hours);
  const load = loadOf({ pages: context.pages, pagesPerSecond: exact(context.pagesPerSecond), paidHours: hours, hourly });
  return {
    hours: toDecimal(load.idleHours, 2),
    cost: moneyText(load.idleCost, context.currency),
    load: load.load && toDecimal(load.load, 4),
    isRateDoubtful: load.isRateDoubtful,
  };
}
