import "server-only";
import type { FaultName } from "../faults";
import type { KubeObject } from "../object";
import { servedModel } from "./served-model";

/** A line and when it comes, as a share of the loading time. */
type Step = { share: number; text: string };

const engine = "(EngineCore_DP0 pid=112) INFO";
const api = "(APIServer pid=1) INFO";

/** What vLLM prints while it starts; the order and wording follow its own log. */
export function startupLog(pod: KubeObject): Step[] {
  const { name, root, maxLength } = servedModel(pod);
  return [
    { share: 0.02, text: `${api} vLLM API server version 0.30.0` },
    { share: 0.04, text: `${api} non-default args: {'model': '${root}', 'served_model_name': ['${name}'], 'max_model_len': ${maxLength}}` },
    {
      share: 0.15,
      text: `${engine} Initializing a V1 LLM engine (v0.30.0) with config: model='${root}', dtype=torch.bfloat16, max_seq_len=${maxLength}`,
    },
    { share: 0.25, text: `${engine} Starting to load model ${root}...` },
    { share: 0.4, text: "Loading safetensors checkpoint shards:   0% Completed | 0/1 [00:00<?, ?it/s]" },
    { share: 0.55, text: "Loading safetensors checkpoint shards: 100% Completed | 1/1 [00:01<00:00,  1.02s/it]" },
    { share: 0.6, text: `${engine} Model loading took 1.6 GiB memory` },
    { share: 0.75, text: `${engine} torch.compile takes 8.21 s in total` },
    { share: 0.82, text: `${engine} Available KV cache memory: 17.4 GiB` },
    { share: 0.92, text: `${engine} Graph capturing finished in 15 secs, took 0.35 GiB` },
    { share: 0.97, text: `${api} Starting vLLM API server on http://0.0.0.0:8000` },
    { share: 1, text: `${api}     Application startup complete.` },
  ];
}

/** How a start ends that fails: the last lines, the exit code and the reason that the node reports. */
export type Crash = { lines: string[]; exitCode: number; reason: "Error" | "OOMKilled" };

const crashes: Partial<Record<FaultName, Crash>> = {
  "crash-loop": {
    exitCode: 1,
    reason: "Error",
    lines: [
      "Traceback (most recent call last):",
      "ValueError: Model architectures ['LightOnOCR3ForConditionalGeneration'] are not supported for now.",
    ],
  },
  "out-of-memory": {
    exitCode: 137,
    reason: "OOMKilled",
    lines: ["Loading safetensors checkpoint shards:   0% Completed | 0/1 [00:00<?, ?it/s]"],
  },
  "gpu-out-of-memory": {
    exitCode: 1,
    reason: "Error",
    lines: [
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 22.05 GiB of which 812.00 MiB is free.",
      "RuntimeError: Engine core initialization failed. See root cause above.",
    ],
  },
  "driver-too-old": {
    exitCode: 1,
    reason: "Error",
    lines: [
      "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 803: system has unsupported display driver / cuda driver combination",
    ],
  },
};

export function crashOf(fault: FaultName | undefined): Crash | undefined {
  return fault === undefined ? undefined : crashes[fault];
}

/** vLLM reads VLLM_PORT, which a Service called `vllm` puts into the environment of every pod beside it. */
export const portCrash: Crash = {
  exitCode: 1,
  reason: "Error",
  lines: ["ValueError: VLLM_PORT 'tcp://10.96.0.12:8000' appears to be a URI. This may be caused by a Kubernetes service discovery issue"],
};
