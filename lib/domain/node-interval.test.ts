import { describe, expect, it } from "vitest";
import { endFromEvents, endOfHold, holdOf, instanceOfPodName, lostHolds, purchaseOf, shareOf } from "./node-interval";
import type { LiveEvent, LivePod } from "./rollout-objects";

const at = (clock: string) => new Date(`2026-11-10T${clock}Z`);
const event = (uid: string, reason: string, clock: string, message = ""): LiveEvent => ({ involvedObject: { kind: "Pod", name: "ocr-7d9f-x2x", uid }, reason, message, lastTimestamp: `2026-11-10T${clock}Z` });
const pod = (changes: Partial<LivePod["status"]> = {}, spec: Partial<LivePod["spec"]> = {}): LivePod => ({
  metadata: { name: "ocr-7d9f-x2x", uid: "u1", creationTimestamp: "2026-11-10T08:00:00Z", labels: { "app.kubernetes.io/instance": "ocr" } },
  spec: { nodeName: "n1", containers: [{ name: "vllm", resources: { limits: { "nvidia.com/gpu": "2" } } }], ...spec },
  status: { phase: "Running", conditions: [{ type: "PodScheduled", status: "True", lastTransitionTime: "2026-11-10T08:00:07Z" }], ...changes },
});
const end = { podUid: "u1", startedAt: at("08:00:07"), lastSeenAt: at("09:00:00"), now: at("12:00:00") };

describe("what a pod holds", () => {
  it("counts from the placement, in the cluster's own time", () => expect(holdOf(pod())).toMatchObject({ node: "n1", instance: "ocr", gpus: 2, startedAt: at("08:00:07") }));
  it.each([
    ["no node yet", pod({}, { nodeName: undefined as never })],
    ["ended", pod({ phase: "Failed" })],
    ["not of a deployment", { ...pod(), metadata: { name: "x", uid: "u1" } }],
  ])("holds nothing: %s", (_name, one) => expect(holdOf(one)).toBeNull());
  it.each([
    [1, 8, 0.125],
    [8, 8, 1],
    [0, 8, 1],
    [1, null, 1],
    [4, 1, 1],
  ])("%d of %s GPUs is a share of %d", (gpus, all, share) => expect(shareOf(gpus, all)).toBe(share));
});

describe("the end of a pod that is gone", () => {
  const killed = [event("u1", "Started", "08:00:20"), event("u1", "Killing", "10:15:42"), event("u2", "Killing", "11:00:00")];
  it("is now when it was watched", () => expect(endOfHold({ ...end, wasWatched: true, events: [] })).toEqual({ at: at("12:00:00"), source: "observed" }));
  it("is told by the cluster's events after an outage, to the second", () => expect(endOfHold({ ...end, wasWatched: false, events: killed })).toEqual({ at: at("10:15:42"), source: "event" }));
  it("is inferred where it was last seen when nobody tells, and says so", () => expect(endOfHold({ ...end, wasWatched: false, events: [] })).toEqual({ at: at("09:00:00"), source: "inferred" }));
  it("never lies before its start, whatever a clock says", () => expect(endOfHold({ ...end, now: at("07:00:00"), wasWatched: true, events: [] }).at).toEqual(at("08:00:07")));
  it("is not a restart within the pod", () => expect(endFromEvents("u1", [...killed, event("u1", "Started", "10:15:50")])).toBeNull());
});

describe("pods that came and went while nobody looked", () => {
  const events = [event("u3", "Scheduled", "10:00:00", "Successfully assigned lectern-a/ocr-7d9f-x2x to n2"), event("u3", "Killing", "10:30:00"), event("u1", "Scheduled", "08:00:07", "Successfully assigned lectern-a/ocr-7d9f-x2x to n1")];
  it("are read back from the events", () =>
    expect(lostHolds(events, new Set(["u1"]))).toEqual([{ podUid: "u3", podName: "ocr-7d9f-x2x", node: "n2", startedAt: at("10:00:00"), end: { at: at("10:30:00"), source: "event" } }]));
  it("belong to the deployment that their name says", () => {
    expect(instanceOfPodName("ocr-big-7d9f-x2x", ["ocr", "ocr-big"])).toBe("ocr-big");
    expect(instanceOfPodName("other-7d9f-x2x", ["ocr"])).toBeUndefined();
  });
});

describe("how a node is bought", () => {
  it.each([
    [{ "karpenter.sh/capacity-type": "spot", "topology.kubernetes.io/region": "eu-north-1" }, "spot"],
    [{ "karpenter.sh/capacity-type": "on-demand" }, "on_demand"],
    [{ "cloud.google.com/gke-spot": "true" }, "spot"],
    [{ "kubernetes.azure.com/scalesetpriority": "spot" }, "spot"],
    [{ "lectern.dev/purchase": "commit_1y" }, "commit_1y"],
    [{}, "on_demand"],
  ])("%j is %s", (labels, mode) => expect(purchaseOf({ metadata: { name: "n1", labels } }).mode).toBe(mode));
});
