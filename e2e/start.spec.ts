import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { expect, request, test } from "@playwright/test";
import pg from "pg";
import { OwnPortal } from "./own-portal";
import { PortalApi } from "./portal-api";
import { NOBODY } from "./fixtures";
import { OWNER } from "./settings";

const PORT = 3110;
const BASE = `http://localhost:${PORT}`;
const SERVE = "scripts/serve.ts";
let dataDir: string;
const started: OwnPortal[] = [];

test.describe.configure({ mode: "serial" });
test.beforeAll(() => {
  mkdirSync(".data", { recursive: true });
  dataDir = mkdtempSync(path.resolve(".data/e2e-start-"));
});
test.afterAll(async () => {
  for (const portal of started) await portal.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

function begin(script = SERVE, folder = dataDir): OwnPortal {
  const portal = new OwnPortal(script, { port: PORT, dataDir: folder });
  started.push(portal);
  return portal;
}

const databaseUrl = () => (JSON.parse(readFileSync(path.join(dataDir, "run.json"), "utf8")) as { databaseUrl: string }).databaseUrl; // written by scripts/serve.ts

async function query(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  await client.query(sql);
  await client.end();
}

test("a busy port: one sentence and a failure", async () => {
  const busy = net.createServer();
  await new Promise<void>((resolve) => busy.listen(PORT, "127.0.0.1", resolve));
  const { code, output } = await begin("scripts/up.mjs").end();
  await new Promise((resolve) => busy.close(resolve));
  expect(code).toBe(1);
  expect(output.trim()).toBe(`Port ${PORT} is in use. Stop what listens there, or choose another one: PORT=3001 npm run up`);
});

// Not even root makes a folder below a file, or below /proc, where there is one.
for (const locked of [path.join("package.json", "data"), "/proc/lectern/data"]) {
  test(`a data folder that may not be written, ${locked}: one sentence and a failure`, async () => {
    test.skip(path.isAbsolute(locked) && process.platform !== "linux", "there is no /proc on this system");
    const { code, output } = await begin("scripts/up.mjs", locked).end();
    expect(code).toBe(1);
    expect(output.trim()).toMatch(/^The data folder \S+ cannot be written\. Change its owner, or set LECTERN_DATA_DIR to a folder that this user may write\.$/);
  });
}

test("killed in the middle and started again: the session, the deployment and the document are still there", async () => {
  const first = begin();
  await first.ready(/\/setup#\S+\s/);
  const secret = /setup#(\S+)/.exec(first.output)?.[1] ?? "";
  const context = await request.newContext({ baseURL: BASE, storageState: NOBODY });
  const api = new PortalApi(context, BASE);
  await api.write("links.redeemOwner", { secret, ...OWNER });
  await api.signIn(OWNER.email, OWNER.password);
  const environmentId = (await api.environment("development")).id;
  const document = await api.upload("scan-simple.pdf", environmentId);
  const { digest } = await api.read("deployments.preview", { environmentId, deploymentId: crypto.randomUUID(), spec: { name: "survivor", modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge" } });
  await api.write("deployments.apply", { digest: digest ?? "" });
  const run = await api.write("runs.start", { documentId: document.id, deploymentId: null });
  expect((await first.kill("SIGKILL")).signal).toBe("SIGKILL");

  const second = begin();
  await second.ready();
  expect(second.output).not.toContain("/setup#");
  expect(await api.read("account.get", {})).toMatchObject({ email: OWNER.email });
  expect((await api.read("documents.get", { id: document.id })).name).toBe("scan-simple.pdf");
  await expect.poll(async () => (await api.read("deployments.list", {})).deployments.map((each) => [each.name, each.state]), { timeout: 60_000 }).toEqual([["survivor", "ready"]]);
  await expect.poll(async () => (await api.read("runs.get", { id: run.id })).run.state, { timeout: 60_000 }).toBe("done");
  await context.dispose();

  await query("INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ('x', 'x', '29990101000000_from_the_future', now(), 1)");
  const before = Date.now();
  expect((await second.kill("SIGTERM")).code, "SIGTERM ends it cleanly").toBe(0);
  expect(Date.now() - before).toBeLessThan(8_000);
});

test("a database that is newer than the code: one sentence and a failure", async () => {
  const { code, output } = await begin().end();
  expect(code).toBe(1);
  expect(output.trim()).toMatch(/^The database is newer than this version of Lectern: it has the migration 29990101000000_from_the_future, which this code does not know\. Start the newer version, or restore a backup made before the update\.$/);
});
