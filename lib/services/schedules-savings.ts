import "server-only";
import { z } from "zod";
import { monthKeyAt, monthOf } from "@/lib/domain/cost-period";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { nodePrice, PurchaseMode, type PriceBook } from "@/lib/domain/price-book";
import { savedIn, type Saved, type Span } from "@/lib/domain/schedule-savings";
import type { NodeInterval, Sleep } from "@/lib/generated/prisma/client";
import { firstRegion } from "./costs-month";
import { costSettings } from "./costs-settings";
import { read } from "./operation";
import { priceBook } from "./prices-book";

const SavedView = z.strictObject({
  deploymentId: z.uuid(),
  name: z.string(),
  asleepHours: z.number(),
  /** Paid although it slept, because the node stayed. */
  keptHours: z.number(),
  savedHours: z.number(),
  /** What the saved hours would have cost; null: the node has no price. */
  money: z.strictObject({ amount: z.number(), currency: z.string() }).nullable(),
  /** Price per node hour with its source and date, as it was taken. */
  priceSource: z.string(),
});
export type SavedView = z.infer<typeof SavedView>;

export const schedulesSavings = read({
  name: "schedules.savings",
  summary: "Node hours and money that sleeping deployments really did not cost in a month",
  permission: "cost.read",
  environment: async (input) => input.environmentId,
  input: z.strictObject({ environmentId: z.uuid(), month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "Write the month like 2026-11.").optional() }),
  output: z.strictObject({ month: z.string(), deployments: z.array(SavedView), measuredTo: z.iso.datetime() }),
  run: async ({ db, input, now }) => {
    const [{ timeZone }, book] = await Promise.all([costSettings(db), priceBook(db)]);
    const month = monthOf(input.month ?? monthKeyAt(now.getTime(), timeZone), timeZone);
    const within = { from: month.from, to: Math.min(month.to, now.getTime()) };
    const [from, to] = [new Date(within.from), new Date(within.to)];
    const rows = await db.deployment.findMany({
      where: { environmentId: input.environmentId, sleeps: { some: { startedAt: { lt: to }, OR: [{ endedAt: null }, { endedAt: { gt: from } }] } } },
      include: {
        sleeps: { where: { startedAt: { lt: to }, OR: [{ endedAt: null }, { endedAt: { gt: from } }] } },
        nodeIntervals: { where: { startedAt: { lt: to } }, orderBy: { startedAt: "asc" } },
      },
      orderBy: { createdAt: "asc" },
    });
    const deployments = rows.map((row) => savedBy(row, { within, book, now: now.getTime() }));
    return { month: month.key, deployments, measuredTo: to.toISOString() };
  },
});

type Row = { id: string; name: string; spec: unknown; sleeps: Sleep[]; nodeIntervals: NodeInterval[] };

function savedBy(row: Row, { within, book, now }: { within: Span; book: PriceBook; now: number }): SavedView {
  const held = row.nodeIntervals.findLast((one) => one.use === "held");
  const share = held?.share ?? 1;
  const paid = row.nodeIntervals.map((one) => ({ from: one.startedAt.getTime(), to: one.endedAt?.getTime() ?? now, share: one.share }));
  const saved = row.sleeps.map((one) => savedIn({ from: one.startedAt.getTime(), to: one.endedAt?.getTime() ?? now, replicas: one.replicas, share }, { paid, within })).reduce(sum, { asleepHours: 0, keptHours: 0, savedHours: 0 });
  const skuId = held?.skuId ?? DeploymentSpec.parse(row.spec).skuId;
  const price = nodePrice(book, { skuId, region: held?.region || firstRegion(skuId, book), mode: PurchaseMode.parse(held?.mode ?? "on_demand"), at: now });
  const money = price.state === "unpriced" ? null : { amount: saved.savedHours * Number(price.perHour), currency: price.currency };
  return { deploymentId: row.id, name: row.name, ...saved, money, priceSource: price.state === "unpriced" ? price.reason : `${price.perHour} ${price.currency} per hour, as of ${price.asOf}: ${price.source}` };
}

function sum(left: Saved, right: Saved): Saved {
  return { asleepHours: left.asleepHours + right.asleepHours, keptHours: left.keptHours + right.keptHours, savedHours: left.savedHours + right.savedHours };
}
