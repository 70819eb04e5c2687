import { randomUUID } from "node:crypto";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { manifests } from "@/lib/domain/manifest";
import { deploymentsPreview } from "@/lib/services/deployment-preview";
import { execute } from "@/lib/services/pipeline";
import { line, percentile, timed } from "../bench-cost/measure.ts";
import type { BenchPlace } from "./place.ts";

const spec = { name: "nine", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", prefetch: true, disruptionBudget: true, exposure: { kind: "ingress" as const, host: "ocr.bench.internal" } };

/** The preview of nine objects through the one pipeline, beside the nine dry runs alone. */
export async function measurePreview({ db, kube, environmentId, namespace, caller }: BenchPlace, runs: number): Promise<void> {
  const made = await kube.send({ method: "POST", path: "/api/v1/namespaces", headers: { "content-type": "application/json" }, body: JSON.stringify({ metadata: { name: namespace } }) });
  made.cancel();
  const deploymentId = randomUUID();
  const objects = manifests(DeploymentSpec.parse(spec), { namespace, environmentId, deploymentId, revision: 1, portalNamespace: null });
  const preview = () => execute(deploymentsPreview, { db, caller, input: { environmentId, deploymentId, spec } });
  const shown = await preview();
  if (shown.objects.length !== 9 || shown.blockers.length > 0) throw new Error(`The preview has ${shown.objects.length} objects and says: ${shown.blockers.join(" ")}`);
  const whole = percentile(await timed(runs, async () => void (await preview())), 0.95);
  const raw = percentile(await timed(runs, async () => void (await Promise.all(objects.map((object) => kube.apply(object, { dryRun: true }))))), 0.95);
  line(`preview of ${objects.length} objects, p95 (budget 1,000 ms)`, `${whole.toFixed(0)} ms; the dry runs alone ${raw.toFixed(0)} ms`, 1000 / whole);
}
