import "server-only";

const FIRST_SECONDS = 10;
const LONGEST_SECONDS = 300;

/** Seconds to wait before the n-th restart, as the kubelet waits. */
export function backoffSeconds(restarts: number): number {
  return Math.min(FIRST_SECONDS * 2 ** Math.max(0, restarts - 1), LONGEST_SECONDS);
}

/** A duration in Go's spelling: `40s`, `1m20s`, `5m0s`. */
export function goDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
}
