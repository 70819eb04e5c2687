import "server-only";
import { MODEL_NAME, type FinishReason, type Usage } from "./envelope";
import type { Load } from "./pool";

export type Outcome = FinishReason | "abort" | "error";

export type Metrics = {
  count(outcome: Outcome, usage?: Usage): void;
  /** Prometheus text format, with vLLM's names and labels, so that the same scrape reads both. */
  text(load: Load): string;
};

export function createMetrics(): Metrics {
  const outcomes: Record<Outcome, number> = { stop: 0, length: 0, abort: 0, error: 0 };
  let promptTokens = 0;
  let generationTokens = 0;
  return {
    count(outcome, usage) {
      outcomes[outcome] += 1;
      promptTokens += usage?.prompt_tokens ?? 0;
      generationTokens += usage?.completion_tokens ?? 0;
    },
    text({ running, waiting }) {
      const labels = `engine="0",model_name="${MODEL_NAME}"`;
      const finished = Object.entries(outcomes).map(([reason, value]): [string, number] => [
        `${labels},finished_reason="${reason}"`,
        value,
      ]);
      return [
        family("vllm:num_requests_running", "gauge", [[labels, running]]),
        family("vllm:num_requests_waiting", "gauge", [[labels, waiting]]),
        family("vllm:prompt_tokens_total", "counter", [[labels, promptTokens]]),
        family("vllm:generation_tokens_total", "counter", [[labels, generationTokens]]),
        family("vllm:request_success_total", "counter", finished),
      ].join("");
    },
  };
}

function family(name: string, type: "gauge" | "counter", samples: [string, number][]): string {
  return `# TYPE ${name} ${type}\n${samples.map(([labels, value]) => `${name}{${labels}} ${value}\n`).join("")}`;
}
