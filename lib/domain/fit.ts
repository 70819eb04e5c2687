import type { Sku } from "./catalog";
import { hasBfloat16 } from "./catalog-gpu";
import type { Model } from "./catalog-model";
import { findTrap, type SkuTrap } from "./catalog-trap";
import { proposeRequests, type RequestProposal } from "./fit-node";
import { vramBudget, type VramBudget } from "./fit-vram";

export type FitReason = { level: "blocker" | "warning"; text: string };

/** `allocatable` is what a live node reports, when there is one: it then replaces the table. */
export type FitOptions = {
  maxModelLen?: number;
  pagesAtOnce?: number;
  spot?: boolean;
  allocatable?: { cpuMillis: number; memoryMib: number };
};

export type Fit = { ok: boolean; reasons: FitReason[]; vram: VramBudget; requests: RequestProposal };

/**
 * Whether a model runs on a GPU size, why not, and what it would use: GPU memory in MiB, CPU in millicores, RAM in MiB.
 * All memory figures are estimates from published sizes until vLLM has logged its own.
 */
export function fits(model: Model, sku: Sku, options: FitOptions = {}): Fit {
  const maxModelLen = options.maxModelLen ?? model.maxModelLen;
  const vram = vramBudget(model, sku, { maxModelLen, pagesAtOnce: options.pagesAtOnce ?? 8 });
  const requests = proposeRequests(sku, options.allocatable);
  const reasons = [
    ...trapReasons(sku),
    ...precisionReasons(model, sku),
    ...contextReasons(model, maxModelLen),
    ...memoryReasons(model, vram),
    ...nodeReasons(sku, requests),
  ];
  if (options.spot && sku.placement.spotTolerations.length === 0 && sku.cloud !== "aws") {
    reasons.push({ level: "warning", text: "No spot GPU is known for this size: the pod runs on ordinary nodes at the ordinary price." });
  }
  return { ok: reasons.every((reason) => reason.level !== "blocker"), reasons, vram, requests };
}

/** A refused size in words, with what to take instead. */
export function trapText(trap: SkuTrap): string {
  return trap.instead === null ? trap.reason : `${trap.reason} Choose ${trap.instead} instead.`;
}

function trapReasons(sku: Sku): FitReason[] {
  const trap = sku.instanceType === null ? undefined : findTrap(sku.cloud, sku.instanceType);
  const reasons: FitReason[] = trap ? [{ level: "blocker", text: trapText(trap) }] : [];
  if (sku.gpuCount > 1) {
    reasons.push({
      level: "warning",
      text: `This size has ${sku.gpuCount} GPUs and the model uses one: ${sku.gpuCount - 1} stay idle and are paid.`,
    });
  }
  return reasons;
}

function precisionReasons(model: Model, sku: Sku): FitReason[] {
  if (sku.gpu.computeCapability < 7)
    return [{ level: "blocker", text: `${sku.gpu.name} has compute capability ${sku.gpu.computeCapability}; vLLM needs 7.0.` }];
  if (hasBfloat16(sku.gpu)) return [];
  if (model.float16 === "refused") {
    return [
      {
        level: "blocker",
        text: `${sku.gpu.name} has no bf16, and ${model.name} is only offered on cards that have it: choose an L4 or larger.`,
      },
    ];
  }
  return [
    { level: "warning", text: `${sku.gpu.name} has no bf16: the model runs with --dtype half, and its quality there is unverified.` },
  ];
}

function contextReasons(model: Model, maxModelLen: number): FitReason[] {
  const page = model.pageTokens.image + model.pageTokens.output;
  if (maxModelLen > model.contextTokens) {
    return [{ level: "blocker", text: `${model.name} knows ${model.contextTokens} tokens of context; ${maxModelLen} were asked for.` }];
  }
  if (maxModelLen < page * 2)
    return [
      { level: "warning", text: `A dense page can need more than ${maxModelLen} tokens and would be cut: keep ${model.maxModelLen}.` },
    ];
  return [];
}

function memoryReasons(model: Model, vram: VramBudget): FitReason[] {
  if (vram.pagesMax < 1) {
    return [
      {
        level: "blocker",
        text: `${model.name} needs about ${vram.sumMib} MiB of GPU memory for ${vram.pagesAtOnce} pages; ${vram.usableMib} MiB are usable.`,
      },
    ];
  }
  if (vram.longestSequenceMib > vram.kvRoomMib) {
    return [
      {
        level: "blocker",
        text: "The KV cache cannot hold one request of the maximum length, and vLLM would refuse to start: lower the maximum length.",
      },
    ];
  }
  if (vram.pagesMax < vram.pagesAtOnce)
    return [{ level: "warning", text: `About ${vram.pagesMax} pages run at once; more wait in the queue.` }];
  return [];
}

function nodeReasons(sku: Sku, requests: RequestProposal): FitReason[] {
  if (!requests.fits) {
    return [
      {
        level: "blocker",
        text: `The node leaves about ${requests.availableMemoryMib} MiB and ${requests.availableCpuMillis}m CPU to the pod; vLLM needs 8 GiB and 2 CPU.`,
      },
    ];
  }
  if (sku.allocatable === null && requests.basis === "default") {
    return [
      {
        level: "warning",
        text: "CPU and memory of your own node are not known here: compare the request with status.allocatable of the node.",
      },
    ];
  }
  return [];
}
