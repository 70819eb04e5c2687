import { setTimeout as wait } from "node:timers/promises";
import { startClusterWatch } from "@/lib/services/cluster-watch";
import { execute } from "@/lib/services/pipeline";
import { previewEnvironmentsOpen, previewEnvironmentsRemove } from "@/lib/services/preview-environments";
import { tendPreviewEnvironments } from "@/lib/services/preview-environments-tend";
import { templatesCreate } from "@/lib/services/preview-environments-templates";
import { caller, type Place } from "./place.ts";

const GIVE_UP_MS = 15 * 60_000;

export type Previews = { count: number; openSeconds: number; removeSeconds: number; leftNamespaces: number; leftObjects: number; openIntervals: number };

/** Opens environments of so many pull requests at once, with the portal's watches on each, removes them all, and counts what is left. */
export async function measurePreviews({ db, kube }: Place, count: number): Promise<Previews> {
  const { id: clusterId } = await db.cluster.findFirstOrThrow();
  const spec = { name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" };
  const template = await execute(templatesCreate, { db, caller, input: { name: "Bench", clusterId, spec, hoursToLive: 1, idleMinutes: 30, forge: "github", repository: "acme/portal", apiUrl: "https://api.github.com" } });
  const watch = startClusterWatch(db);
  const until = async (state: string) => {
    const started = performance.now();
    for (let now = Date.now(); (await db.pullRequestEnvironment.count({ where: { templateId: template.id, state } })) < count; now += 5_000) {
      if (performance.now() - started > GIVE_UP_MS) throw new Error(`not all are ${state} after fifteen minutes`);
      await tendPreviewEnvironments(db, new Date(now));
      await wait(50);
    }
    return (performance.now() - started) / 1000;
  };
  for (let number = 1; number <= count; number += 1) await execute(previewEnvironmentsOpen, { db, caller, input: { templateId: template.id, number } });
  const openSeconds = await until("open");
  const rows = await db.pullRequestEnvironment.findMany({ where: { templateId: template.id }, include: { environment: { select: { namespace: true } } } });
  for (const { id } of rows) await execute(previewEnvironmentsRemove, { db, caller, input: { id } });
  const removeSeconds = await until("removed");
  await watch.stop();
  const names = new Set(rows.map((row) => row.environment.namespace));
  const namespaces = async () => (await kube.list<{ metadata: { name: string } }>({ apiVersion: "v1", resource: "namespaces" })).items.filter((item) => names.has(item.metadata.name)).length;
  for (let look = 0; look < 100 && (await namespaces()) > 0; look += 1) await wait(100);
  const pods = (await kube.list<{ metadata: { name: string; namespace?: string } }>({ apiVersion: "v1", resource: "pods" })).items.filter((item) => names.has(item.metadata.namespace ?? ""));
  const openIntervals = await db.nodeInterval.count({ where: { environmentId: { in: rows.map((row) => row.environmentId) }, endedAt: null } });
  return { count, openSeconds, removeSeconds, leftNamespaces: await namespaces(), leftObjects: pods.length, openIntervals };
}
