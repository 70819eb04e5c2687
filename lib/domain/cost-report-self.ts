import { convert, type Rate } from "./cost/currency";
import { effectivePer1000, loadOf } from "./cost/self-host";
import { moneyText } from "./cost-format";
import type { NodeLine, SelfCost } from "./cost-report-schema";
import { add, divide, exact, multiply, sum, toDecimal, ZERO, type Exact } from "./money";
import { nodePrice, type PriceBook, type PurchaseMode } from "./price-book";

/** Node time that was paid for in the month, by SKU, region and purchase mode; whole seconds. */
export type NodeUse = { skuId: string; region: string; mode: PurchaseMode; seconds: number };

type Priced = { line: NodeLine; cost: Exact | null; currency: string | null };

function price(use: NodeUse, book: PriceBook): Priced {
  const found = nodePrice(book, use);
  const hours = hoursOf(use);
  if (found.state === "unpriced") {
    return { line: { name: found.name, hours: toDecimal(hours, 2), cost: null, unpriced: found.reason }, cost: null, currency: null };
  }
  const cost = multiply(hours, exact(found.perHour));
  return {
    line: { name: found.name, hours: toDecimal(hours, 2), cost: moneyText(cost, found.currency), unpriced: null },
    cost,
    currency: found.currency,
  };
}

function hoursOf(use: NodeUse): Exact {
  return divide(exact(use.seconds), exact(3600));
}

function sumsByCurrency(priced: Priced[]): Map<string, Exact> {
  const sums = new Map<string, Exact>();
  for (const { cost, currency } of priced) {
    if (cost && currency) sums.set(currency, add(sums.get(currency) ?? ZERO, cost));
  }
  return sums;
}

type Context = { book: PriceBook; currency: string; rate: Rate | null; pages: number; pagesPerSecond: string | null };

/** The logged node hours at their prices. `total` is null rather than wrong: when a node has no price or a sum has no rate. */
export function selfCost(nodes: NodeUse[], context: Context): { cost: SelfCost; total: Exact | null } {
  const priced = nodes.map((use) => price(use, context.book));
  const sums = sumsByCurrency(priced);
  const converted = [...sums].map(([from, value]) => convert(value, { from, to: context.currency }, context.rate));
  const unpriced = priced.flatMap(({ line }) => (line.unpriced ? [{ name: line.name, reason: line.unpriced }] : []));
  const known = converted.filter((value) => value !== null);
  const total = unpriced.length === 0 && known.length === converted.length ? sum(known) : null;
  const hours = sum(nodes.map(hoursOf));
  const per1000 = total && effectivePer1000(total, context.pages);
  const cost: SelfCost = {
    lines: priced.map(({ line }) => line),
    hours: toDecimal(hours, 2),
    total: total && moneyText(total, context.currency),
    sums: [...sums].map(([currency, value]) => moneyText(value, currency)),
    unpriced,
    effectivePer1000: per1000 && moneyText(per1000, context.currency),
    idle: total && idleOf(hours, total, context),
  };
  return { cost, total };
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
