import { catalogAdditions } from "../catalog-added";
import type { EngineId } from "../catalog-engine";
import { engineOf } from "../catalog-engine";
import { imageReference } from "../catalog-model";
import type { Rendering } from "./context";
import type { Json } from "./kube-object";
import { llamaCpp } from "./llama-cpp";
import { ollama } from "./ollama";
import { sglangArgs } from "./sglang";
import { triton } from "./triton";
import { enginePort, vllmArgs, vllmEnvironment } from "./vllm";

export type EnvVar = { name: string; value: string };

/** What runs in the engine's container, and how it is asked whether it is well. */
export type EngineProcess = {
  command: string[];
  args: string[];
  env: EnvVar[];
  port: number;
  /** Paths on that port. */
  probes: { startup: string; readiness: string; liveness: string };
  /** Where metrics are when not at /metrics of the engine's own port. */
  metricsPort?: number;
  /** A command that puts the weights on the volume before the engine starts; null where the engine does it itself. */
  fetch: string[] | null;
  /** Files of a ConfigMap and where they are mounted. */
  files?: { name: string; path: string; text: string }[];
};

const oneProbe = (path: string) => ({ startup: path, readiness: path, liveness: path });

const processes: Record<EngineId, (rendering: Rendering) => EngineProcess> = {
  vllm: (rendering) => ({ command: ["vllm", "serve"], args: vllmArgs(rendering), env: vllmEnvironment(rendering), port: enginePort, probes: oneProbe("/health"), fetch: hubDownload(rendering) }),
  sglang: (rendering) => ({
    command: ["python3", "-m", "sglang.launch_server"],
    args: sglangArgs(rendering),
    env: vllmEnvironment(rendering),
    port: enginePort,
    probes: oneProbe("/health"),
    fetch: hubDownload(rendering),
  }),
  triton: (rendering) => ({ ...triton(rendering), fetch: hubDownload(rendering) }),
  ollama,
  "llama-cpp": llamaCpp,
};

/** The process of the engine that the spec names. */
export function engineProcess(rendering: Rendering): EngineProcess {
  return processes[rendering.spec.engine](rendering);
}

/** The image that runs: the catalogue's release, or the one that the spec names. */
export function engineImage({ spec, model }: Rendering): string {
  const { repository, tag } = spec.engine === "vllm" ? model.image : engineOf(spec).image;
  const chosen = spec.imageTag ?? installedTag(spec.engine);
  if (chosen !== undefined) return `${repository}:${chosen}`;
  return spec.engine === "vllm" ? imageReference(model.image) : `${repository}:${tag}`;
}

/** The release that an administrator has chosen for this installation. */
function installedTag(engine: EngineId): string | undefined {
  return catalogAdditions().images.find((image) => image.engine === engine)?.tag;
}

/** The release as a label's value. */
export function engineVersion({ spec, model }: Rendering): string {
  const tag = spec.imageTag ?? installedTag(spec.engine) ?? (spec.engine === "vllm" ? model.image.tag : engineOf(spec).image.tag);
  return (tag.split("@")[0] ?? "").slice(0, 63).replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "");
}

/** Downloads exactly the pinned commit; a second time it finds everything there. */
function hubDownload({ model }: Rendering): string[] {
  return ["python3", "-c", "import sys; from huggingface_hub import snapshot_download; snapshot_download(sys.argv[1], revision=sys.argv[2])", model.hfId, model.revision];
}

export function configMapVolume(name: string, files: NonNullable<EngineProcess["files"]>): Json {
  return { name: "repository", configMap: { name, items: files.map((file) => ({ key: file.name, path: file.name })) } };
}
