import fc from "fast-check";
import { expect, it } from "vitest";
import type { ApiMix } from "./cost/api-plan";
import { selfHostCost, type NodeFleet } from "./cost/self-host";
import { apiCost, solve, type Crossing } from "./cost";
import { exact, toNumber } from "./money";

/** Whole units of money, pages up to LAST, shares in quarters: everything the brute force adds up is a whole number. */
const LAST = 2_500;
const QUARTERS = 4;

const Feature = fc.record({
  mode: fc.constantFrom("graduated" as const, "volume" as const),
  free: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })),
  included: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })),
  fee: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
  ends: fc.uniqueArray(fc.integer({ min: 1, max: 1_800 }), { maxLength: 5 }).map((ends) => ends.sort((a, b) => a - b)),
  prices: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 6, maxLength: 6 }),
  share: fc.integer({ min: 1, max: QUARTERS }),
});
type Feature = {
  mode: "graduated" | "volume";
  free: number;
  included: number;
  fee: number;
  ends: number[];
  prices: number[];
  share: number;
};

const Fleet = fc.record({
  node: fc.integer({ min: 0, max: 20_000 }),
  capacity: fc.option(fc.integer({ min: 20, max: 1_500 })),
  minNodes: fc.integer({ min: 1, max: 3 }),
  overhead: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000 })),
  perPage: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 })),
  committed: fc.option(fc.record({ nodes: fc.integer({ min: 0, max: 3 }), node: fc.integer({ min: 0, max: 20_000 }) })),
});
type Fleet = {
  node: number;
  capacity: number | null;
  minNodes: number;
  overhead: number;
  perPage: number;
  committed: { nodes: number; node: number } | null;
};

function toFleet(fleet: Fleet): NodeFleet {
  const { capacity, committed } = fleet;
  return {
    kind: "nodes",
    hourly: exact(fleet.node),
    hours: exact(1),
    rate: capacity === null ? null : { pagesPerSecond: { n: BigInt(capacity), d: 3600n }, utilisation: exact(1) },
    minNodes: fleet.minNodes,
    overhead: exact(fleet.overhead),
    variablePerPage: exact(fleet.perPage),
    ...(committed ? { commitment: { nodes: committed.nodes, nodeMonth: exact(committed.node) } } : {}),
  };
}

function toMix(features: Feature[]): ApiMix {
  return features.map((feature) => ({
    share: { n: BigInt(feature.share), d: BigInt(QUARTERS) },
    plan: {
      mode: feature.mode,
      freePages: feature.free,
      monthlyFee: exact(feature.fee),
      includedPages: feature.included,
      tiers: [...feature.ends, null].map((upTo, index) => ({ upTo, perPage: exact(feature.prices[index] ?? 0) })),
    },
  }));
}

type Priced = { cost: number; price: number | null };

function priceOfQuarter(feature: Feature, quarter: number): number {
  const index = feature.ends.findIndex((end) => quarter <= end * QUARTERS);
  return feature.prices[index === -1 ? feature.ends.length : index] ?? 0;
}

/** The bill for every page count, quarter page by quarter page, in quarters of a unit. */
function bills(feature: Feature): Priced[] {
  const free = feature.free * QUARTERS;
  const rows: Priced[] = [];
  let [paid, billed] = [0, 0];
  for (let pages = 0; pages <= LAST; pages += 1) {
    const used = Math.max(0, pages * feature.share - feature.included * QUARTERS);
    while (billed < used) {
      billed += 1;
      if (billed > free) paid += priceOfQuarter(feature, billed);
    }
    const price = used > free ? priceOfQuarter(feature, used) : null;
    const volume = price === null ? 0 : price * (used - free);
    rows.push({
      cost: feature.fee * QUARTERS + (feature.mode === "graduated" ? paid : volume),
      price: feature.mode === "volume" ? price : null,
    });
  }
  return rows;
}

function nodesAt(fleet: Fleet, pages: number): number {
  return fleet.capacity === null ? fleet.minNodes : Math.max(fleet.minNodes, Math.ceil(pages / fleet.capacity));
}

