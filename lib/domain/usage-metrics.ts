/** Requests that a model server says it has answered to the end; those that were aborted did no page. Null when it does not tell. */
export function successesIn(text: string): bigint | null {
  let total: bigint | null = null;
  for (const line of text.split("\n")) {
    const match = /^vllm:request_success_total(?:\{([^}]*)\})?\s+([0-9.eE+]+)/.exec(line);
    if (!match) continue;
    const isAbort = /finished_reason="abort"/.test(match[1] ?? "");
    const value = Number(match[2]);
    if (Number.isFinite(value)) total = (total ?? 0n) + (isAbort ? 0n : BigInt(Math.round(value)));
  }
  return total;
}

/** What a counter has gone up by since it was last read: from zero again when it was reset, all of it when it was never read. */
export function counterGain(before: bigint | null, now: bigint): bigint {
  if (before === null || now < before) return now;
  return now - before;
}
