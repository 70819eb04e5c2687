import type { TestProject } from "vitest/node";
import { migrate } from "../migrate.ts";
import { startPostgres } from "../postgres.ts";

/** One migrated template database for the whole run; each test file copies it (scripts/test/database.ts). */
export default async function setup(project: TestProject) {
  const dir = process.env.PG_BIN ? ".data/test/pg-other" : ".data/test/pg";
  const own = process.env.TEST_DATABASE_URL ? undefined : await startPostgres({ dir, database: "template_lectern", isTest: true });
  const url = process.env.TEST_DATABASE_URL ?? own?.url ?? "";
  try {
    await migrate(url);
  } catch (error) {
    await own?.stop();
    throw error;
  }
  project.provide("databaseUrl", url);
  return () => own?.stop();
}

declare module "vitest" {
  export interface ProvidedContext {
    databaseUrl: string;
  }
}
