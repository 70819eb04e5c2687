import { describe, expect, it } from "vitest";
import recorded from "./fixtures/cluster/rollout.json";
import scheduling from "./fixtures/cluster/scheduling.json";
import { rolloutOf, type RolloutSnapshot, type RolloutState } from "./rollout";
import type { LiveDeployment, LiveEvent, LivePod, LiveReplicaSet } from "./rollout-objects";

type Recorded = { atMs: number; step: string; watch: string; type: string; object: { metadata: { name: string } } };

/** The recorded life of one deployment, replayed: what a watcher holds after each event. */
function* replay(): Generator<{ step: string; snapshot: RolloutSnapshot }> {
  const held = { deployments: new Map<string, object>(), replicasets: new Map<string, object>(), pods: new Map<string, object>() };
  const events: LiveEvent[] = [];
  for (const event of recorded.events as unknown as Recorded[]) {
    if (event.watch === "events") events.push(event.object as unknown as LiveEvent);
    else {
      const kind = held[event.watch as keyof typeof held];
      if (event.type === "DELETED") kind.delete(event.object.metadata.name);
      else kind.set(event.object.metadata.name, event.object);
    }
    const all = <T>(kind: keyof typeof held) => [...held[kind].values()] as T[];
    const snapshot = {
      deployment: all<LiveDeployment>("deployments")[0] ?? null,
      replicaSets: all<LiveReplicaSet>("replicasets"),
      pods: all<LivePod>("pods"),
      events,
    };
    yield { step: event.step, snapshot };
  }
}

const collapse = <T>(values: T[]) => values.filter((value, index) => index === 0 || value !== values[index - 1]);

describe("a recorded life, event by event", () => {
  const seen = [...replay()].map(({ step, snapshot }) => ({ step, rollout: rolloutOf(snapshot), snapshot }));

  it.each<[string, RolloutState[]]>([
    ["create", ["working", "ready"]],
    ["update the image (Recreate)", ["working", "ready"]],
    ["scale to 0", ["working", "stopped"]],
    ["scale to 1", ["working", "ready"]],
    ["update that never becomes ready", ["working", "timed_out"]],
    ["rollback to the earlier template", ["working", "ready"]],
    // The recording leaves the Deployment's deletionTimestamp out; with it this would be "working" throughout.
    ["delete in the foreground", ["working", "ready", "working"]],
  ])("%s: %j without flicker", (step, states) => {
    expect(collapse(seen.filter((each) => each.step === step).map((each) => each.rollout.state))).toEqual(states);
  });

  it("is never ready while the controller has not seen the generation, or without an available pod", () => {
    for (const { rollout, snapshot } of seen.filter((each) => each.rollout.state === "ready")) {
      const { metadata, status } = snapshot.deployment ?? { metadata: { generation: 1 }, status: {} };
      expect(status?.observedGeneration).toBe(metadata.generation);
      expect(rollout.replicas).toMatchObject({ wanted: 1, updated: 1, available: 1 });
      expect(rollout.steps.every((each) => each.state === "done")).toBe(true);
    }
  });

  it("walks the steps forward while creating", () => {
    const active = seen
      .filter((each) => each.step === "create")
      .map((each) => each.rollout.steps.find((step) => step.state === "active")?.id ?? "none");
    expect(collapse(active)).toEqual(["applied", "scheduled", "node", "image", "weights", "ready", "none"]);
  });

  it("gives the cluster's own words when time is up", () => {
    const last = seen.filter((each) => each.rollout.state === "timed_out").at(-1)?.rollout;
    expect(last?.message).toBe('ReplicaSet "lightonocr-7d9898cd7b" has timed out progressing.');
    expect(last?.steps.find((step) => step.state === "failed")).toEqual({ id: "weights", state: "failed", since: "2026-11-30T17:07:38Z" });
  });
});

describe("recorded stories", () => {
  const story = (name: string) => {
    const found = scheduling.scenarios.find((each) => each.scenario === name);
    if (!found) throw new Error(`no story ${name}`);
    return rolloutOf(found as unknown as RolloutSnapshot);
  };

  it.each<[string, RolloutState, string | null]>([
    ["ready", "ready", null],
    ["recreate update", "ready", null],
    ["missing toleration", "working", "untolerated taint"],
    ["claim does not exist", "working", '"absent" not found'],
    ["quota forbids GPUs", "failed", "exceeded quota"],
    ["pod security is restricted", "failed", "violates PodSecurity"],
    ["image does not exist", "failed", "Back-off pulling image"],
    ["crash loop", "failed", "back-off 30s"],
    ["out of memory", "failed", "back-off 30s"],
    ["never ready past the progress deadline", "timed_out", "timed out progressing"],
    ["rolling update deadlock on one GPU", "working", null],
    ["service without a ready pod", "stopped", null],
  ])("%s: %s", (name, state, message) => {
    const rollout = story(name);
    expect(rollout.state).toBe(state);
    if (message !== null) expect(rollout.message).toContain(message);
  });
});

it("is working while the deployment is being deleted, however ready its pods are", () => {
  const last = [...replay()].filter((each) => each.step === "create").at(-1)?.snapshot;
  const deployment = last?.deployment;
  if (!last || !deployment) throw new Error("no recording");
  expect(rolloutOf(last).state).toBe("ready");
  const deleted = { ...deployment, metadata: { ...deployment.metadata, deletionTimestamp: "2026-11-30T17:08:06Z" } };
  expect(rolloutOf({ ...last, deployment: deleted })).toMatchObject({ state: "working", sentence: "The deployment is being deleted." });
});

it("waits for a deployment that the cluster does not show yet", () => {
  const rollout = rolloutOf({ deployment: null, replicaSets: [], pods: [], events: [] });
  expect(rollout.state).toBe("working");
  expect(rollout.steps[0]).toEqual({ id: "applied", state: "active", since: null });
});
