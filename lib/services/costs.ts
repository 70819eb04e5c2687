import "server-only";
import { z } from "zod";
import { environmentsWith, type Actor } from "@/lib/domain/policy";
import { nodePrice, PurchaseMode, type PriceBook } from "@/lib/domain/price-book";
import type { Db } from "@/lib/platform/db";
import { firstRegion } from "./costs-month";
import { ReportAnswer, ReportChoice, reportOf } from "./costs-report";
import { environmentById } from "./environment-rows";
import { inEnvironmentsWith } from "./environments";
import { read } from "./operation";
import { priceBook } from "./prices-book";

const onlySeen = (ids: string[] | "all") => (ids === "all" ? {} : { id: { in: ids } });

export const costsReport = read({
  name: "costs.report",
  summary: "What the month cost so far, what managed APIs would have charged, and from how many pages the answer flips",
  permission: "cost.read",
  environment: async (input) => input.environmentId,
  input: ReportChoice.extend({ environmentId: z.uuid(), deploymentId: z.uuid().optional() }),
  output: ReportAnswer.extend({ environmentId: z.uuid().nullable(), environmentName: z.string(), isSample: z.boolean(), isSandbox: z.boolean() }),
  run: async ({ db, input: { environmentId, ...choice }, now }) => {
    const environment = await environmentById(db, environmentId);
    const [answer, cluster] = await Promise.all([
      reportOf(db, [environment.id], { choice, now }),
      environment.clusterId ? db.cluster.findUnique({ where: { id: environment.clusterId }, select: { kind: true } }) : null,
    ]);
    return { ...answer, environmentId: environment.id, environmentName: environment.name, isSample: environment.isSample, isSandbox: cluster?.kind === "sandbox" };
  },
});

export const costsTotal = read({
  name: "costs.total",
  summary: "The same report over all environments whose costs I may see, sample data left out",
  permission: "cost.read",
  environment: "each",
  input: ReportChoice,
  output: costsReport.output,
  run: async ({ caller, db, input: choice, now }) => totalFor(caller.actor, { db, choice, now }),
});

/** The report over every environment whose costs the actor may see. */
export async function totalFor(actor: Actor, { db, choice, now }: { db: Db; choice: z.output<typeof ReportChoice>; now: Date }) {
  const rows = await db.environment.findMany({ where: { ...onlySeen(environmentsWith(actor, "cost.read")), isSample: false }, select: { id: true, cluster: { select: { kind: true } } } });
  const answer = await reportOf(db, rows.map(({ id }) => id), { choice, now });
  const environmentName = rows.length === 1 ? "the one environment that you see" : `all ${rows.length} environments that you see`;
  return { ...answer, environmentId: null, environmentName, isSample: false, isSandbox: rows.length > 0 && rows.every(({ cluster }) => cluster?.kind === "sandbox") };
}

/** What runs now, in money per hour, by environment; sizes without a price are counted apart. */
export const costsNow = read({
  name: "costs.now",
  summary: "What the nodes that run now cost per hour",
  permission: "cost.read",
  environment: "each",
  input: z.strictObject({}),
  output: z.strictObject({ environments: z.array(z.strictObject({ environmentId: z.uuid(), nodes: z.number().int(), perHour: z.array(z.strictObject({ amount: z.number(), currency: z.string() })), unpriced: z.number().int() })) }),
  run: async ({ caller, db, now }) => {
    const rows = await db.nodeInterval.findMany({
      where: { ...inEnvironmentsWith(caller.actor, "cost.read"), endedAt: null, use: "held", environment: { isSample: false } },
      select: { environmentId: true, skuId: true, region: true, mode: true, share: true },
    });
    const book = await priceBook(db);
    const ids = [...new Set(rows.map((row) => row.environmentId))];
    return { environments: ids.map((environmentId) => ({ environmentId, ...sumOf(rows.filter((row) => row.environmentId === environmentId), { book, at: now.getTime() }) })) };
  },
});

type OpenNode = { skuId: string; region: string; mode: string; share: number };

function sumOf(rows: OpenNode[], { book, at }: { book: PriceBook; at: number }) {
  const perHour = new Map<string, number>();
  let unpriced = 0;
  for (const row of rows) {
    const price = nodePrice(book, { skuId: row.skuId, region: row.region || firstRegion(row.skuId, book), mode: PurchaseMode.parse(row.mode), at });
    if (price.state === "unpriced") unpriced += 1;
    else perHour.set(price.currency, (perHour.get(price.currency) ?? 0) + Number(price.perHour) * row.share);
  }
  return { nodes: rows.length, perHour: [...perHour].map(([currency, amount]) => ({ amount, currency })), unpriced };
}
