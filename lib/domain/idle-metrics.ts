/** What an engine says of its work in one reading, summed over its labels. */
export type EngineReading = { requests: number; running: number; waiting: number };

/** Names as vLLM's V1 engine exports them (vllm/v1/metrics/loggers.py); every finished request counts, whatever its reason. */
const FAMILIES: Record<keyof EngineReading, string> = { requests: "vllm:request_success_total", running: "vllm:num_requests_running", waiting: "vllm:num_requests_waiting" };

/** Reads Prometheus text; null when the counter of requests is not in it, as the text is then not an engine's. */
export function readingOf(text: string): EngineReading | null {
  const sums = new Map<string, number>();
  for (const line of text.split("\n")) {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{.*\})?\s+(\S+)/.exec(line);
    const value = Number(match?.[2]);
    if (match?.[1] && Number.isFinite(value)) sums.set(match[1], (sums.get(match[1]) ?? 0) + value);
  }
  const requests = sums.get(FAMILIES.requests);
  if (requests === undefined) return null;
  return { requests, running: sums.get(FAMILIES.running) ?? 0, waiting: sums.get(FAMILIES.waiting) ?? 0 };
}
