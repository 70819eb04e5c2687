/** Applies prisma/migrations in order and keeps `_prisma_migrations` as Prisma does, so that either tool can take over. */
import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";

const PRISMA_LOCK_ID = 72707369;
const TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL,
  logs TEXT, rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

type Applied = { migration_name: string; checksum: string; finished_at: Date | null };

function migrationNames(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
}

function assertKnown(applied: Applied[], names: string[]): void {
  const unknown = applied.find((row) => !names.includes(row.migration_name));
  if (unknown) throw new Error(`The database is newer than this version of Lectern: it has the migration ${unknown.migration_name}, which this code does not know. Start the newer version, or restore a backup made before the update.`);
}

function assertUnchanged(name: string, checksum: string, applied: Applied): void {
  if (!applied.finished_at) throw new Error(`The migration ${name} failed earlier and must be resolved by hand before Lectern can start.`);
  if (applied.checksum !== checksum) throw new Error(`The migration ${name} was edited after it was applied. Restore the file as it was released.`);
}

/** Brings the database to this version of the code; returns the names of the migrations that it applied. */
export async function migrate(connectionString: string, dir = "prisma/migrations"): Promise<string[]> {
  const db = new pg.Client({ connectionString });
  await db.connect();
  try {
    await db.query("SELECT pg_advisory_lock($1)", [PRISMA_LOCK_ID]);
    await db.query(TABLE);
    const rows = await db.query<Applied>("SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL");
    const names = migrationNames(dir);
    assertKnown(rows.rows, names);
    const done: string[] = [];
    for (const name of names) if (await applyOne(db, { dir, name, applied: rows.rows })) done.push(name);
    return done;
  } finally {
    await db.end(); // also releases the lock
  }
}

async function applyOne(db: pg.Client, at: { dir: string; name: string; applied: Applied[] }): Promise<boolean> {
  const sql = readFileSync(path.join(at.dir, at.name, "migration.sql"), "utf8");
  const checksum = createHash("sha256").update(sql).digest("hex");
  const applied = at.applied.find((row) => row.migration_name === at.name);
  if (applied) {
    assertUnchanged(at.name, checksum, applied);
    return false;
  }
  await db.query("BEGIN");
  try {
    await db.query(sql); // no parameters: the simple protocol takes many statements and function bodies whole
    await db.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)",
      [randomUUID(), checksum, at.name],
    );
    await db.query("COMMIT");
    return true;
  } catch (error) {
    await db.query("ROLLBACK");
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.env.DATABASE_URL) throw new Error("DATABASE_URL is not set");
  console.log("applied:", (await migrate(process.env.DATABASE_URL)).join(", ") || "nothing new");
}
