import "server-only";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { db } from "@/lib/platform/db";

export type Readiness = { ready: boolean; database: "ok" | "unreachable"; migrations: "ok" | "behind" | "ahead" | "unknown" };

/** Whether the portal can work: the database answers, and its migrations are exactly those of this code. */
export async function readiness(): Promise<Readiness> {
  try {
    const rows = await db().$queryRaw<{ migration_name: string }[]>`SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
    const applied = new Set(rows.map((row) => row.migration_name));
    const known = await migrationNames();
    const migrations = known.some((name) => !applied.has(name)) ? "behind" : applied.size > known.length ? "ahead" : "ok";
    return { ready: migrations === "ok", database: "ok", migrations };
  } catch {
    return { ready: false, database: "unreachable", migrations: "unknown" };
  }
}

async function migrationNames(): Promise<string[]> {
  const entries = await readdir(path.join(process.cwd(), "prisma/migrations"), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}
