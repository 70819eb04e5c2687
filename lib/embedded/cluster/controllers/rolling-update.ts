import "server-only";
import { numberAt, textAt } from "../json";
import type { KubeObject } from "../object";
import { limitsOf, sumOf } from "./deployment-status";

export type Sizing = { deployment: KubeObject; newSet: KubeObject | undefined; old: KubeObject[] };

/** One step of a rollout: the new size of the new set (first; without a set yet, its size at birth) and of old sets. */
export function nextSizes<T extends Sizing>(sizing: T): { set: KubeObject; replicas: number }[] {
  const { deployment, newSet, old } = sizing;
  const wanted = numberAt(deployment, "spec", "replicas") ?? 1;
  const isRolling = textAt(deployment, "spec", "strategy", "type") === "RollingUpdate";
  const first = { set: newSet ?? deployment, replicas: isRolling ? sizeOfNew(sizing, wanted) : wanted };
  return isRolling && newSet ? [first, ...sizesOfOld({ ...sizing, newSet, old }, wanted)] : [first];
}

function sizeOfNew({ deployment, newSet, old }: Sizing, wanted: number): number {
  const current = numberAt(newSet, "spec", "replicas") ?? 0;
  if (current >= wanted) return wanted;
  const total = sumOf(old, "spec", "replicas") + current;
  const room = wanted + limitsOf(deployment).maxSurge - total;
  return room <= 0 ? current : Math.min(wanted, current + room);
}

function sizesOfOld({ deployment, newSet, old }: Sizing & { newSet: KubeObject }, wanted: number): { set: KubeObject; replicas: number }[] {
  const size = (set: KubeObject): number => numberAt(set, "spec", "replicas") ?? 0;
  const available = (set: KubeObject): number => numberAt(set, "status", "availableReplicas") ?? 0;
  const all = [...old, newSet];
  const least = wanted - limitsOf(deployment).maxUnavailable;
  const newUnavailable = size(newSet) - available(newSet);
  let removable = all.reduce((sum, set) => sum + size(set), 0) - least - newUnavailable;
  let spare = all.reduce((sum, set) => sum + available(set), 0) - least;
  const sizes: { set: KubeObject; replicas: number }[] = [];
  for (const set of old) {
    const unhealthy = Math.min(Math.max(removable, 0), size(set) - available(set));
    removable -= unhealthy;
    const healthy = Math.min(Math.max(Math.min(removable, spare), 0), size(set) - unhealthy);
    removable -= healthy;
    spare -= healthy;
    if (unhealthy + healthy > 0) sizes.push({ set, replicas: size(set) - unhealthy - healthy });
  }
  return sizes;
}
