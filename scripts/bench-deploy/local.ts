import { models, modelById, skuById, skus } from "@/lib/domain/catalog";
import { DeploymentSpec, type DeploymentSpecInput } from "@/lib/domain/deployment";
import { diffObject } from "@/lib/domain/diff";
import { fits } from "@/lib/domain/fit";
import { manifests, toYaml } from "@/lib/domain/manifest";
import { explainLines } from "@/lib/domain/manifest/explain-lines";
import { line, percentile } from "../bench-cost/measure.ts";

const context = { namespace: "bench", environmentId: "env", deploymentId: "dep", revision: 2, portalNamespace: null };

/** Specs as somebody changes them in the form, one after the other. */
function specs(count: number): DeploymentSpec[] {
  return Array.from({ length: count }, (_, index) => {
    const more: Partial<DeploymentSpecInput> = index % 2 === 0 ? {} : { prefetch: true, disruptionBudget: true, exposure: { kind: "load-balancer" } };
    return DeploymentSpec.parse({ name: "contracts", modelId: models[index % models.length]?.id, skuId: skus[index % skus.length]?.id, storageGi: 20 + (index % 50), ...more });
  });
}

/** What the page works out at every change: fit, manifests, YAML, its reasons, and the difference to the revision before. */
export function measureLocal(changes: number): void {
  const all = specs(changes + 1);
  const times: number[] = [];
  for (const [index, spec] of all.slice(1).entries()) {
    const before = manifests(all[index] ?? spec, context);
    const started = performance.now();
    fits(modelById(spec.modelId), skuById(spec.skuId));
    const objects = manifests(spec, context);
    explainLines(toYaml(objects));
    for (const object of objects) diffObject(before.find((each) => each.kind === object.kind && each.metadata.name === object.metadata.name), object);
    times.push(performance.now() - started);
  }
  const p95 = percentile(times, 0.95);
  line(`manifests, fit, YAML with reasons and local difference, p95 of ${changes} changes (budget 100 ms)`, `${p95.toFixed(1)} ms`, 100 / p95);
}
