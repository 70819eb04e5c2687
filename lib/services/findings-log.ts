import "server-only";
import type { LivePod } from "@/lib/domain/rollout-objects";
import type { Kube } from "@/lib/platform/kube";

const TAIL_LINES = 200;
const START_BYTES = 256 * 1024;
const KEPT = 500;

type Crashed = { key: string; pod: string; container: string; previous: boolean };

/**
 * The ends of the logs of containers that crashed, each read once per crash and kept in memory only: a log may hold what a database must not.
 * A log that cannot be read is left out; the container's state still speaks.
 */
export function createCrashLogs(kube: Kube, namespace: string) {
  const known = new Map<string, string>();
  return async (pods: readonly LivePod[]): Promise<Record<string, string>> => {
    const logs: Record<string, string> = {};
    for (const one of pods.flatMap(crashesOf)) {
      const log = known.get(one.key) ?? (await kube.log({ namespace, name: one.pod }, { container: one.container, previous: one.previous, tailLines: TAIL_LINES }).catch(() => null));
      if (log === null) continue;
      known.set(one.key, log);
      logs[one.pod] = `${logs[one.pod] ?? ""}${log}\n`;
    }
    for (const key of [...known.keys()].slice(0, Math.max(0, known.size - KEPT))) known.delete(key);
    return logs;
  };
}

function crashesOf(pod: LivePod): Crashed[] {
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  return statuses.flatMap((status) => {
    const isDown = (status.state?.terminated?.exitCode ?? 0) !== 0;
    const hasCrashed = isDown || (status.lastState?.terminated?.exitCode ?? 0) !== 0;
    if (!hasCrashed) return [];
    const key = `${pod.metadata.uid ?? pod.metadata.name} ${status.name} ${status.restartCount ?? 0} ${isDown}`;
    return [{ key, pod: pod.metadata.name, container: status.name, previous: !isDown }];
  });
}

/** The beginning of a container's log, where the engine says what it has measured; empty when it cannot be read. */
export async function startLog(kube: Kube, pod: { namespace: string; name: string; container: string }): Promise<string> {
  return kube.log(pod, { container: pod.container, limitBytes: START_BYTES }).catch(() => "");
}
