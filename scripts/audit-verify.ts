/** Walks the audit trail from its first event and names the first one that was changed, removed, exchanged or inserted. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { CHAIN_START, chainFault, type ChainFault, type ChainHead, type ChainRow } from "@/lib/domain/audit-chain";

const BATCH = 1000;

export type Verdict = { head: ChainHead; fault: ChainFault | undefined };

const sha256Hex = (text: string) => createHash("sha256").update(text).digest("hex");

const QUERY = `
  SELECT sequence, previous_hash, hash, record, id, at, environment_id, actor_kind, actor_id, actor_name, origin, action, target_type, target_id, decision, outcome
  FROM audit_event WHERE sequence > $1 ORDER BY sequence LIMIT ${BATCH}`;

function toChainRow(row: Record<string, unknown>): ChainRow {
  const { sequence, previous_hash, hash, record, at, environment_id, actor_kind, actor_id, actor_name, target_type, target_id, ...same } = row;
  const copied = { environmentId: environment_id, actorKind: actor_kind, actorId: actor_id, actorName: actor_name, targetType: target_type, targetId: target_id };
  return {
    sequence: BigInt(String(sequence)),
    previousHash: String(previous_hash),
    hash: String(hash),
    record,
    columns: { ...same, ...copied, at: at instanceof Date ? at.toISOString() : at },
  };
}

async function walk(client: pg.Client, from: ChainHead): Promise<Verdict> {
  const { rows } = await client.query<Record<string, unknown>>(QUERY, [String(from.sequence)]);
  let head = from;
  for (const row of rows.map(toChainRow)) {
    const fault = chainFault(head, row, sha256Hex);
    if (fault) return { head, fault };
    head = { sequence: row.sequence, hash: row.hash };
  }
  return rows.length < BATCH ? { head, fault: undefined } : walk(client, head);
}

/** Reads the trail at that address in order, a batch at a time, inside one snapshot. */
export async function verifyAudit(databaseUrl: string): Promise<Verdict> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return await walk(client, CHAIN_START);
  } finally {
    await client.end();
  }
}

function databaseUrl(): string {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const file = path.join(process.env.LECTERN_DATA_DIR ?? ".lectern", "run.json");
  const running: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  if (running && typeof running === "object" && "databaseUrl" in running) return String(running.databaseUrl);
  throw new Error("No database: start Lectern with `npm run up`, or set DATABASE_URL.");
}

async function main(): Promise<void> {
  const { head, fault } = await verifyAudit(databaseUrl());
  if (!fault) return console.log(`The audit trail is whole: ${head.sequence} events, last hash ${head.hash}. Note both elsewhere: a cut tail shows only against them.`);
  console.error(`The audit trail is broken. ${fault.sentence} The ${head.sequence} events before it are whole.`);
  process.exitCode = 1;
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 2;
  });
}
