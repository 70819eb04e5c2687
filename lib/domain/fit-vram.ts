import type { Sku } from "./catalog";
import type { Model } from "./catalog-model";

/** Fraction of the GPU that vLLM takes; the manifest passes the same number. */
export const gpuMemoryUtilization = 0.9;

/** Encoder and activation peak plus CUDA graphs: published budgets say 1 to 2 GB. */
const overheadMib = 1536;

export type VramTerm = {
  id: "weights" | "kv" | "state" | "overhead" | "free";
  label: string;
  mib: number;
  estimated: boolean;
  explanation: string;
  source: string;
};

/** GPU memory in MiB. The terms add up to `usableMib` while the pages fit; `sumMib` leaves out what stays free. */
export type VramBudget = {
  totalMib: number;
  usableMib: number;
  utilization: number;
  terms: VramTerm[];
  sumMib: number;
  kvRoomMib: number;
  longestSequenceMib: number;
  pagesAtOnce: number;
  pagesMax: number;
};

/**
 * What a model takes of one GPU with so many pages in flight. Everything but the weights is an estimate:
 * vLLM's start-up log gives the real KV size and concurrency.
 */
export function vramBudget(model: Model, sku: Sku, load: { maxModelLen: number; pagesAtOnce: number }): VramBudget {
  const usableMib = Math.floor(sku.gpuMemoryMib * gpuMemoryUtilization);
  const weights = Math.ceil((model.weightsGb * 1e9) / 2 ** 20);
  const tokens = model.pageTokens.image + model.pageTokens.output;
  const kvPerPage = kvMib(model, tokens);
  const kv = Math.ceil(kvPerPage * load.pagesAtOnce);
  const state = Math.ceil(model.stateMibPerSequence * load.pagesAtOnce);
  const sumMib = weights + kv + state + overheadMib;
  const kvRoomMib = Math.max(0, usableMib - weights - overheadMib);
  return {
    totalMib: sku.gpuMemoryMib,
    usableMib,
    utilization: gpuMemoryUtilization,
    terms: vramTerms(model, { weights, kv, kvPerPage: Math.round(kvPerPage), state, free: Math.max(0, usableMib - sumMib) }),
    sumMib,
    kvRoomMib,
    longestSequenceMib: kvMib(model, load.maxModelLen) + model.stateMibPerSequence,
    pagesAtOnce: load.pagesAtOnce,
    pagesMax: Math.floor(kvRoomMib / (kvPerPage + model.stateMibPerSequence)),
  };
}

type VramSizes = { weights: number; kv: number; kvPerPage: number; state: number; free: number };

function vramTerms(model: Model, mib: VramSizes): VramTerm[] {
  return [
    {
      id: "weights",
      label: "Weights",
      mib: mib.weights,
      estimated: false,
      explanation: `${model.weightsGb} GB of bf16 weights, read as 10^9 bytes.`,
      source: `https://huggingface.co/${model.hfId}`,
    },
    {
      id: "kv",
      label: "KV cache",
      mib: mib.kv,
      estimated: true,
      explanation: kvExplanation(model, mib.kvPerPage),
      source: "2 × KV layers × KV heads × head size × 2 bytes, per token",
    },
    {
      id: "state",
      label: "Attention state",
      mib: mib.state,
      estimated: true,
      explanation: "Fixed linear-attention state of each page in flight, upper end of the range.",
      source: "architecture of the base model",
    },
    {
      id: "overhead",
      label: "Overhead",
      mib: overheadMib,
      estimated: true,
      explanation: "Image encoder, activation peak and CUDA graphs: 1 to 2 GB until vLLM has logged the real value.",
      source: "published vLLM budgets",
    },
    {
      id: "free",
      label: "Free for more pages",
      mib: mib.free,
      estimated: true,
      explanation: `vLLM takes ${gpuMemoryUtilization * 100} % of the card at start, whatever it needs.`,
      source: "vllm --gpu-memory-utilization",
    },
  ];
}

function kvMib(model: Model, tokens: number): number {
  return (tokens * model.kv.bytesPerToken) / 2 ** 20;
}

function kvExplanation(model: Model, perPage: number): string {
  const kib = model.kv.bytesPerToken / 1024;
  const base = `${kib} KiB per token in ${model.kv.layers} layers, about ${perPage} MiB for a typical page.`;
  return kib > 64
    ? `${base} The model is small, but every layer keeps keys and values: per token that is nine times the 0.8B and three and a half times the 4B.`
    : base;
}
