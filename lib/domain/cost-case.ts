import { z } from "zod";
import { singlePlan, type ApiPlan } from "./cost/api-plan";
import { boundaries } from "./cost/corners";
import { capacityPerNode, nodeMonth, nodesFor, selfHostCost, type NodeFleet } from "./cost/self-host";
import { apiCost, solve } from "./cost";
import { DomainError } from "./errors";
import { DECIMAL, divide, exact, toDecimal } from "./money";

const Decimal = z.string().regex(DECIMAL, 'must be a decimal string such as "0.8048"');
const Pages = z.int("must be a whole number of pages").min(0, "must not be negative");

const CaseTier = z.strictObject({ up_to: z.int().min(1).nullable(), per_1000: Decimal });

const CaseApi = z
  .strictObject({
    mode: z.enum(["graduated", "volume"]),
    free_pages: Pages,
    monthly_fee: Decimal,
    included_pages: Pages,
    tiers: z.array(CaseTier).min(1, "needs at least one tier"),
  })
  .refine(({ tiers }) => tiers.every((tier, index) => (tier.up_to === null) === (index === tiers.length - 1)), {
    path: ["tiers"],
    message: "only the last tier has up_to null, and it must have it",
  })
  .refine(({ tiers }) => tiers.every((tier, index) => tier.up_to === null || tier.up_to > (tiers[index - 1]?.up_to ?? 0)), {
    path: ["tiers"],
    message: "up_to must rise from tier to tier",
  });

const CaseSelfHost = z
  .strictObject({
    hourly: Decimal,
    hours: Decimal,
    pages_per_second: Decimal.nullable(),
    utilisation: Decimal.nullable(),
    overhead: Decimal,
    variable_per_1000: Decimal,
    min_nodes: z.int().min(0),
  })
  .refine((self) => self.pages_per_second === null || self.utilisation !== null, {
    path: ["utilisation"],
    message: "must be given with pages_per_second; null only where that is null",
  })
  .refine((self) => self.min_nodes > 0 || self.pages_per_second !== null, {
    path: ["min_nodes"],
    message: "must be at least 1 when no rate is given",
  })
  .refine((self) => Number(self.utilisation ?? "1") <= 1, { path: ["utilisation"], message: "must lie between 0 and 1" });

/** The answer to a case; money to the cent. */
export type CaseExpect = {
  node_month: string;
  capacity_per_node: number | null;
  crossings: { first_page: number; cheaper: "self" | "api"; at_step: boolean }[];
  at: { pages: number; nodes: number; self_host: string; api: string }[];
};

/**
 * One break-even question in the portable JSON form: money as decimal strings, prices per 1,000 pages, `hours` × `hourly` is one
 * node's month, `pages_per_second` null means unlimited capacity, `up_to` is inclusive.
 * `at_pages`, or the pages of an `expect.at` that is already there, choose where both costs are listed.
 */
export const CostCase = z.looseObject({
  id: z.string().optional(),
  title: z.string().optional(),
  api: CaseApi,
  self_host: CaseSelfHost,
  search_up_to: Pages,
  at_pages: z.array(Pages).optional(),
  expect: z.looseObject({ at: z.array(z.looseObject({ pages: Pages })).optional() }).optional(),
});
export type CostCase = z.infer<typeof CostCase>;

/** At most this many boundaries and crossings are listed when a case names no pages. */
const LISTED_BOUNDARIES = 24;
const LISTED_CROSSINGS = 200;

/** Reads an array of cases. Throws `invalid_input` with one sentence that names the case, the field and what is wrong. */
export function parseCostCases(value: unknown): CostCase[] {
  const parsed = z.array(CostCase, "The file must hold a JSON array of cases.").safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const [index, ...field] = issue?.path ?? [];
  if (typeof index !== "number") throw new DomainError("invalid_input", issue?.message ?? "The file must hold a JSON array of cases.");
  throw new DomainError("invalid_input", `${caseName(value, index)}: ${field.join(".") || "the case"}: ${issue?.message}.`);
}

function caseName(value: unknown, index: number): string {
  const item: unknown = Array.isArray(value) ? value[index] : undefined;
  const hasId = typeof item === "object" && item !== null && "id" in item && typeof item.id === "string";
  return hasId ? `Case ${index + 1} (${item.id})` : `Case ${index + 1}`;
}

function per1000(price: string) {
  return divide(exact(price), exact(1000));
}

export function caseApi(api: CostCase["api"]): ApiPlan {
  return {
    mode: api.mode,
    freePages: api.free_pages,
    monthlyFee: exact(api.monthly_fee),
    includedPages: api.included_pages,
    tiers: api.tiers.map((tier) => ({ upTo: tier.up_to, perPage: per1000(tier.per_1000) })),
  };
}

export function caseSelfHost(self: CostCase["self_host"]): NodeFleet {
  const hasRate = self.pages_per_second !== null && self.utilisation !== null;
  return {
    kind: "nodes",
    hourly: exact(self.hourly),
    hours: exact(self.hours),
    rate: hasRate ? { pagesPerSecond: exact(self.pages_per_second ?? "0"), utilisation: exact(self.utilisation ?? "0") } : null,
    minNodes: self.min_nodes,
    overhead: exact(self.overhead),
    variablePerPage: per1000(self.variable_per_1000),
  };
}

/** The answer to a case: money to the cent (half up), pages exact, crossings complete up to `search_up_to`. */
export function solveCase(question: CostCase): CaseExpect {
  const fleet = caseSelfHost(question.self_host);
  const mix = singlePlan(caseApi(question.api));
  const capacity = capacityPerNode(fleet);
  const { crossings } = solve(fleet, mix, { searchUpTo: question.search_up_to });
  const asked = question.at_pages ?? question.expect?.at?.map((row) => row.pages);
  const firstPages = crossings.map((crossing) => crossing.firstPage);
  const pages = asked ?? telling(firstPages, boundaries(fleet, mix, { upTo: question.search_up_to, count: LISTED_BOUNDARIES }), question.search_up_to);
  return {
    node_month: toDecimal(nodeMonth(fleet), 2),
    capacity_per_node: capacity === null ? null : Number(capacity),
    crossings: crossings.map(({ firstPage, cheaper, atStep }) => ({ first_page: firstPage, cheaper, at_step: atStep })),
    at: pages.map((count) => ({
      pages: count,
      nodes: nodesFor(fleet, BigInt(count)),
      self_host: toDecimal(selfHostCost(fleet, count), 2),
      api: toDecimal(apiCost(mix, count), 2),
    })),
  };
}

/** Page 0, both sides of the first crossings and boundaries, and the search limit. */
function telling(firstPages: number[], ends: number[], limit: number): number[] {
  const around = [
    ...firstPages.slice(0, LISTED_CROSSINGS).flatMap((page) => [page - 1, page]),
    ...ends.flatMap((page) => [page, page + 1]),
  ];
  return [...new Set([0, ...around, limit])].filter((page) => page >= 0 && page <= limit).sort((a, b) => a - b);
}
