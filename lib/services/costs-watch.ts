import "server-only";
import { BUDGET_NAMES, budgetRemedy, budgetSentence } from "@/lib/domain/budget";
import { formatShare } from "@/lib/domain/cost-format";
import type { Db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { standingsOf, type Standing } from "./budget-use";
import { reportOf } from "./costs-report";
import { notify } from "./notifications";

const EVERY_MS = 60_000;

function subjectOf({ budget, look }: Standing): string {
  const name = BUDGET_NAMES[budget.kind];
  if (look.state === "early") return `The ${name} will not last the month`;
  if (look.state === "unknown") return `The ${name} cannot be checked`;
  return look.state === "spent" ? `The ${name} is used up` : `The ${name} is used to ${formatShare(look.share ?? "0")}`;
}

/** Says once a month and level when a budget will not last, is used to 80 %, or is used up. Answers how many notices were new. */
export async function watchBudgets(db: Db, now: Date): Promise<number> {
  const rows = await db.budget.findMany({ distinct: ["environmentId"], select: { environmentId: true, environment: { select: { slug: true } } } });
  let said = 0;
  for (const { environmentId, environment } of rows) {
    for (const standing of await standingsOf(db, environmentId, now)) {
      const { budget, look, month } = standing;
      if (look.state === "fine") continue;
      const sentence = `${budgetSentence(budget, look, month.label)}${look.state === "spent" && budget.rule !== "warn" ? ` Nothing starts here meanwhile. ${budgetRemedy(budget)}` : ""}`;
      const isNew = await db.$transaction((tx) =>
        notify(tx, { environmentId, kind: "budget", subject: subjectOf(standing), sentence, path: `/costs?env=${environment.slug}`, dedupeKey: ["budget", budget.kind, month.key, budget.amount, look.state].join(":") }),
      );
      if (isNew) said += 1;
    }
  }
  return said;
}

/** Says once a month when the forecast's cheaper side is another than last month's: the answer that the chart gives has changed. */
export async function watchCheaperSide(db: Db, now: Date): Promise<number> {
  const rows = await db.environment.findMany({ where: { isSample: false, nodeIntervals: { some: {} } }, select: { id: true, slug: true } });
  let said = 0;
  for (const { id: environmentId, slug } of rows) {
    const { report, sentence } = await reportOf(db, [environmentId], { choice: {}, now });
    const [api] = report.apis;
    const outcome = api?.comparison.forecast?.outcome;
    if (!api || !outcome || outcome === "tie") continue;
    const before = await reportOf(db, [environmentId], { choice: { month: monthBefore(report.month.key) }, now });
    const last = before.report.apis[0]?.comparison.soFar?.outcome;
    if (!last || last === "tie" || last === outcome) continue;
    const subject = outcome === "dearer" ? `${api.name} has become the cheaper side` : "Your GPUs have become the cheaper side";
    const isNew = await db.$transaction((tx) => notify(tx, { environmentId, kind: "cost", subject, sentence, path: `/costs?env=${slug}`, dedupeKey: ["side", report.month.key, api.id, outcome].join(":") }));
    if (isNew) said += 1;
  }
  return said;
}

function monthBefore(key: string): string {
  const [year = 0, month = 0] = key.split("-").map(Number);
  return new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 7);
}

/** Looks at budgets every minute, and at the cheaper side every hour, until it is stopped. */
export function startCostWatch(db: Db): { stop(): void } {
  let looked = 0;
  const look = async () => {
    await watchBudgets(db, new Date());
    if (looked % 60 === 1) await watchCheaperSide(db, new Date());
    looked += 1;
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => log().error({ kind: error instanceof Error ? error.name : typeof error }, "cost watch"));
  }, EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
