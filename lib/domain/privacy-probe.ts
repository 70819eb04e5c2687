import type { Verdict } from "./privacy";

/** What a probe's pod said at its end. `reached`: the connection stood. */
export type ProbeEnd = { kind: "reached" } | { kind: "blocked"; how: "timed out" | "was refused" } | { kind: "unknown"; why: string };
export type ProbeVerdict = { verdict: Verdict; sentence: string };

/** The made-for-it image of Kubernetes' own network policy tests: `connect` ends with 0 when it gets through, and names what stopped it. */
export const PROBE_IMAGE = "registry.k8s.io/e2e-test-images/agnhost:2.53";

type Terminated = { exitCode?: number; message?: string; reason?: string };

export function probeEnd(terminated: Terminated | undefined, waiting: string | undefined): ProbeEnd {
  if (!terminated) return { kind: "unknown", why: waiting ? `its container could not start (${waiting})` : "it did not end within a minute" };
  const said = terminated.message ?? "";
  if (terminated.exitCode === 0 && said.includes("REACHED")) return { kind: "reached" };
  if (said.includes("TIMEOUT")) return { kind: "blocked", how: "timed out" };
  if (said.includes("REFUSED")) return { kind: "blocked", how: "was refused" };
  return { kind: "unknown", why: `it ended with code ${terminated.exitCode ?? "?"}` };
}

export function probeVerdict(end: ProbeEnd, namespace: string): ProbeVerdict {
  if (end.kind === "reached") return { verdict: "broken", sentence: `A pod of the namespace ${namespace}, which is not among its callers, reached the engine: the cluster's network does not enforce policies. Install a network plugin that does, such as Cilium or Calico.` };
  if (end.kind === "blocked") return { verdict: "proved", sentence: `A pod of the namespace ${namespace}, which is not among its callers, tried to connect, and the connection ${end.how}.` };
  return { verdict: "not_proved", sentence: `A pod was sent to try from the namespace ${namespace}, but ${end.why}: nothing is known.` };
}
