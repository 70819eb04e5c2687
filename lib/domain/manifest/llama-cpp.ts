import { engineOf } from "../catalog-engine";
import type { Rendering } from "./context";
import type { EngineProcess } from "./engine-process";
import { modelsPath } from "./vllm";

const port = 8080;

/** llama.cpp's server with a quantised copy; it fetches weights and projector itself. Source: https://github.com/ggml-org/llama.cpp (tools/server). */
export function llamaCpp({ spec, model }: Rendering): EngineProcess {
  const context = Math.min(spec.maxModelLen ?? 16384, model.contextTokens);
  return {
    command: ["/app/llama-server"],
    // Its options take no equals sign.
    args: [
      ...["-hf", engineOf(spec).copies?.[model.id] ?? ""],
      ...["--ctx-size", String(context)],
      ...["--alias", model.hfId],
      ...["--host", "0.0.0.0"],
      ...["--port", String(port)],
      ...["--n-gpu-layers", "99"],
      ...["--parallel", "1"],
      "--metrics",
      ...(spec.offline ? ["--offline"] : []),
    ],
    env: [
      { name: "LLAMA_CACHE", value: `${modelsPath}/llama` },
      { name: "HOME", value: "/tmp" },
    ],
    port,
    probes: { startup: "/health", readiness: "/health", liveness: "/health" },
    fetch: null,
  };
}
