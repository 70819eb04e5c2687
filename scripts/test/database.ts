import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { connect, type Db } from "@/lib/platform/db";

type TestDatabase = { readonly db: Db; readonly url: string };

async function asAdmin(run: (client: pg.Client) => Promise<void>): Promise<void> {
  const url = new URL(inject("databaseUrl"));
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
}

/** A fresh copy of the migrated template for the test file that calls this at its top level; dropped after it. */
export function useDatabase(): TestDatabase {
  const name = `t_${randomBytes(6).toString("hex")}`;
  const template = () => new URL(inject("databaseUrl")).pathname.slice(1);
  let client: Db | undefined;
  const url = () => {
    const parsed = new URL(inject("databaseUrl"));
    parsed.pathname = `/${name}`;
    return parsed.href;
  };
  beforeAll(async () => {
    await asAdmin(async (admin) => {
      // Copying needs the template to itself for a moment: two files that start together take turns.
      await admin.query("SELECT pg_advisory_lock(7272)");
      await admin.query(`CREATE DATABASE "${name}" TEMPLATE "${template()}"`);
    });
    client = connect(url());
  });
  afterAll(async () => {
    await client?.$disconnect();
    await asAdmin(async (admin) => void (await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)));
  });
  return {
    get db() {
      if (!client) throw new Error("the database is there from beforeAll on");
      return client;
    },
    get url() {
      return url();
    },
  };
}
