import "server-only";

/** How long things take on the sandbox's nodes, in milliseconds of the sandbox clock: short enough to watch. */
export const timings = {
  pullMs: 3000,
  initContainerMs: 1500,
  loadMs: 4000,
  slowLoadMs: 90_000,
  crashMs: 2000,
  jobMs: 2000,
  stopMs: 1000,
  probeReportMs: 60_000,
};
