/** The value below which a share of the times lies. */
export function percentile(times: number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
}

/** Milliseconds of each run, after three that warm up. */
export async function timed(runs: number, run: () => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < runs + 3; at += 1) {
    const start = performance.now();
    await run();
    if (at >= 3) times.push(performance.now() - start);
  }
  return times;
}

export function line(what: string, value: string, ratio: number): void {
  console.log(`${what.padEnd(64)} ${value.padStart(22)}   ratio ${ratio.toFixed(2)}`);
}
