import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import type { Caller } from "@/lib/domain/caller";
import { parseKubeconfig } from "@/lib/domain/kubeconfig";
import { SYSTEM } from "@/lib/domain/policy";
import type { ScheduleRuleInput } from "@/lib/domain/schedule";
import { createClock } from "@/lib/embedded/cluster/clock";
import { startSandboxCluster } from "@/lib/embedded/cluster/start";
import { connect, type Db } from "@/lib/platform/db";
import { kubeOf, saveCluster } from "@/lib/services/clusters";
import { deploymentsPreview } from "@/lib/services/deployment-preview";
import { deploymentsApply } from "@/lib/services/deployment-writes";
import { execute } from "@/lib/services/pipeline";
import { migrate } from "../migrate.ts";
import { startPostgres } from "../postgres.ts";

export const caller: Caller = { actor: SYSTEM, origin: "scheduler", requestId: "bench", ip: "", userAgent: "", sessionId: null, tokenId: null };

export type Place = Awaited<ReturnType<typeof startPlace>>;

/** A database and a sandbox cluster of this run alone, with one environment. `speed`: how fast the cluster's clock goes. */
export async function startPlace({ speed, engineUrl = "http://127.0.0.1:1" }: { speed: number; engineUrl?: string }) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "bench-operate-"));
  process.env.LECTERN_MASTER_KEY ??= randomBytes(32).toString("base64");
  process.env.LECTERN_LOG_LEVEL = "silent";
  process.env.LECTERN_DATA_DIR = dataDir;
  const postgres = await startPostgres({ dir: path.join(dataDir, "pg"), database: "bench", isTest: true });
  process.env.DATABASE_URL = postgres.url;
  await migrate(postgres.url);
  const db = connect(postgres.url);
  const cluster = await startSandboxCluster({ dataDir: path.join(dataDir, "cluster"), engineUrl, clock: createClock(speed) });
  const clusterId = await saveCluster(db, { name: "Sandbox", kind: "sandbox", credentials: parseKubeconfig(cluster.kubeconfig) });
  const namespace = "lectern-bench";
  const { id: environmentId } = await db.environment.create({ data: { slug: "bench", name: "Bench", kind: "staging", namespace, clusterId } });
  const kube = await kubeOf(db, clusterId);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const stop = async () => {
    await client.end();
    await db.$disconnect();
    await cluster.stop();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { db, client, kube, cluster, environmentId, namespace, databaseUrl: postgres.url, stop };
}

/** Deploys through the same two operations as a person. */
export async function deploy(db: Db, environmentId: string, name: string): Promise<string> {
  const deploymentId = randomUUID();
  const preview = await execute(deploymentsPreview, { db, caller, input: { environmentId, deploymentId, spec: { name, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" } } });
  if (preview.digest === null) throw new Error(preview.blockers[0] ?? preview.basisNote);
  await execute(deploymentsApply, { db, caller, input: { digest: preview.digest } });
  return deploymentId;
}

/** Hours from eight to six on working days. */
export const workingHours: ScheduleRuleInput = { timeZone: "Europe/Paris", week: [{ days: ["mon", "tue", "wed", "thu", "fri"], hours: { from: "08:00", to: "18:00" } }] };
