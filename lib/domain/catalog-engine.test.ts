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
      ["triton", "untested", "triton"],
      ["ollama", "untested", "ollama"],
      ["llama-cpp", "untested", "llama-cpp"],
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

  const engineText = (engine: "triton" | "ollama" | "llama-cpp", more = {}) => {
    const spec = DeploymentSpec.parse({ name: "ocr", modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge", engine, ...more });
    const objects = manifests(spec, context);
    expect(() => assertAllowed(objects, { namespace: "ocr", repositories: [engineOf(spec).image.repository] })).not.toThrow();
    return { objects, text: JSON.stringify(objects) };
  };

  it("gives Triton its repository by ConfigMap, file by file, and its own ports and probes", () => {
    const { objects, text } = engineText("triton", { monitoring: {} });
    const config = objects.find((object) => object.kind === "ConfigMap");
    expect(JSON.parse(config?.data?.["model.json"] ?? "")).toMatchObject({ model: "lightonai/LightOnOCR-3-0.8B", max_model_len: 18000, limit_mm_per_prompt: { image: 1 }, gpu_memory_utilization: 0.9 });
    expect(config?.data?.["config.pbtxt"]).toContain('backend: "vllm"');
    expect(text).toContain('"mountPath":"/repository/lightonocr/1/model.json","subPath":"model.json","readOnly":true');
    expect(text).toContain('"startupProbe":{"httpGet":{"path":"/v2/health/ready","port":"http"}');
    expect(text).toContain('"livenessProbe":{"httpGet":{"path":"/v2/health/live","port":"http"}');
    expect(text).toContain('"podMetricsEndpoints":[{"port":"metrics","path":"/metrics"');
    expect(text).toContain('"ports":[{"protocol":"TCP","port":8002}]');
  });

  it("pulls Ollama's copy before it serves, under the published name, with a context that holds a page", () => {
    const { text } = engineText("ollama");
    expect(text).toContain('"richardyoung/lightonocr-3-0.8b","lightonai/LightOnOCR-3-0.8B"]');
    expect(text).toContain('{"name":"OLLAMA_CONTEXT_LENGTH","value":"16384"}');
    expect(text).toContain('{"name":"NVIDIA_VISIBLE_DEVICES","value":"void"}');
    expect(text).toContain('"containerPort":11434');
    expect(text).toContain('"from":[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"kube-system"}}}],"ports":[{"protocol":"TCP","port":11434}]');
    expect(text).toContain('"path":"/api/version"');
  });

  it("starts llama.cpp with its projector, metrics and one page at a time", () => {
    const { text } = engineText("llama-cpp", { offline: true });
    expect(text).toContain('"args":["-hf","prithivMLmods/LightOnOCR-3-0.8B-GGUF:Q4_K_M","--ctx-size","16384","--alias","lightonai/LightOnOCR-3-0.8B"');
    expect(text).toContain('"--metrics","--offline"]');
    expect(text).toContain('"containerPort":8080');
  });

  it.each([
    [{ engine: "ollama", modelId: "lightonocr-3-1b" }, "only quantised copies"],
    [{ engine: "llama-cpp", modelId: "lightonocr-3-1b" }, "only quantised copies"],
    [{ engine: "ollama", monitoring: {} }, "no metrics"],
    [{ engine: "ollama", autoscaling: { by: "hpa", maxReplicas: 1 } }, "no queue length"],
    [{ engine: "llama-cpp", prefetch: true }, "cannot download without serving"],
    [{ engine: "vllm", imageTag: "latest" }, "without notice"],
  ])("refuse %j", (more, words) => {
    const result = DeploymentSpec.safeParse({ name: "ocr", modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge", ...more });
    expect(result.error?.message).toContain(words);
  });

  it("runs another release where one is named, with its digest", () => {
    const imageTag = `v0.31.0@sha256:${"a".repeat(64)}`;
    const spec = DeploymentSpec.parse({ name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", imageTag });
    const engine = manifests(spec, context).find((object) => object.kind === "Deployment");
    expect(JSON.stringify(engine)).toContain(`"image":"vllm/vllm-openai:${imageTag}"`);
    expect(engine?.metadata.labels["app.kubernetes.io/version"]).toBe("v0.31.0");
  });
});
