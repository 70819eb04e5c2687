import "server-only";
import { z } from "zod";
import { APPROVAL_VALID_MS } from "@/lib/domain/approval";
import { Budget, BUDGET_NAMES, BudgetKind, budgetRemedy, budgetSentence, BudgetState } from "@/lib/domain/budget";
import { DomainError } from "@/lib/domain/errors";
import type { Db, Tx } from "@/lib/platform/db";
import { standingsOf, type Standing } from "./budget-use";
import { publish } from "./live";
import { read, write } from "./operation";

/** An approval to go beyond a budget holds for a day, for every start in it. */
async function approvalFor(db: Db | Tx, environmentId: string, { digest, now }: { digest: string; now: Date }) {
  return db.approval.findFirst({ where: { environmentId, digest, isBypass: false, state: { in: ["pending", "approved"] }, expiresAt: { gt: now } }, orderBy: { requestedAt: "desc" } });
}

/**
 * Lets a deployment start, by whichever door, unless a budget of its environment is used up and its rule says no. Throws `forbidden`
 * with the budget, how much is used, and the way on.
 */
export async function assertBudget(db: Db | Tx, { environmentId, now }: { environmentId: string; now: Date }): Promise<void> {
  for (const { budget, look, month, digest } of await standingsOf(db, environmentId, now)) {
    if (look.state !== "spent" || budget.rule === "warn") continue;
    if (budget.rule === "approve" && (await approvalFor(db, environmentId, { digest, now }))?.state === "approved") continue;
    throw new DomainError("forbidden", `${budgetSentence(budget, look, month.label)} ${budgetRemedy(budget)}`);
  }
}

const Where = z.strictObject({ environmentId: z.uuid() });
const aboutOne = { environment: async (input: { environmentId: string }) => input.environmentId } as const;
const BudgetView = z.strictObject({
  kind: BudgetKind,
  amount: z.string(),
  currency: z.string(),
  rule: z.enum(["warn", "approve", "block"]),
  state: BudgetState,
  used: z.string().nullable(),
  share: z.string().nullable(),
  forecast: z.string().nullable(),
  sentence: z.string(),
  /** A request to go beyond it; null: there is none. */
  approval: z.strictObject({ id: z.uuid(), state: z.string(), until: z.iso.datetime() }).nullable(),
});

export const budgetsGet = read({
  ...aboutOne,
  name: "budgets.get",
  summary: "The monthly budgets of an environment, how far they are used and how they end at this pace",
  permission: "cost.read",
  input: Where,
  output: z.strictObject({ budgets: z.array(BudgetView) }),
  run: async ({ db, input, now }) => {
    const view = async ({ budget, look, month, digest }: Standing) => {
      const approval = await approvalFor(db, input.environmentId, { digest, now });
      return { ...budget, ...look, sentence: budgetSentence(budget, look, month.label), approval: approval && { id: approval.id, state: approval.state, until: approval.expiresAt.toISOString() } };
    };
    return { budgets: await Promise.all((await standingsOf(db, input.environmentId, now)).map(view)) };
  },
});

export const budgetsSet = write({
  ...aboutOne,
  name: "budgets.set",
  summary: "Set a monthly budget of an environment: node hours or money, and what a start meets when it is used up",
  permission: "environment.edit",
  effect: "database",
  input: z.strictObject({ environmentId: z.uuid(), budget: Budget }),
  output: z.strictObject({ kind: BudgetKind }),
  target: ({ environmentId, budget }) => ({ type: "environment", id: environmentId, detail: { ...budget } }),
  run: async ({ caller, db, input: { environmentId, budget } }) => {
    const { kind, ...rest } = budget;
    const data = { ...rest, updatedById: caller.actor.userId };
    await db.budget.upsert({ where: { environmentId_kind: { environmentId, kind } }, create: { environmentId, kind, ...data }, update: data });
    await publish(db, `environment:${environmentId}`, { data: { budget: kind } });
    return { kind };
  },
});

export const budgetsRemove = write({
  ...aboutOne,
  name: "budgets.remove",
  summary: "Remove a monthly budget of an environment",
  permission: "environment.edit",
  effect: "database",
  input: z.strictObject({ environmentId: z.uuid(), kind: BudgetKind }),
  output: z.strictObject({}),
  target: ({ environmentId, kind }) => ({ type: "environment", id: environmentId, detail: { kind } }),
  run: async ({ db, input: { environmentId, kind } }) => {
    await db.budget.deleteMany({ where: { environmentId, kind } });
    await publish(db, `environment:${environmentId}`, { data: { budget: kind } });
    return {};
  },
});

export const budgetsRequest = write({
  ...aboutOne,
  name: "budgets.request",
  summary: "Ask somebody else to approve going beyond a budget that is used up, for 24 hours",
  permission: "deployment.apply",
  effect: "database",
  input: z.strictObject({ environmentId: z.uuid(), kind: BudgetKind, reason: z.string().trim().min(3, "Say why, in a few words.").max(1000) }),
  output: z.strictObject({ id: z.uuid() }),
  target: ({ environmentId, kind, reason }) => ({ type: "environment", id: environmentId, detail: { kind, reason } }),
  run: async ({ caller, db, input: { environmentId, kind, reason }, now }) => {
    const { userId } = caller.actor;
    if (userId === null) throw new DomainError("forbidden", "Only a person asks for an approval.");
    const standing = (await standingsOf(db, environmentId, now)).find(({ budget }) => budget.kind === kind);
    if (standing?.look.state !== "spent" || standing.budget.rule !== "approve") throw new DomainError("unprocessable", "There is nothing to approve: this budget is not used up, or its rule asks for no approval.");
    const open = await approvalFor(db, environmentId, { digest: standing.digest, now });
    if (open) return { id: open.id };
    const title = `Go beyond the ${BUDGET_NAMES[kind]} of ${standing.month.label}`;
    const { id } = await db.approval.create({ data: { environmentId, digest: standing.digest, about: "budget", title, reason, requestedById: userId, requestedAt: now, expiresAt: new Date(now.getTime() + APPROVAL_VALID_MS) } });
    await publish(db, `environment:${environmentId}`, { data: { approvalId: id, state: "pending" } });
    return { id };
  },
});
