/**
 * `npm run bench:cost [rows]` measures the cost page over 24 months, 200 deployments and 10 M raw page rows (or the number given), made by SQL in a
 * database of its own. Each line ends in a ratio to its budget: 1 or more holds.
 */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { solve } from "@/lib/domain/cost";
import { singlePlan, type ApiPlan } from "@/lib/domain/cost/api-plan";
import { costReport } from "@/lib/domain/cost-report";
import { solveWhatIf, whatIfOf } from "@/lib/domain/cost-whatif";
import { exact, ZERO } from "@/lib/domain/money";
import { DEFAULT_OFFER_IDS } from "@/lib/domain/price-offers";
import { newestRate } from "@/lib/domain/price-rate";
import { connect, type Db } from "@/lib/platform/db";
import { reportInput } from "@/lib/services/costs";
import { monthUse } from "@/lib/services/costs-month";
import { priceBook } from "@/lib/services/prices-book";
import { countPages, type PageUse } from "@/lib/services/usage-log";
import { migrate } from "./migrate.ts";
import { startPostgres } from "./postgres.ts";

const ROWS = Number(process.argv[2] ?? 10_000_000);
const MONTHS = 24;
const DEPLOYMENTS = 200;
const DIR = ".data/bench/pg";
const NOW = Date.UTC(2026, 10, 30, 12);
const MONTH = "2026-11";
const SETTINGS = { timeZone: "Europe/Paris", countFrom: "pod" as const, rawDays: 3650 };

function percentile(times: number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
}

async function timed(runs: number, run: () => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < runs + 3; at += 1) {
    const start = performance.now();
    await run();
    if (at >= 3) times.push(performance.now() - start);
  }
  return times;
}

function line(what: string, value: string, ratio: number): void {
  console.log(`${what.padEnd(62)} ${value.padStart(22)}   ratio ${ratio.toFixed(2)}`);
}

/** Raw rows of the months [from, to) before the present one, spread over all deployments and hours, and their roll-ups. */
async function generate(client: pg.Client, environmentId: string, span: { from: number; to: number }): Promise<void> {
  const rows = Math.round((ROWS / MONTHS) * (span.to - span.from));
  const [start, end] = [NOW - span.to * 30.4 * 86_400_000, NOW - span.from * 30.4 * 86_400_000];
  await client.query(
    `INSERT INTO usage_entry (id, at, environment_id, deployment_id, model_id, sku_id, feature, pages, prompt_tokens, completion_tokens, seconds)
     SELECT gen_random_uuid(), to_timestamp(($2::float8 + ($3::float8 - $2::float8) * n / $4::float8) / 1000), $1::uuid,
       lpad(to_hex(n % ${DEPLOYMENTS}), 32, '0')::uuid, 'lightonocr-3-0.8b', (ARRAY['aws-g6-xlarge', 'gcp-g2-standard-4', 'aws-g5-xlarge'])[1 + n % 3], 'batch', 1, 2900, 1160, 1.15
     FROM generate_series(0, $4::int - 1) AS n`,
    [environmentId, start, end, rows],
  );
  await client.query(
    `INSERT INTO usage_hour (id, hour, environment_id, deployment_key, model_id, sku_key, feature, pages, prompt_tokens, completion_tokens, seconds)
     SELECT gen_random_uuid(), date_trunc('hour', at, 'UTC'), environment_id, deployment_id::text, model_id, sku_id, feature, SUM(pages), SUM(prompt_tokens), SUM(completion_tokens), SUM(seconds)
     FROM usage_entry WHERE at >= to_timestamp($1::float8 / 1000) AND at < to_timestamp($2::float8 / 1000) GROUP BY 2, 3, 4, 5, 6, 7
     ON CONFLICT (environment_id, hour, deployment_key, model_id, sku_key, feature) DO UPDATE SET pages = usage_hour.pages + EXCLUDED.pages`,
    [start, end],
  );
  await client.query(
    `INSERT INTO node_interval (id, environment_id, node, sku_id, started_at, ended_at, last_seen_at)
     SELECT gen_random_uuid(), $1::uuid, 'n' || d, (ARRAY['aws-g6-xlarge', 'gcp-g2-standard-4', 'aws-g5-xlarge'])[1 + d % 3], at, at + interval '10 hours', at + interval '10 hours'
     FROM generate_series(0, ${DEPLOYMENTS - 1}) AS d, generate_series(to_timestamp($2::float8 / 1000), to_timestamp($3::float8 / 1000) - interval '1 day', interval '1 day') AS at`,
    [environmentId, start, end],
  );
  await client.query("ANALYZE");
}

async function page(db: Db, environmentId: string): Promise<void> {
  const book = await priceBook(db);
  const use = await monthUse(db, { environmentIds: [environmentId], month: MONTH, timeZone: SETTINGS.timeZone, now: NOW, book });
  costReport({ ...reportInput(use, { month: MONTH, now: NOW, book, settings: SETTINGS }), offerIds: DEFAULT_OFFER_IDS });
}

const rawMonth = `SELECT date_trunc('day', at, 'Europe/Paris'), model_id, sku_id, SUM(pages) FROM usage_entry
  WHERE environment_id = $1::uuid AND at >= '2026-10-31T23:00:00Z' AND at < '2026-11-30T23:00:00Z' GROUP BY 1, 2, 3`;
