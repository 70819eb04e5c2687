import { z } from "zod";
import { formatHours, formatMoney, formatShare } from "./cost-format";
import { compare, DECIMAL, divide, exact, multiply, toDecimal, type Exact } from "./money";

export const BudgetKind = z.enum(["node_hours", "money"]);
export type BudgetKind = z.infer<typeof BudgetKind>;
/** What a start meets when everything is used: nothing but a notice, an approval by somebody else, or a refusal. */
export const BudgetRule = z.enum(["warn", "approve", "block"]);
export type BudgetRule = z.infer<typeof BudgetRule>;

/** What an environment may use in a calendar month: hours, or money in `currency`. */
export const Budget = z
  .strictObject({
    kind: BudgetKind,
    amount: z.string().trim().regex(DECIMAL, 'Write a decimal such as "500", without signs or separators.').refine((amount) => Number(amount) > 0, "A budget is more than zero."),
    currency: z.string().trim().default(""),
    rule: BudgetRule,
  })
  .refine((budget) => (budget.kind === "money") === /^[A-Z]{3}$/.test(budget.currency), { path: ["currency"], message: "Write the ISO code of the currency, like USD; node hours have none." });
export type Budget = z.infer<typeof Budget>;

/** early: at this pace more than all is used before the month ends. warned: 80 % is used. spent: all is. unknown: something has no price. */
export const BudgetState = z.enum(["fine", "early", "warned", "spent", "unknown"]);
export type BudgetState = z.infer<typeof BudgetState>;

const WARN_SHARE = exact("0.8");
/** Before this share of the month a pace says nothing. */
const LEAST_ELAPSED = exact("0.2");

/** `used` null: it cannot be said. Elapsed and whole are lengths of the month in ms. */
export type BudgetUse = { used: Exact | null; elapsedMs: number; wholeMs: number };
export type BudgetLook = { state: BudgetState; used: string | null; share: string | null; forecast: string | null };

/** How far a budget is used, and how it ends at this pace. Shares are decimals: "0.8". */
export function lookAtBudget(budget: Budget, { used, elapsedMs, wholeMs }: BudgetUse): BudgetLook {
  if (!used) return { state: "unknown", used: null, share: null, forecast: null };
  const whole = exact(budget.amount);
  const share = divide(used, whole);
  const elapsed = divide(exact(elapsedMs), exact(wholeMs));
  const isTelling = compare(elapsed, LEAST_ELAPSED) >= 0;
  const forecast = isTelling ? divide(used, elapsed) : null;
  const state = compare(used, whole) >= 0 ? "spent" : compare(used, multiply(whole, WARN_SHARE)) >= 0 ? "warned" : forecast && compare(forecast, whole) > 0 ? "early" : "fine";
  return { state, used: toDecimal(used, 9), share: toDecimal(share, 4), forecast: forecast && toDecimal(forecast, 9) };
}

/** "160.00 h", "411.20 USD". */
export function budgetAmount(amount: string, { kind, currency }: Pick<Budget, "kind" | "currency">): string {
  return kind === "money" ? formatMoney({ amount, currency }) : formatHours(toDecimal(exact(amount), 2));
}

export const BUDGET_NAMES: Record<BudgetKind, string> = { node_hours: "node-hour budget", money: "money budget" };

/** What a look says, as one sentence; the same in a notice, on the page and in a refusal. */
export function budgetSentence(budget: Budget, look: BudgetLook, month: string): string {
  const name = `The ${BUDGET_NAMES[budget.kind]} of ${month}`;
  if (look.used === null || look.share === null) return `${name} cannot be checked: a node has no price, or there is no rate to ${budget.currency}.`;
  const amounts = `${budgetAmount(look.used, budget)} of ${budgetAmount(budget.amount, budget)}`;
  if (look.state === "spent") return `${name} is used up: ${amounts} (${formatShare(look.share)}).`;
  const pace = look.forecast ? ` At this pace the month ends at ${budgetAmount(look.forecast, budget)}.` : "";
  return `${name} is used to ${formatShare(look.share)}: ${amounts}.${pace}`;
}

/** How a start can still be had when all is used. */
export function budgetRemedy({ rule }: Budget): string {
  return rule === "block" ? "An admin of the environment can raise it; else it starts anew with the next month." : "Ask for an approval to go on: it holds for 24 hours once somebody else has given it.";
}
