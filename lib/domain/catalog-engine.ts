import type { DeploymentSpec } from "./deployment";

/** A server that might serve the models. `support` is what is known of LightOnOCR-3 on it; `deployable` is what Lectern can write manifests for. */
export type Engine = {
  id: string;
  name: string;
  support: "tested" | "untested" | "unable";
  deployable: DeploymentSpec["engine"] | null;
  image: { repository: string; tag: string } | null;
  port: number;
  probe: string;
  metrics: string | null;
  start: string;
  /** Why it stands where it stands, in a sentence or two. */
  reason: string;
  source: string;
};

/** Engines by how sure it is that they work. Facts as published in autumn 2026; see each source. */
export const engines: readonly Engine[] = [
  {
    id: "vllm",
    name: "vLLM",
    support: "tested",
    deployable: "vllm",
    image: { repository: "vllm/vllm-openai", tag: "v0.30.0" },
    port: 8000,
    probe: "/health",
    metrics: "/metrics",
    start: "vllm serve MODEL",
    reason: "The only server that LightOn documents and tests.",
    source: "https://github.com/lightonai/LightOnOCR",
  },
  {
    id: "sglang",
    name: "SGLang",
    support: "untested",
    deployable: "sglang",
    image: { repository: "lmsysorg/sglang", tag: "v0.5.9" },
    port: 30000,
    probe: "/health",
    metrics: "/metrics, only with --enable-metrics",
    start: "python3 -m sglang.launch_server --model-path MODEL",
    reason: "It serves the base model of the 0.8B, and LightOnOCR-2-1B is merged; LightOn has not tested LightOnOCR-3 on it. Thinking is switched off per request.",
    source: "https://docs.vultr.com/models/alibaba-qwen-35/qwen3.5-0.8b/nvidia",
  },
  {
    id: "triton",
    name: "Triton with the vLLM backend",
    support: "untested",
    deployable: null,
    image: { repository: "nvcr.io/nvidia/tritonserver", tag: "<yy.mm>-vllm-python-py3" },
    port: 8000,
    probe: "/v2/health/ready",
    metrics: "port 8002, vLLM's own only with REPORT_CUSTOM_METRICS=true",
    start: "tritonserver --model-repository=/models, with model.json and backend: \"vllm\"",
    reason: "It works only where the vLLM inside is new enough, which nobody has verified; and its generate endpoint speaks no chat completions, so the caller must apply the chat template. Lectern does not deploy it.",
    source: "https://github.com/triton-inference-server/vllm_backend",
  },
  {
    id: "ollama",
    name: "Ollama",
    support: "untested",
    deployable: null,
    image: { repository: "ollama/ollama", tag: "latest" },
    port: 11434,
    probe: "/api/version",
    metrics: null,
    start: "ollama serve, with OLLAMA_CONTEXT_LENGTH=16384 and OLLAMA_HOST=0.0.0.0",
    reason: "Only quantised copies by third parties exist; it aborts on long runs of one token, as dotted leaders make, and has no metrics. Lectern does not deploy it.",
    source: "https://ollama.com/richardyoung/lightonocr-3-0.8b",
  },
  {
    id: "llama-cpp",
    name: "llama.cpp",
    support: "untested",
    deployable: null,
    image: null,
    port: 8080,
    probe: "/health, 503 while the model loads",
    metrics: "/metrics, only with --metrics",
    start: "llama-server -hf prithivMLmods/LightOnOCR-3-0.8B-GGUF:Q4_K_M -c 16384 --host 0.0.0.0 --metrics",
    reason: "Only quantised copies by third parties exist, they need a projector file beside them, and how exact their boxes are is not known. Lectern does not deploy it.",
    source: "https://huggingface.co/prithivMLmods/LightOnOCR-3-0.8B-GGUF",
  },
  {
    id: "tgi",
    name: "Hugging Face TGI",
    support: "unable",
    deployable: null,
    image: { repository: "ghcr.io/huggingface/text-generation-inference", tag: "3.3" },
    port: 80,
    probe: "/health",
    metrics: "/metrics",
    start: "text-generation-launcher --model-id MODEL",
    reason: "It cannot serve these models: it is in maintenance and has no model class for Qwen3.5 or LightOnOCR.",
    source: "https://github.com/huggingface/text-generation-inference",
  },
];

/** The engine that a spec names. */
export function engineOf(spec: Pick<DeploymentSpec, "engine">): Engine & { image: { repository: string; tag: string } } {
  const engine = engines.find((each) => each.deployable === spec.engine);
  if (!engine?.image) throw new Error(`The catalogue has no engine "${spec.engine}".`);
  return { ...engine, image: engine.image };
}
