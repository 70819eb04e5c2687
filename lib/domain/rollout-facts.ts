import { z } from "zod";

/** What vLLM itself logged at start: it replaces the estimates of the fit. Sizes in GiB, times in seconds; null where no line said so. */
export const EngineFacts = z.object({
  weightsGib: z.number().nullable(),
  kvGib: z.number().nullable(),
  kvTokens: z.number().nullable(),
  /** Requests of the longest allowed length that fit at once. */
  concurrency: z.number().nullable(),
  graphsGib: z.number().nullable(),
});
export type EngineFacts = z.infer<typeof EngineFacts>;

/** The facts in a start-up log, or null when it holds none. Wording as of vLLM 0.30 (gpu_model_runner, kv_cache_utils). */
export function engineFacts(log: string): EngineFacts | null {
  const number = (pattern: RegExp) => {
    const text = pattern.exec(log)?.[1];
    return text === undefined ? null : Number(text.replaceAll(",", ""));
  };
  const facts = {
    weightsGib: number(/Model loading took ([\d.]+) GiB/),
    kvGib: number(/Available KV cache memory: ([\d.]+) GiB/),
    kvTokens: number(/GPU KV cache size: ([\d,]+) tokens/),
    concurrency: number(/Maximum concurrency for [\d,]+ tokens per request: ([\d.]+)x/),
    graphsGib: number(/Graph capturing finished in [\d.]+ secs?, took ([\d.]+) GiB/),
  };
  return Object.values(facts).every((value) => value === null) ? null : facts;
}
