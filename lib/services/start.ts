import "server-only";
import { readFile } from "node:fs/promises";
import { parseKubeconfig } from "@/lib/domain/kubeconfig";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { liveSignals } from "@/lib/platform/listen";
import { log } from "@/lib/platform/log";
import { loadCatalog } from "./catalog-additions";
import { saveCluster } from "./clusters";
import { startCostWatch } from "./costs-watch";
import { startClusterHealth } from "./cluster-health";
import { startClusterWatch } from "./cluster-watch";
import { resumeApplications } from "./deployment-apply";
import { EMBEDDED_ENGINE_SETTING } from "./engines";
import { startHousekeeping } from "./housekeeping";
import { ensureOwnerLink } from "./links";
import { startNotifier } from "./notifications-send";
import { syncGroupGrants } from "./oidc-grants";
import { startBatchWorker } from "./batch-worker";
import { startPageWorker } from "./page-worker";
import { startScheduler } from "./schedules-tick";
import { seed } from "./seed";

export const SANDBOX_NAME = "Sandbox";

const CONFIGURED_NAME = "Cluster of the configuration";

/** Addresses of the embedded defaults, as instrumentation.ts hands them over; null when they are switched off. Without a sandbox its kubeconfig is null. */
export type EmbeddedAddresses = { engineUrl: string; kubeconfig: string | null; stop(): Promise<void> } | null;

type Stop = () => Promise<void> | void;
/** How scripts/serve.ts, which runs outside Next's bundle in the same process, hears of the start. */
type Shared = typeof globalThis & { lecternStarted?: (started: { stops: Stop[]; welcome: string }) => void };

/** Answers the cluster on which a first start puts its environments. */
async function storeAddresses(embedded: EmbeddedAddresses): Promise<string | null> {
  const file = env().LECTERN_KUBECONFIG;
  const configured = file ? await saveCluster(db(), { name: CONFIGURED_NAME, kind: "linked", origin: "configured", credentials: parseKubeconfig(await readFile(file, "utf8")) }) : null;
  if (!embedded) {
    await db().setting.deleteMany({ where: { key: EMBEDDED_ENGINE_SETTING } });
    return configured;
  }
  const value = { url: embedded.engineUrl };
  await db().setting.upsert({ where: { key: EMBEDDED_ENGINE_SETTING }, create: { key: EMBEDDED_ENGINE_SETTING, value }, update: { value } });
  if (embedded.kubeconfig === null) return configured;
  return saveCluster(db(), { name: SANDBOX_NAME, kind: "sandbox", credentials: parseKubeconfig(embedded.kubeconfig) });
}

/** The lines that scripts/serve.ts prints when the portal is ready: the owner's link while there is no owner. */
async function welcome(): Promise<string> {
  const link = await ensureOwnerLink(db(), new Date());
  return link ? `There is no owner yet. This link makes the first one; it works once, for 24 hours:\n\n  ${link}\n` : "";
}

/** First data and background work; everything that must be stopped again is left for scripts/serve.ts. */
export async function startPortal(embedded: EmbeddedAddresses): Promise<void> {
  const clusterId = await storeAddresses(embedded);
  await seed(db(), clusterId, new Date());
  await syncGroupGrants(db());
  await loadCatalog(db());
  await resumeApplications(db());
  const worker = startPageWorker(db());
  const batches = startBatchWorker(db(), env().DATABASE_URL);
  const watch = startClusterWatch(db());
  const health = startClusterHealth(db());
  const housekeeping = startHousekeeping(db());
  const scheduler = startScheduler(db());
  const notifier = startNotifier(db());
  const costWatch = startCostWatch(db());
  const stops: Stop[] = [
    () => scheduler.stop(),
    () => costWatch.stop(),
    () => notifier.stop(),
    () => housekeeping.stop(),
    () => watch.stop(),
    () => health.stop(),
    () => worker.stop(),
    () => batches.stop(),
    () => liveSignals().close(),
    () => embedded?.stop(),
    () => db().$disconnect(),
  ];
  (globalThis as Shared).lecternStarted?.({ stops, welcome: await welcome() });
  log().info({ embedded: embedded !== null }, "portal started");
}
