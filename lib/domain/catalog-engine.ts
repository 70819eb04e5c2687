import { z } from "zod";

/** Engines that Lectern writes manifests for. */
export const EngineId = z.enum(["vllm", "sglang", "triton", "ollama", "llama-cpp"]);
export type EngineId = z.infer<typeof EngineId>;

/** A server that might serve the models. `support` is what is known of LightOnOCR-3 on it; `deployable` is what Lectern can write manifests for. */
export type Engine = {
  id: string;
  name: string;
  support: "tested" | "untested" | "unable";
  deployable: EngineId | null;
  image: { repository: string; tag: string } | null;
  /** The port that the engine listens on in Lectern's manifests; the Service stays at 8000. */
  port: number;
  probe: string;
  metrics: string | null;
  /** Where its metrics are scraped, and the gauges that count waiting and running pages; null where it has none. */
  metricsPath: string | null;
  queue: { waiting: string; running: string } | null;
  /** Quantised copies by model, where the engine cannot read the published weights; null where it can. */
  copies: Readonly<Record<string, string>> | null;
  start: string;
  /** What it cannot do or must not be asked, one sentence each. */
  limits: readonly string[];
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
    metricsPath: "/metrics",
    queue: { waiting: "vllm:num_requests_waiting", running: "vllm:num_requests_running" },
    copies: null,
    limits: ["The API key covers only /v1: the network policy is the boundary.", "Without admission caps its queue is unbounded."],
    reason: "The only server that LightOn documents and tests.",
    source: "https://github.com/lightonai/LightOnOCR",
  },
  {
    id: "sglang",
    name: "SGLang",
    support: "untested",
    deployable: "sglang",
    image: { repository: "lmsysorg/sglang", tag: "v0.5.9" },
    port: 8000,
    probe: "/health",
    metrics: "/metrics, only with --enable-metrics",
    start: "python3 -m sglang.launch_server --model-path MODEL",
    metricsPath: "/metrics",
    queue: { waiting: "sglang:num_queue_reqs", running: "sglang:num_running_reqs" },
    copies: null,
    limits: ["Thinking cannot be switched off at the server."],
    reason: "It serves the base model of the 0.8B, and LightOnOCR-2-1B is merged; LightOn has not tested LightOnOCR-3 on it. Thinking is switched off per request.",
    source: "https://docs.vultr.com/models/alibaba-qwen-35/qwen3.5-0.8b/nvidia",
  },
  {
    id: "triton",
    name: "Triton with the vLLM backend",
    support: "untested",
    deployable: "triton",
    image: { repository: "nvcr.io/nvidia/tritonserver", tag: "26.07-vllm-python-py3" },
    port: 8000,
    probe: "/v2/health/ready",
    metrics: "port 8002, vLLM's own only with REPORT_CUSTOM_METRICS=true",
    start: "tritonserver --model-repository=/repository, with model.json and backend: \"vllm\"",
    metricsPath: "/metrics",
    queue: { waiting: "vllm:num_requests_waiting", running: "vllm:num_requests_running" },
    copies: null,
    limits: ["Its generate endpoint takes text_input and a base64 image: the caller applies the chat template.", "Pages cannot be read through the portal, which speaks chat completions."],
    reason: "It works only where the vLLM inside is new enough, which nobody has verified; and its generate endpoint speaks no chat completions, so the caller must apply the chat template, and the portal cannot read through it.",
    source: "https://github.com/triton-inference-server/vllm_backend",
  },
  {
    id: "ollama",
    name: "Ollama",
    support: "untested",
    deployable: "ollama",
    image: { repository: "ollama/ollama", tag: "0.24.0" },
    port: 11434,
    probe: "/api/version",
    metrics: null,
    start: "ollama serve, with OLLAMA_CONTEXT_LENGTH=16384 and OLLAMA_HOST=0.0.0.0",
    metricsPath: null,
    queue: null,
    copies: { "lightonocr-3-0.8b": "richardyoung/lightonocr-3-0.8b" },
    limits: ["Reads one page at a time; from 512 waiting ones on it answers 503.", "Its context is 4,096 tokens on small cards unless it is set.", "Without metrics nothing can scale by its queue, and the portal cannot see traffic past itself."],
    reason: "Only quantised copies by third parties exist; it aborts on long runs of one token, as dotted leaders make, and has no metrics.",
    source: "https://ollama.com/richardyoung/lightonocr-3-0.8b",
  },
  {
    id: "llama-cpp",
    name: "llama.cpp",
    support: "untested",
    deployable: "llama-cpp",
    image: { repository: "ghcr.io/ggml-org/llama.cpp", tag: "server-cuda-b11206" },
    port: 8080,
    probe: "/health, 503 while the model loads",
    metrics: "/metrics, only with --metrics",
    start: "llama-server -hf prithivMLmods/LightOnOCR-3-0.8B-GGUF:Q4_K_M -c 16384 --host 0.0.0.0 --metrics",
    metricsPath: "/metrics",
    queue: { waiting: "llamacpp:requests_deferred", running: "llamacpp:requests_processing" },
    copies: { "lightonocr-3-0.8b": "prithivMLmods/LightOnOCR-3-0.8B-GGUF:Q4_K_M", "lightonocr-3-4b": "prithivMLmods/LightOnOCR-3-4B-GGUF:Q4_K_M" },
    limits: ["Needs the projector file beside the weights; the hub download brings it.", "It has no way to download without serving."],
    reason: "Only quantised copies by third parties exist, they need a projector file beside them, and how exact their boxes are is not known.",
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
    metricsPath: "/metrics",
    queue: null,
    copies: null,
    limits: [],
    reason: "It cannot serve these models: it is in maintenance and has no model class for Qwen3.5 or LightOnOCR.",
    source: "https://github.com/huggingface/text-generation-inference",
  },
];

/** The engine that a spec names. */
export function engineOf(spec: { engine: EngineId }): Engine & { image: { repository: string; tag: string } } {
  const engine = engines.find((each) => each.deployable === spec.engine);
  if (!engine?.image) throw new Error(`The catalogue has no engine "${spec.engine}".`);
  return { ...engine, image: engine.image };
}
