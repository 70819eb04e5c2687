import { describe, expect, it } from "vitest";
import { engines, engineOf } from "./catalog-engine";
import { DeploymentSpec } from "./deployment";
import { manifests } from "./manifest";
import { assertAllowed } from "./manifest/allowed";

const context = { namespace: "ocr", environmentId: "env", deploymentId: "dep", revision: 1, portalNamespace: null };

describe("engines", () => {
  it("say what is known of each, with a source; what cannot serve the models cannot be deployed", () => {
    expect(engines.map((engine) => [engine.id, engine.support, engine.deployable])).toEqual([
      ["vllm", "tested", "vllm"],
      ["sglang", "untested", "sglang"],
      ["triton", "untested", null],
      ["ollama", "untested", null],
      ["llama-cpp", "untested", null],
      ["tgi", "unable", null],
    ]);
    for (const engine of engines) expect(engine.source).toMatch(/^https:/);
    expect(DeploymentSpec.safeParse({ name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", engine: "tgi" }).success).toBe(false);
  });

  it("start by their own arguments, and keep the Service and the probes as they are", () => {
    const spec = DeploymentSpec.parse({ name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g4dn-xlarge", engine: "sglang", maxModelLen: 9000 });
    const objects = manifests(spec, context);
    expect(() => assertAllowed(objects, { namespace: "ocr", repositories: [engineOf(spec).image.repository] })).not.toThrow();
    const engine = objects.find((object) => object.kind === "Deployment");
    expect(engine?.metadata.labels["app.kubernetes.io/version"]).toBe("v0.5.9");
    const text = JSON.stringify(engine);
    expect(text).toContain('"image":"lmsysorg/sglang:v0.5.9","imagePullPolicy":"IfNotPresent","command":["python3","-m","sglang.launch_server"]');
    expect(text).toContain('"--context-length=9000","--dtype=half","--enable-metrics"');
    expect(text).not.toContain("vllm serve");
    expect(text).not.toContain("initContainers");
    expect(objects.find((object) => object.kind === "Service")?.spec?.ports).toEqual([{ name: "http", port: 8000, protocol: "TCP", targetPort: "http" }]);
  });
});