function selfAt(fleet: Fleet, pages: number): number {
  const reserved = fleet.committed?.nodes ?? 0;
  const nodes = nodesAt(fleet, pages);
  return reserved * (fleet.committed?.node ?? 0) + Math.max(0, nodes - reserved) * fleet.node + fleet.overhead + fleet.perPage * pages;
}

function pageByPage(fleet: Fleet, features: Feature[]) {
  const all = features.map(bills);
  const crossings: Crossing[] = [];
  const signs: number[] = [];
  let side = 0;
  for (let pages = 0; pages <= LAST; pages += 1) {
    const api = all.reduce((total, rows) => total + rows[pages]!.cost, 0);
    const sign = Math.sign(api - selfAt(fleet, pages) * QUARTERS);
    signs.push(sign);
    if (sign === 0 || sign === side) continue;
    const isNewNode =
      pages > 0 && nodesAt(fleet, pages) !== nodesAt(fleet, pages - 1) && nodesAt(fleet, pages) > (fleet.committed?.nodes ?? 0);
    const isNewPrice = all.some((rows) => pages > 0 && rows[pages - 1]!.price !== null && rows[pages - 1]!.price !== rows[pages]!.price);
    if (side !== 0) crossings.push({ firstPage: pages, cheaper: sign > 0 ? "self" : "api", atStep: isNewNode || isNewPrice });
    side = sign;
  }
  return { crossings, signs, api: (pages: number) => all.reduce((total, rows) => total + rows[pages]!.cost, 0) / QUARTERS };
}

it("agrees with adding up every page on 2,000 random price books", () => {
  let flips = 0;
  fc.assert(
    fc.property(Fleet, fc.array(Feature, { minLength: 1, maxLength: 2 }), fc.nat(LAST), (fleet, features, pages) => {
      const [self, mix] = [toFleet(fleet), toMix(features)];
      const brute = pageByPage(fleet, features);
      expect(toNumber(apiCost(mix, pages))).toBe(brute.api(pages));
      expect(toNumber(selfHostCost(self, pages))).toBe(selfAt(fleet, pages));

      const asked = solve(self, mix, { searchUpTo: LAST });
      expect(asked.crossings).toEqual(brute.crossings);
      if (brute.crossings.length > 1) flips += 1;

      const { beyond, crossings, searchedTo } = solve(self, mix);
      expect(crossings.filter((crossing) => crossing.firstPage <= LAST)).toEqual(
        brute.crossings.filter((crossing) => crossing.firstPage <= searchedTo),
      );
      if (beyond.limit === null) return;
      const wanted = { self: 1, api: -1, tie: 0, open: NaN, unpriced: NaN }[beyond.verdict];
      expect(brute.signs.slice(beyond.limit + 1).every((sign) => sign === wanted)).toBe(true);
      expect(crossings.every((crossing) => crossing.firstPage <= (beyond.limit ?? 0) + 1)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  // The books must be varied enough to prove anything about several flips.
  expect(flips).toBeGreaterThan(100);
}, 60_000);

it("covers every page with exactly one interval that names the side that is cheaper there", () => {
  fc.assert(
    fc.property(Fleet, fc.array(Feature, { minLength: 1, maxLength: 1 }), (fleet, features) => {
      const { signs } = pageByPage(fleet, features);
      const { intervals } = solve(toFleet(fleet), toMix(features), { searchUpTo: LAST });
      let next = 0;
      for (const { from, to, cheaper } of intervals) {
        expect(from).toBe(next);
        const expected = { self: 1, api: -1, tie: 0 }[cheaper];
        expect(signs.slice(from, (to ?? LAST) + 1).every((sign) => sign === 0 || sign === expected)).toBe(true);
        next = to === null ? LAST + 1 : to + 1;
      }
      expect(next).toBeGreaterThan(intervals.at(-1)?.from ?? 0);
    }),
    { numRuns: 300 },
  );
}, 60_000);
