import "server-only";
import { listAt, textAt, textMap, type Json } from "../json";
import type { KubeObject } from "../object";
import { quantityValue } from "../quantity";

export type Amounts = Record<string, number>;

function requestsOf(container: Json): Amounts {
  const entries = Object.entries({ ...textMap(container, "resources", "limits"), ...textMap(container, "resources", "requests") });
  return Object.fromEntries(entries.map(([name, quantity]) => [name, quantityValue(quantity) ?? 0]));
}

/** What a pod takes from a node: the sum over its containers, or one init container when that is more. */
export function podRequests(pod: KubeObject): Amounts {
  const total: Amounts = { pods: 1 };
  for (const container of listAt(pod, "spec", "containers")) {
    for (const [name, amount] of Object.entries(requestsOf(container))) total[name] = (total[name] ?? 0) + amount;
  }
  for (const container of listAt(pod, "spec", "initContainers")) {
    for (const [name, amount] of Object.entries(requestsOf(container))) total[name] = Math.max(total[name] ?? 0, amount);
  }
  return total;
}

export function allocatableOf(node: KubeObject): Amounts {
  return Object.fromEntries(
    Object.entries(textMap(node, "status", "allocatable")).map(([name, quantity]) => [name, quantityValue(quantity) ?? 0]),
  );
}

function isRunning(pod: KubeObject): boolean {
  return !["Succeeded", "Failed"].includes(textAt(pod, "status", "phase") ?? "");
}

/** What the pods on a node have taken; a pod that is ending still holds its share. */
export function takenOn(node: KubeObject, pods: KubeObject[]): Amounts {
  const total: Amounts = {};
  for (const pod of pods) {
    if (textAt(pod, "spec", "nodeName") !== node.metadata.name || !isRunning(pod)) continue;
    for (const [name, amount] of Object.entries(podRequests(pod))) total[name] = (total[name] ?? 0) + amount;
  }
  return total;
}

export type Shortage = { name: string; isForEver: boolean };

/** Resources of which the node has too little left; `isForEver` when even the empty node has too little. */
export function shortages(pod: KubeObject, node: KubeObject, pods: KubeObject[]): Shortage[] {
  const allocatable = allocatableOf(node);
  const taken = takenOn(node, pods);
  return Object.entries(podRequests(pod))
    .filter(([name, amount]) => amount > 0 && amount > (allocatable[name] ?? 0) - (taken[name] ?? 0))
    .map(([name, amount]) => ({ name, isForEver: amount > (allocatable[name] ?? 0) }));
}
