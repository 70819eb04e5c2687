import "server-only";

/** Answers that each pod has given, by its uid: a new pod begins at zero, as a restarted server does. */
const answered = new Map<string, number>();

export function countAnswer(podUid: string): void {
  answered.set(podUid, (answered.get(podUid) ?? 0) + 1);
}

/** The part of a model server's metrics that Lectern reads, in the text form of Prometheus. */
export function podMetrics(podUid: string, modelName: string): string {
  const count = answered.get(podUid) ?? 0;
  return [
    "# HELP vllm:request_success_total Count of successfully processed requests.",
    "# TYPE vllm:request_success_total counter",
    `vllm:request_success_total{engine="0",finished_reason="stop",model_name="${modelName}"} ${count}.0`,
    `vllm:request_success_total{engine="0",finished_reason="abort",model_name="${modelName}"} 0.0`,
    "",
  ].join("\n");
}