const rawAll = `SELECT date_trunc('month', at, 'Europe/Paris'), model_id, sku_id, SUM(pages) FROM usage_entry WHERE environment_id = $1::uuid GROUP BY 1, 2, 3`;

async function measureLogging(db: Db, environmentId: string): Promise<void> {
  const batch = (size: number): PageUse[] =>
    Array.from({ length: size }, () => ({ id: randomUUID(), at: new Date(NOW), environmentId, deploymentId: null, modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge", feature: "gateway", userId: null, tokenId: null, promptTokens: 1, completionTokens: 1, seconds: 1 }));
  const [rounds, size] = [20, 500];
  const start = performance.now();
  for (let round = 0; round < rounds; round += 1) await db.$transaction((tx) => countPages(tx, batch(size)));
  const perSecond = (rounds * size) / ((performance.now() - start) / 1000);
  line("logging path, rows a second (budget 5,000)", `${Math.round(perSecond)} /s`, perSecond / 5000);
  const lag = await timed(10, async () => {
    await db.$transaction((tx) => countPages(tx, batch(1)));
    await db.usageTotal.findFirst({ where: { environmentId }, orderBy: { hour: "desc" } });
  });
  line("one page: counted and seen in the roll-up, p95 (budget 2 s)", `${percentile(lag, 0.95).toFixed(1)} ms`, 2000 / percentile(lag, 0.95));
}

async function measureSolver(): Promise<void> {
  const tiers = [1, 2, 4, 8, 16].map((million, index) => ({ upTo: million * 1_000_000, perPage: exact(`0.00${15 - index}`) }));
  const plan: ApiPlan = { mode: "graduated", freePages: 0, monthlyFee: ZERO, includedPages: 0, tiers: [...tiers, { upTo: null, perPage: exact("0.0006") }] };
  const rate = { pagesPerSecond: exact("0.5"), utilisation: exact("0.5") };
  const fleet = { kind: "nodes" as const, hourly: exact("0.8048"), hours: exact("730"), rate, minNodes: 1, overhead: ZERO, variablePerPage: ZERO };
  const times = await timed(200, () => solve(fleet, singlePlan(plan), { searchUpTo: 50 * 657_000 }));
  line("solver, 50 nodes and 6 tiers, p95 (budget 5 ms)", `${percentile(times, 0.95).toFixed(2)} ms`, 5 / percentile(times, 0.95));
}

async function measureSlider(db: Db): Promise<void> {
  const book = await priceBook(db);
  const report = costReport({ month: MONTH, now: NOW, pages: 300_000, daysWithData: 29, nodes: [{ skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand", seconds: 3600 }], book, offerIds: DEFAULT_OFFER_IDS, model: "LightOnOCR-3-0.8B" });
  const input = whatIfOf(report, DEFAULT_OFFER_IDS, newestRate(book));
  if (!input) throw new Error("the bench has no what-if");
  let pages = 100_000;
  const times = await timed(200, () => solveWhatIf({ ...input, pages: (pages += 1000) }, book));
  line("a slider's change, 4 APIs and the chart's rows, p95 (budget 50 ms)", `${percentile(times, 0.95).toFixed(2)} ms`, 50 / percentile(times, 0.95));
}

/** A database of this run alone, dropped after it. */
async function recreate(serverUrl: string, isWanted: boolean): Promise<string> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query("DROP DATABASE IF EXISTS bench_run WITH (FORCE)");
  if (isWanted) await admin.query("CREATE DATABASE bench_run");
  await admin.end();
  return serverUrl.replace(/\/bench(?=$|\?)/, "/bench_run");
}

const server = await startPostgres({ dir: DIR, database: "bench", isTest: true });
const url = await recreate(server.url, true);
const db = connect(url);
const client = new pg.Client({ connectionString: url });
try {
  await migrate(url);
  await client.connect();
  const { id } = await db.environment.create({ data: { slug: "bench", name: "Bench", kind: "production", namespace: "bench" } });
  await generate(client, id, { from: 0, to: 1 });
  const first = percentile(await timed(30, () => page(db, id)), 0.95);
  await generate(client, id, { from: 1, to: MONTHS });
  const last = percentile(await timed(30, () => page(db, id)), 0.95);
  console.log(`${ROWS} raw rows, ${MONTHS} months, ${DEPLOYMENTS} deployments`);
  line("cost page data, p95 (budget 100 ms)", `${last.toFixed(1)} ms`, 100 / last);
  line("growth from 1 to 24 months (budget 1.5 times)", `${first.toFixed(1)} → ${last.toFixed(1)} ms`, (1.5 * first) / last);
  const [month, all] = [percentile(await timed(3, () => client.query(rawMonth, [id])), 0.5), percentile(await timed(1, () => client.query(rawAll, [id])), 0.5)];
  const book = await priceBook(db);
  const rolled = percentile(await timed(20, () => monthUse(db, { environmentIds: [id], month: MONTH, timeZone: SETTINGS.timeZone, now: NOW, book })), 0.5);
  line("raw aggregate of the month against the roll-up (budget 50 times)", `${month.toFixed(0)} / ${rolled.toFixed(1)} ms`, month / rolled / 50);
  line("raw aggregate of all months against the page (budget 50 times)", `${all.toFixed(0)} / ${last.toFixed(1)} ms`, all / last / 50);
  await measureLogging(db, id);
  await measureSolver();
  await measureSlider(db);
} finally {
  await client.end();
  await db.$disconnect();
  await recreate(server.url, false);
  await server.stop();
}
process.exit();
