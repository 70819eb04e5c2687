/**
 * `npm run bench:cost -- --rows=10000000 --months=24 --deployments=200 [--no-chart]` measures the cost page over raw page rows made by SQL in a
 * database of its own. Each line ends in a ratio to its budget: 1 or more holds.
 */
import pg from "pg";
import { SYSTEM } from "@/lib/domain/policy";
import { connect, type Db } from "@/lib/platform/db";
import { costsReport, costsTotal } from "@/lib/services/costs";
import { execute } from "@/lib/services/pipeline";
import { measureSlider } from "./bench-cost/chart.ts";
import { BENCH_NOW, generate, refresh, type Size } from "./bench-cost/generate.ts";
import { measureLogging } from "./bench-cost/logging.ts";
import { line, percentile, timed } from "./bench-cost/measure.ts";
import { measureSolver } from "./bench-cost/solver.ts";
import { migrate } from "./migrate.ts";
import { startPostgres } from "./postgres.ts";

const DIR = ".data/bench/pg";
const flag = (name: string, usual: number) => Number(process.argv.find((one) => one.startsWith(`--${name}=`))?.split("=")[1] ?? usual);
const SIZE: Size = { rows: flag("rows", Number(process.argv[2]?.match(/^\d+$/)?.[0] ?? 10_000_000)), months: flag("months", 24), deployments: flag("deployments", 200) };
const RUNS = flag("runs", 40);
const MONTH = "2026-11";

const caller = { actor: SYSTEM, origin: "scheduler" as const, requestId: "", ip: "", userAgent: "", sessionId: null, tokenId: null };

/** What the page asks for, through the one pipeline, as it travels. */
async function page(db: Db, input: Record<string, unknown>): Promise<void> {
  const call = { db, caller, now: new Date(BENCH_NOW) };
  JSON.stringify("environmentId" in input ? await execute(costsReport, { ...call, input: { month: MONTH, ...input } }) : await execute(costsTotal, { ...call, input: { month: MONTH, ...input } }));
}

const rawMonth = `SELECT date_trunc('day', at, 'Europe/Paris'), model_id, sku_id, SUM(pages) FROM usage_entry
  WHERE environment_id = $1::uuid AND at >= '2026-10-31T23:00:00Z' AND at < '2026-11-30T23:00:00Z' GROUP BY 1, 2, 3`;
const rawAll = `SELECT date_trunc('month', at, 'Europe/Paris'), model_id, sku_id, SUM(pages) FROM usage_entry WHERE environment_id = $1::uuid GROUP BY 1, 2, 3`;

/** A database of this run alone, dropped after it. */
async function recreate(serverUrl: string, isWanted: boolean): Promise<string> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query("DROP DATABASE IF EXISTS bench_run WITH (FORCE)");
  if (isWanted) await admin.query("CREATE DATABASE bench_run");
  await admin.end();
  return serverUrl.replace(/\/bench(?=$|\?)/, "/bench_run");
}

async function measurePage(db: Db, client: pg.Client, id: string): Promise<void> {
  await generate(client, id, { ...SIZE, from: 0, to: 1 });
  const first = percentile(await timed(RUNS, () => page(db, { environmentId: id })), 0.95);
  await generate(client, id, { ...SIZE, from: 1, to: SIZE.months });
  await refresh(client);
  const pageTimes = await timed(RUNS, () => page(db, { environmentId: id }));
  const [last, middle] = [percentile(pageTimes, 0.95), percentile(pageTimes, 0.5)];
  console.log(`${SIZE.rows} raw rows, ${SIZE.months} months, ${SIZE.deployments} deployments`);
  line("cost page data, p95 (budget 100 ms)", `${last.toFixed(1)} ms`, 100 / last);
  line(`growth from 1 to ${SIZE.months} months (budget 1.5 times)`, `${first.toFixed(1)} → ${last.toFixed(1)} ms`, (1.5 * first) / last);
  const [{ key }] = (await client.query<{ key: string }>("SELECT deployment_key AS key FROM usage_hour LIMIT 1")).rows as [{ key: string }];
  const deployment = percentile(await timed(RUNS, () => page(db, { environmentId: id, deploymentId: key })), 0.95);
  line("the same of one deployment, p95 (budget 100 ms)", `${deployment.toFixed(1)} ms`, 100 / deployment);
  const feature = percentile(await timed(RUNS, () => page(db, { environmentId: id, feature: "batch" })), 0.95);
  line("the same of one feature, p95 (budget 100 ms)", `${feature.toFixed(1)} ms`, 100 / feature);
  const total = percentile(await timed(RUNS, () => page(db, {})), 0.95);
  line("the same of all environments, p95 (budget 100 ms)", `${total.toFixed(1)} ms`, 100 / total);
  const month = percentile(await timed(3, () => client.query(rawMonth, [id])), 0.5);
  const all = percentile(await timed(2, () => client.query(rawAll, [id])), 0.5);
  line("raw SQL over the month against the page (no budget: it shrinks)", `${month.toFixed(0)} / ${middle.toFixed(1)} ms`, month / middle);
  line("raw SQL over all rows against the page (budget 50 times)", `${all.toFixed(0)} / ${middle.toFixed(1)} ms`, all / middle / 50);
}

const server = await startPostgres({ dir: DIR, database: "bench", isTest: true });
const url = await recreate(server.url, true);
const db = connect(url);
const client = new pg.Client({ connectionString: url });
try {
  await migrate(url);
  await client.connect();
  const { id } = await db.environment.create({ data: { slug: "bench", name: "Bench", kind: "production", namespace: "bench" } });
  await db.setting.create({ data: { key: "costs", value: { timeZone: "Europe/Paris", countFrom: "pod", rawDays: 3650 } } });
  await measurePage(db, client, id);
  await measureLogging(db, id);
  await measureSolver();
  if (!process.argv.includes("--no-chart")) await measureSlider();
} finally {
  await client.end();
  await db.$disconnect();
  await recreate(server.url, false);
  await server.stop();
}
process.exit();
