import { hasBfloat16 } from "../catalog-gpu";
import { gpuMemoryUtilization } from "../fit-vram";
import type { Rendering } from "./context";
import type { EngineProcess } from "./engine-process";
import { vllmEnvironment } from "./vllm";

const repositoryPath = "/repository";
const modelName = "lightonocr";
const ports = { http: 8000, metrics: 8002 };

/**
 * Triton with its vLLM backend: the engine's arguments stand in a file of the model repository.
 * Source: https://github.com/triton-inference-server/vllm_backend (model.json, REPORT_CUSTOM_METRICS).
 */
export function triton(rendering: Rendering): Omit<EngineProcess, "fetch"> {
  return {
    command: ["tritonserver"],
    args: [`--model-repository=${repositoryPath}`, `--http-port=${ports.http}`, `--metrics-port=${ports.metrics}`, "--exit-timeout-secs=45"],
    env: vllmEnvironment(rendering),
    port: ports.http,
    metricsPort: ports.metrics,
    probes: { startup: "/v2/health/ready", readiness: "/v2/health/ready", liveness: "/v2/health/live" },
    files: [
      { name: "model.json", path: `${repositoryPath}/${modelName}/1/model.json`, text: `${JSON.stringify(engineArguments(rendering), null, 2)}\n` },
      { name: "config.pbtxt", path: `${repositoryPath}/${modelName}/config.pbtxt`, text: config },
    ],
  };
}

function engineArguments({ spec, model, sku }: Rendering) {
  return {
    model: model.hfId,
    revision: model.revision,
    max_model_len: spec.maxModelLen ?? model.maxModelLen,
    limit_mm_per_prompt: { image: 1 },
    mm_processor_cache_gb: 0,
    enable_prefix_caching: false,
    gpu_memory_utilization: gpuMemoryUtilization,
    ...(hasBfloat16(sku.gpu) ? {} : { dtype: "half" }),
  };
}

const config = `backend: "vllm"
instance_group [
  {
    count: 1
    kind: KIND_MODEL
  }
]
parameters: {
  key: "REPORT_CUSTOM_METRICS"
  value: { string_value: "true" }
}
`;
