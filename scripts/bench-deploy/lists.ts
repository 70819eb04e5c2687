import { randomUUID } from "node:crypto";
import { deploymentsList } from "@/lib/services/deployments";
import { execute } from "@/lib/services/pipeline";
import { line, percentile, timed } from "../bench-cost/measure.ts";
import type { BenchPlace } from "./place.ts";

/** The list of so many deployments, as the page asks for it. */
export async function measureDeployments({ db, environmentId, caller }: BenchPlace, { count, runs }: { count: number; runs: number }): Promise<void> {
  const specOf = (index: number) => ({ name: `d${index}`, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", replicas: 1 });
  const rows = Array.from({ length: count }, (_, index) => ({ id: randomUUID(), environmentId, name: `d${index}`, spec: specOf(index), state: "ready" }));
  await db.deployment.createMany({ data: rows });
  await db.revision.createMany({ data: rows.map((row) => ({ deploymentId: row.id, number: 1, spec: row.spec, manifests: [], digest: row.id })) });
  await db.$executeRaw`ANALYZE`;
  const list = async () => void JSON.stringify(await execute(deploymentsList, { db, caller, input: {} }));
  await list();
  const p95 = percentile(await timed(runs, list), 0.95);
  line(`list of ${count} deployments, p95 (budget 100 ms)`, `${p95.toFixed(0)} ms`, 100 / p95);
  await db.deployment.deleteMany({ where: { id: { in: rows.map((row) => row.id) } } });
}
