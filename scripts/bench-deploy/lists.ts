import { randomUUID } from "node:crypto";
import { deploymentsList } from "@/lib/services/deployments";
import { execute } from "@/lib/services/pipeline";
import { DEPLOYMENTS_PAGE } from "@/lib/domain/recent-deployments";
import { line, percentile, timed } from "../bench-cost/measure.ts";
import { createPerson } from "../test/callers.ts";
import { measureFiltering } from "./browser.ts";
import type { BenchPlace } from "./place.ts";

/** The list of so many deployments, as the pages ask for it, as a program may ask for all of it, and in a browser while somebody types. */
export async function measureDeployments(place: BenchPlace, { count, runs }: { count: number; runs: number }): Promise<void> {
  const { db } = place;
  // Without a cluster: nothing may look for them there.
  const { id: environmentId } = await db.environment.create({ data: { slug: "many", name: "Many", kind: "staging", namespace: "bench-many" } });
  const owner = await createPerson(db, "Owner of many", { isOwner: true });
  const specOf = (index: number) => ({ name: `d${index}`, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", replicas: 1 });
  const rows = Array.from({ length: count }, (_, index) => ({ id: randomUUID(), environmentId, name: `d${index}`, spec: specOf(index), state: "ready" }));
  await db.deployment.createMany({ data: rows });
  await db.revision.createMany({ data: rows.map((row) => ({ deploymentId: row.id, number: 1, spec: row.spec, manifests: [], digest: row.id })) });
  await db.$executeRaw`ANALYZE`;
  const p95 = async (input: object) => percentile(await timed(runs, async () => void JSON.stringify(await execute(deploymentsList, { db, caller: owner.caller, input }))), 0.95);
  const tell = (what: string, ms: number) => line(`${what}, p95 (budget 100 ms)`, `${ms.toFixed(0)} ms`, 100 / ms);
  tell(`list of ${count} deployments, as its page asks`, await p95({ search: "", limit: DEPLOYMENTS_PAGE }));
  tell(`the same, searched`, await p95({ search: "d99 l4", limit: DEPLOYMENTS_PAGE }));
  console.log(`all ${count} at once, as a program may ask, p95`.padEnd(64), `${(await p95({})).toFixed(0)} ms`.padStart(22));
  await measureFiltering(place, { personId: owner.id, count });
  await db.environment.delete({ where: { id: environmentId } });
}
