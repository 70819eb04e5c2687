import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { parseKubeconfig } from "@/lib/domain/kubeconfig";
import { createClock } from "@/lib/embedded/cluster/clock";
import { startSandboxCluster } from "@/lib/embedded/cluster/start";
import { connect, type Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import type { Caller } from "@/lib/domain/caller";
import { kubeOf, saveCluster } from "@/lib/services/clusters";
import { migrate } from "../migrate.ts";
import { startPostgres } from "../postgres.ts";
import { createPerson } from "../test/callers.ts";

export type BenchPlace = { db: Db; databaseUrl: string; kube: Kube; environmentId: string; namespace: string; caller: Caller; personId: string; stop(): Promise<void> };

const NAMESPACE = "bench-deploy";
/** Simulated time runs this much faster: a rollout takes milliseconds. */
const SPEED = 1000;

/** A database and a sandbox cluster of this run alone, with one environment and somebody who may deploy to it. */
export async function startPlace(): Promise<BenchPlace> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-deploy-"));
  process.env.LECTERN_MASTER_KEY ??= randomBytes(32).toString("base64");
  process.env.LECTERN_LOG_LEVEL = "silent";
  const postgres = await startPostgres({ dir: ".data/bench/pg-deploy", database: "bench", isTest: true });
  const databaseUrl = await freshDatabase(postgres.url);
  process.env.DATABASE_URL = databaseUrl;
  await migrate(databaseUrl);
  const db = connect(databaseUrl);
  const cluster = await startSandboxCluster({ dataDir: folder, engineUrl: "http://127.0.0.1:1", clock: createClock(SPEED) });
  const clusterId = await saveCluster(db, { name: "Bench", kind: "sandbox", credentials: parseKubeconfig(cluster.kubeconfig) });
  const { id: environmentId } = await db.environment.create({ data: { slug: "bench", name: "Bench", kind: "staging", namespace: NAMESPACE, clusterId } });
  const { id: personId, caller } = await createPerson(db, "Deployer of the bench", { roles: { [environmentId]: "deployer" } });
  const stop = async () => {
    await db.$disconnect();
    await cluster.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { db, databaseUrl, kube: await kubeOf(db, clusterId), environmentId, namespace: NAMESPACE, caller, personId, stop };
}

async function freshDatabase(serverUrl: string): Promise<string> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query("DROP DATABASE IF EXISTS bench_deploy WITH (FORCE)");
  await admin.query("CREATE DATABASE bench_deploy");
  await admin.end();
  return serverUrl.replace(/\/bench(?=$|\?)/, "/bench_deploy");
}
