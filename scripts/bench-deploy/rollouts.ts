import { randomUUID } from "node:crypto";
import { startClusterWatch } from "@/lib/services/cluster-watch";
import { deploymentsPreview } from "@/lib/services/deployment-preview";
import { deploymentsApply } from "@/lib/services/deployment-writes";
import { execute } from "@/lib/services/pipeline";
import { line } from "../bench-cost/measure.ts";
import type { BenchPlace } from "./place.ts";

const heapMb = () => (globalThis.gc?.(), process.memoryUsage().heapUsed / 2 ** 20);

/** One deployment changed over and over, with everything that follows the cluster running. The first tenth warms up. */
export async function measureRollouts({ db, environmentId, caller }: BenchPlace, rollouts: number): Promise<void> {
  const watch = startClusterWatch(db);
  const deploymentId = randomUUID();
  const warm = Math.max(20, Math.floor(rollouts / 10));
  let before = 0;
  const started = performance.now();
  for (let count = 0; count < rollouts + warm; count += 1) {
    if (count === warm) before = heapMb();
    const spec = { name: "changing", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", maxModelLen: 8192 + (count % 2) * 1024 };
    const { digest, blockers } = await execute(deploymentsPreview, { db, caller, input: { environmentId, deploymentId, spec } });
    if (digest === null) throw new Error(blockers.join(" "));
    await execute(deploymentsApply, { db, caller, input: { digest } });
  }
  const seconds = (performance.now() - started) / 1000;
  await watch.stop();
  const after = heapMb();
  line(`heap after ${rollouts} rollouts over before (budget 1.25)`, `${before.toFixed(0)} → ${after.toFixed(0)} MB, ${((rollouts + warm) / seconds).toFixed(1)} rollouts a second`, 1.25 / (after / before));
}
