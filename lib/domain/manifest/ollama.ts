import { engineOf } from "../catalog-engine";
import type { Rendering } from "./context";
import type { EngineProcess } from "./engine-process";
import { modelsPath } from "./vllm";

const port = 11434;

/** Ollama with a quantised copy, under the name that every engine answers to. Source: https://ollama.com/richardyoung/lightonocr-3-0.8b and Ollama's FAQ for the variables. */
export function ollama(rendering: Rendering): EngineProcess {
  const { spec, model } = rendering;
  const context = Math.min(spec.maxModelLen ?? 16384, model.contextTokens);
  const values: Record<string, string> = {
    OLLAMA_HOST: `0.0.0.0:${port}`,
    OLLAMA_MODELS: `${modelsPath}/ollama`,
    OLLAMA_CONTEXT_LENGTH: String(context),
    OLLAMA_NUM_PARALLEL: "1",
    OLLAMA_MAX_QUEUE: "512",
    OLLAMA_KEEP_ALIVE: "-1",
    HOME: "/tmp",
  };
  return {
    command: ["ollama", "serve"],
    args: [],
    env: Object.entries(values).map(([name, value]) => ({ name, value })),
    port,
    probes: { startup: "/api/version", readiness: "/api/version", liveness: "/api/version" },
    fetch: pull(engineOf(spec).copies?.[model.id] ?? "", model.hfId),
  };
}

/** Its pull needs a running server; the copy then also carries the published name. What is there already is not fetched again. */
function pull(copy: string, name: string): string[] {
  const script = 'ollama serve & server=$!; until ollama list >/dev/null 2>&1; do sleep 1; done; ollama show "$2" >/dev/null 2>&1 || { ollama pull "$1" && ollama cp "$1" "$2"; }; outcome=$?; kill "$server"; exit "$outcome"';
  return ["/bin/sh", "-c", script, "pull", copy, name];
}
