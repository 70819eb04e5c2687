/**
 * `tsx scripts/migration.ts new <name>` writes the SQL that takes the migrations to schema.prisma; `check` fails when there is any.
 * The diff is made by Prisma's schema engine as WebAssembly, which needs no download.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum, type SqlQuery, type SqlResultSet } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";
import { migrate } from "./migrate.ts";
import { startPostgres } from "./postgres.ts";

const SCHEMA = "prisma/schema.prisma";
const DIR = "prisma/migrations";
const PG_CHAR_OID = 18;
const PG_TEXT_OID = 25;

type Io = { performIO(query: SqlQuery): Promise<{ fields: { dataTypeID: number }[] }>; queryRaw(query: SqlQuery): Promise<SqlResultSet> };

/** adapter-pg 7.10 cannot map the catalog type "char" (oid 18), which introspection reads. */
class CatalogPg extends PrismaPg {
  override async connect() {
    const connection = await super.connect();
    const io = connection as unknown as Io; // the two methods are private in the published types
    const charColumns = new WeakMap<SqlQuery, number[]>();
    const perform = io.performIO.bind(io);
    const raw = io.queryRaw.bind(io);
    io.performIO = async (query) => {
      const result = await perform(query);
      charColumns.set(query, result.fields.flatMap((field, index) => (field.dataTypeID === PG_CHAR_OID ? [index] : [])));
      for (const field of result.fields) if (field.dataTypeID === PG_CHAR_OID) field.dataTypeID = PG_TEXT_OID;
      return result;
    };
    io.queryRaw = async (query) => {
      const result = await raw(query);
      for (const index of charColumns.get(query) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
      return result;
    };
    return connection;
  }
}

async function loadSchemaEngine(): Promise<void> {
  const file = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg").replace(/\.js$/, ".wasm");
  const { instance } = await WebAssembly.instantiate(readFileSync(file), { "./schema_engine_bg.js": bindings as never });
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => console.error(message) } });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
}

async function difference(connectionString: string): Promise<string | undefined> {
  const files = [{ path: SCHEMA, content: readFileSync(SCHEMA, "utf8") }];
  const adapter = bindMigrationAwareSqlAdapterFactory(new CatalogPg({ connectionString }));
  const engine = await bindings.SchemaEngine.new({ datamodels: [[SCHEMA, files[0]!.content]] }, () => {}, adapter);
  const diff = await engine.diff({
    from: { tag: "schemaDatasource", files, configDir: "." },
    to: { tag: "schemaDatamodel", files },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  });
  return diff.exitCode === 2 ? (diff.stdout ?? "") : undefined;
}

async function scratchDatabase(serverUrl: string): Promise<string> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query("DROP DATABASE IF EXISTS shadow WITH (FORCE)");
  await admin.query("CREATE DATABASE shadow");
  await admin.end();
  return serverUrl.replace(/\/scratch$/, "/shadow");
}

function writeMigration(name: string, sql: string): void {
  const dir = path.join(DIR, `${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}_${name}`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, "migration.sql"), sql);
  writeFileSync(path.join(DIR, "migration_lock.toml"), 'provider = "postgresql"\n');
  console.log(`wrote ${dir}/migration.sql`);
}

const [command, name = "change"] = process.argv.slice(2);
await loadSchemaEngine();
const server = await startPostgres({ dir: ".data/scratch/pg", database: "scratch", isTest: true });
try {
  mkdirSync(DIR, { recursive: true });
  const shadow = await scratchDatabase(server.url);
  await migrate(shadow, DIR);
  const sql = await difference(shadow);
  if (sql === undefined) console.log("schema and migrations agree");
  else if (command === "new") writeMigration(name, sql);
  else {
    console.error(`schema.prisma has changes without a migration:\n${sql}`);
    process.exitCode = 1;
  }
} finally {
  await server.stop();
}
process.exit();
