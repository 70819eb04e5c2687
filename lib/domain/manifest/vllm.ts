import { hasBfloat16 } from "../catalog-gpu";
import { gpuMemoryUtilization } from "../fit-vram";
import type { Rendering } from "./context";

/** The port on which vLLM listens in the pod. */
export const enginePort = 8000;
/** Where the weights volume is mounted. */
export const modelsPath = "/models";
/** Seconds that vLLM may finish running pages in after SIGTERM; its default is to abort them. */
export const shutdownTimeoutSeconds = 45;

const packagesPath = `${modelsPath}/python`;

/** Arguments of `vllm serve`, as LightOn's README gives them for each model (vLLM 0.30.0), plus revision, drain and privacy. */
export function vllmArgs({ spec, model, sku }: Rendering): string[] {
  return [
    model.hfId,
    `--revision=${model.revision}`,
    "--host=0.0.0.0",
    `--port=${enginePort}`,
    '--limit-mm-per-prompt={"image": 1}',
    `--max-model-len=${spec.maxModelLen ?? model.maxModelLen}`,
    ...(model.thinkingSwitch ? ['--default-chat-template-kwargs={"enable_thinking": false}'] : []),
    "--mm-processor-cache-gb=0",
    "--no-enable-prefix-caching",
    `--gpu-memory-utilization=${gpuMemoryUtilization}`,
    ...(hasBfloat16(sku.gpu) ? [] : ["--dtype=half"]),
    `--shutdown-timeout=${shutdownTimeoutSeconds}`,
    // A reserved name that never resolves: pages travel inline, and the server fetches no address from a request.
    "--allowed-media-domains=media.invalid",
    "--disable-access-log-for-endpoints=/health,/metrics",
  ];
}

/** Environment variables: caches on the volume, telemetry off, offline when the weights are there. */
export function vllmEnvironment({ spec, model }: Rendering): { name: string; value: string }[] {
  const values: Record<string, string> = {
    HF_HOME: `${modelsPath}/huggingface`,
    VLLM_CACHE_ROOT: `${modelsPath}/vllm`,
    TRITON_CACHE_DIR: `${modelsPath}/triton`,
    TORCHINDUCTOR_CACHE_DIR: `${modelsPath}/inductor`,
    XDG_CACHE_HOME: `${modelsPath}/cache`,
    HOME: "/tmp",
    USER: "vllm",
    VLLM_NO_USAGE_STATS: "1",
    DO_NOT_TRACK: "1",
    HF_HUB_DISABLE_TELEMETRY: "1",
    VLLM_MEDIA_URL_ALLOW_REDIRECTS: "0",
    ...(spec.offline || spec.prefetch ? { HF_HUB_OFFLINE: "1" } : {}),
    ...(spec.engine === "vllm" && model.image.pythonPackages.length > 0 ? { PYTHONPATH: packagesFolder(model.image.pythonPackages) } : {}),
  };
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/**
 * Command that puts the packages the stock image lacks on the volume, once. `pip --target` is not atomic, so it writes beside
 * the folder and renames; without network the next start still finds what the first one left.
 */
export function packageInstall(packages: readonly string[]): string[] {
  const script =
    'test -d "$1" && exit 0; folder="$1"; shift; rm -rf "$folder.part" && python3 -m pip install --no-cache-dir --no-deps --target "$folder.part" "$@" && mv "$folder.part" "$folder"';
  return ["/bin/sh", "-c", script, "install", packagesFolder(packages), ...packages];
}

function packagesFolder(packages: readonly string[]): string {
  return `${packagesPath}/${packages.join("_").replaceAll("==", "-")}`;
}
