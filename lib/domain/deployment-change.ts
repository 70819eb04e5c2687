import type { Change } from "./diff";
import type { DeploymentSpec } from "./deployment";

/** What a preview says of one object. `key` is "Kind/name". */
export type ObjectChange = { key: string; kind: string; name: string; state: "new" | "changed" | "unchanged"; changes: Change[] };

export type ChangeFacts = {
  namespace: string;
  objects: readonly ObjectChange[];
  pruned: readonly string[];
  before: DeploymentSpec | null;
  after: DeploymentSpec;
  /** How long model and GPU usually take from applied to ready, in seconds; null before the first rollout. */
  usualSeconds: number | null;
};

/** The change in words: what is made, what restarts and for how long nothing is read, what goes. */
export function describeChange(facts: ChangeFacts): string[] {
  const { objects, pruned, before, after } = facts;
  const made = objects.filter((object) => object.state === "new");
  const changed = objects.filter((object) => object.state === "changed");
  const sentences = [
    ...(made.length > 0 ? [`Creates ${listOf(made.map((object) => object.kind))} in ${facts.namespace}.`] : []),
    ...(changed.length > 0 ? [`Changes ${listOf(changed.map((object) => object.kind))}.`] : []),
    ...(pruned.length > 0 ? [`Deletes ${listOf(pruned.map((key) => key.replace("/", " ")))}.`] : []),
  ];
  if (sentences.length === 0) return ["Nothing changes in the cluster."];
  return [...sentences, ...podSentences(facts), ...(before && before.replicas !== after.replicas ? [`Pods: ${before.replicas} → ${after.replicas}.`] : [])];
}

function podSentences({ objects, after, usualSeconds }: ChangeFacts): string[] {
  const engine = objects.find((object) => object.kind === "Deployment");
  if (!engine || after.replicas === 0) return engine?.state === "changed" ? ["Its pods end; the volume stays."] : [];
  if (engine.state === "new") return usualSeconds === null ? [] : [`It usually answers after ${durationText(usualSeconds)}.`];
  if (!engine.changes.some((change) => change.path.startsWith(".spec.template."))) return ["No pod restarts."];
  const duration = usualSeconds === null ? "several minutes: image, weights and start-up" : `usually ${durationText(usualSeconds)}`;
  if (after.accessMode === "ReadWriteOnce") return [`The pod ends before the new one starts: nothing is read meanwhile (${duration}).`];
  return [`Pods restart one after the other; each is away for its start (${duration}).`];
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}

function durationText(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
