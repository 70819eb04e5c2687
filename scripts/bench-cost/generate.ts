import type pg from "pg";

export const BENCH_NOW = Date.UTC(2026, 10, 30, 12);
export type Size = { rows: number; months: number; deployments: number };

const MONTH_MS = 30.4 * 86_400_000;

/** Raw rows of the months [from, to) before the present one, spread over all deployments and hours; their roll-ups, node time and engine counters. */
export async function generate(client: pg.Client, environmentId: string, span: Size & { from: number; to: number }): Promise<void> {
  const rows = Math.round((span.rows / span.months) * (span.to - span.from));
  const [start, end] = [BENCH_NOW - span.to * MONTH_MS, BENCH_NOW - span.from * MONTH_MS];
  await client.query(
    `INSERT INTO usage_entry (id, at, environment_id, deployment_id, model_id, sku_id, feature, pages, prompt_tokens, completion_tokens, seconds)
     SELECT gen_random_uuid(), to_timestamp(($2::float8 + ($3::float8 - $2::float8) * n / $4::float8) / 1000), $1::uuid,
       (lpad(to_hex(n % ${span.deployments}), 8, '0') || '-0000-4000-8000-000000000000')::uuid, 'lightonocr-3-0.8b', (ARRAY['aws-g6-xlarge', 'gcp-g2-standard-4', 'aws-g5-xlarge'])[1 + n % ${span.deployments} % 3],
       (ARRAY['playground', 'batch', 'gateway'])[1 + n % 7 % 3], 1, 2900, 1160, 1.15
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
     FROM generate_series(0, ${span.deployments - 1}) AS d, generate_series(to_timestamp($2::float8 / 1000), to_timestamp($3::float8 / 1000) - interval '1 day', interval '1 day') AS at`,
    [environmentId, start, end],
  );
  await client.query(
    `INSERT INTO engine_hour (environment_id, deployment_id, hour, requests, own)
     SELECT environment_id, deployment_key::uuid, hour, SUM(pages) + 1, SUM(pages) FROM usage_hour WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000) GROUP BY 1, 2, 3
     ON CONFLICT DO NOTHING`,
    [start, end],
  );
  await refresh(client);
}

/** What autovacuum does within minutes: statistics, and pages marked as seen by all. */
export async function refresh(client: pg.Client): Promise<void> {
  for (const table of ["usage_hour", "usage_total", "node_interval", "engine_hour", "engine_day"]) await client.query(`VACUUM ANALYZE ${table}`);
  await client.query("ANALYZE usage_entry");
}
