import { hasBfloat16 } from "../catalog-gpu";
import type { Rendering } from "./context";
import { enginePort } from "./vllm";

/** Arguments of SGLang's server: the port is ours, so that the Service stays the same whichever engine answers. */
export function sglangArgs({ spec, model, sku }: Rendering): string[] {
  return [
    `--model-path=${model.hfId}`,
    `--revision=${model.revision}`,
    `--served-model-name=${model.hfId}`,
    "--host=0.0.0.0",
    `--port=${enginePort}`,
    `--context-length=${spec.maxModelLen ?? model.maxModelLen}`,
    ...(hasBfloat16(sku.gpu) ? [] : ["--dtype=half"]),
    "--enable-metrics",
  ];
}
