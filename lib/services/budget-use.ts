import "server-only";
import { createHash } from "node:crypto";
import { Budget, lookAtBudget, type BudgetLook } from "@/lib/domain/budget";
import { monthKeyAt, monthOf, progressOf, type Month } from "@/lib/domain/cost-period";
import { selfCost } from "@/lib/domain/cost-report-self";
import { exact, type Exact } from "@/lib/domain/money";
import { ratesAt } from "@/lib/domain/price-rate";
import type { Db, Tx } from "@/lib/platform/db";
import { monthUse } from "./costs-month";
import { costSettings } from "./costs-settings";
import { priceBook } from "./prices-book";

/** A budget as it stands in the running month; `digest` names this budget, this month and this amount, for an approval to go beyond. */
export type Standing = { budget: Budget; look: BudgetLook; month: Month; digest: string };

/** How far each budget of an environment is used, from the same hours and prices as its costs. */
export async function standingsOf(db: Db | Tx, environmentId: string, now: Date): Promise<Standing[]> {
  const rows = await db.budget.findMany({ where: { environmentId }, orderBy: { kind: "desc" } });
  if (rows.length === 0) return [];
  const [settings, book] = await Promise.all([costSettings(db), priceBook(db)]);
  const month = monthOf(monthKeyAt(now.getTime(), settings.timeZone), settings.timeZone);
  const use = await monthUse(db, { environmentIds: [environmentId], month: month.key, timeZone: settings.timeZone, now: now.getTime(), book });
  const nodes = use.slices.flatMap((slice) => slice.nodes);
  const rates = ratesAt(book, now.getTime());
  const { elapsedMs, wholeMs } = progressOf(month, now.getTime());
  return rows.map(({ kind, amount, currency, rule }) => {
    const budget = Budget.parse({ kind, amount, currency, rule });
    const { cost, total } = selfCost(nodes, { book, currency: currency || "USD", rate: rates, pages: 0, pagesPerSecond: null, countsKept: settings.countFrom === "node" });
    const used: Exact | null = budget.kind === "money" ? total : exact(cost.hours);
    const digest = createHash("sha256").update(JSON.stringify(["budget", environmentId, kind, month.key, amount, currency])).digest("hex");
    return { budget, look: lookAtBudget(budget, { used, elapsedMs, wholeMs }), month, digest };
  });
}
