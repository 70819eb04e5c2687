import type { Model } from "./catalog-model";
import type { VramBudget } from "./fit-vram";
import type { EngineFacts } from "./rollout-facts";

export type MeasuredTerm = { id: "weights" | "kv" | "graphs" | "other"; label: string; mib: number };

/** What the engine itself logged about one GPU, beside the estimate and never instead of it; sizes in MiB. */
export type MeasuredBudget = { terms: MeasuredTerm[]; pagesMax: number | null; concurrency: number | null };

/**
 * The terms as logged at start: weights, room for KV, CUDA graphs; what is left of the engine's share is its encoder and activation peak.
 * Null where the log told neither weights nor KV.
 */
export function measuredBudget(model: Model, vram: VramBudget, facts: EngineFacts): MeasuredBudget | null {
  if (facts.weightsGib === null || facts.kvGib === null) return null;
  const mib = (gib: number) => Math.round(gib * 1024);
  const known: MeasuredTerm[] = [
    { id: "weights", label: "Weights", mib: mib(facts.weightsGib) },
    { id: "kv", label: "Room for pages (KV cache)", mib: mib(facts.kvGib) },
    ...(facts.graphsGib === null ? [] : [{ id: "graphs" as const, label: "CUDA graphs", mib: mib(facts.graphsGib) }]),
  ];
  const other = vram.usableMib - known.reduce((sum, term) => sum + term.mib, 0);
  const tokens = model.pageTokens.image + model.pageTokens.output;
  return {
    terms: other > 0 ? [...known, { id: "other", label: "Encoder, activations, rest", mib: other }] : known,
    pagesMax: facts.kvTokens === null ? null : Math.floor(facts.kvTokens / tokens),
    concurrency: facts.concurrency,
  };
}
