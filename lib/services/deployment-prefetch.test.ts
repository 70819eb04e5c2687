import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { useDatabase } from "@/scripts/test/database";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { carryOnWaiting } from "./deployment-apply";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsApply } from "./deployment-writes";
import { deploymentsGet } from "./deployments";
import { execute } from "./pipeline";

const database = useDatabase();
const sandbox = useSandbox(database);

let place: Place;
let deployer: Caller;
beforeAll(async () => {
  place = await sandbox.place("options");
  deployer = await sandbox.deployer(place);
});

const preview = (spec: object) => execute(deploymentsPreview, { db: database.db, caller: deployer, input: { environmentId: place.environmentId, deploymentId: randomUUID(), spec: { modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", ...spec } } });
const apply = (digest: string | null) => execute(deploymentsApply, { db: database.db, caller: deployer, input: { digest } });
const newest = async (id: string) => (await execute(deploymentsGet, { db: database.db, caller: deployer, input: { id } })).revisions[0]?.rollouts[0];

/** The Job's end as its controller writes it; its pod waits for a disk of a class that is not there. */
async function finish(deploymentId: string, condition: { type: string; message: string }): Promise<void> {
  const job = (await newest(deploymentId))?.objects.find((object) => object.kind === "Job")?.name ?? "";
  const path = `/apis/batch/v1/namespaces/${place.namespace}/jobs/${job}/status`;
  const body = JSON.stringify({ status: { conditions: [{ ...condition, status: "True" }] } });
  const answer = await sandbox.kube.send({ method: "PATCH", path, headers: { "content-type": "application/merge-patch+json" }, body });
  expect(answer.status).toBe(200);
  answer.cancel();
}

describe("weights first", () => {
  it("applies the engine only after the Job has the weights, by whoever follows the cluster, and once", async () => {
    const { digest, deploymentId, blockers } = await preview({ name: "first", prefetch: true, storageClass: "nowhere" });
    expect(blockers).toEqual([]);
    await apply(digest);
    const waiting = await newest(deploymentId);
    expect(waiting).toMatchObject({ state: "waiting", message: expect.stringContaining("is downloading the weights") });
    expect(waiting?.objects.map((object) => `${object.kind} ${object.outcome}`)).toEqual([
      "ServiceAccount created",
      "PersistentVolumeClaim created",
      "NetworkPolicy created",
      "NetworkPolicy created",
      "Job created",
      "Deployment not tried",
      "Service not tried",
    ]);
    await finish(deploymentId, { type: "Complete", message: "" });
    await Promise.all([carryOnWaiting(database.db, place.environmentId), carryOnWaiting(database.db, place.environmentId)]);
    const done = await newest(deploymentId);
    expect(done?.state).toBe("watching");
    expect(done?.objects.map((object) => object.outcome)).toEqual(Array.from({ length: 7 }, () => "created"));
  });

  it("says what to do when the download has given up, and leaves the engine out", async () => {
    const { digest, deploymentId } = await preview({ name: "second", prefetch: true, storageClass: "nowhere" });
    await apply(digest);
    await finish(deploymentId, { type: "Failed", message: "Job has reached the specified backoff limit" });
    await carryOnWaiting(database.db, place.environmentId);
    const { state, message, objects } = (await newest(deploymentId)) ?? { objects: [] };
    expect([state, message]).toEqual(["failed", expect.stringContaining("could not download the weights: Job has reached the specified backoff limit")]);
    expect(objects.find((object) => object.kind === "Deployment")?.outcome).toBe("not tried");
  });
});

describe("every option, asked from the cluster", () => {
  it("is accepted as strictly as an API server checks, and overrides are marked", async () => {
    const exposure = { kind: "ingress", host: "ocr.example.internal" };
    const overlay = [{ kind: "Deployment", patch: [{ op: "replace", path: "/spec/revisionHistoryLimit", value: 3 }] }];
    const shown = await preview({ name: "all", accessMode: "ReadWriteMany", prefetch: true, disruptionBudget: true, autoscaling: { by: "hpa", maxReplicas: 3 }, exposure, hubToken: { name: "hub", key: "token" }, overlay });
    expect(shown.blockers).toEqual([]);
    expect(shown.objects.map((object) => object.kind)).toEqual(["ServiceAccount", "PersistentVolumeClaim", "NetworkPolicy", "NetworkPolicy", "Job", "Deployment", "Service", "PodDisruptionBudget", "HorizontalPodAutoscaler", "Ingress"]);
    expect(shown.yaml).toContain("lectern/overrides");
  });

  it("says which kind the cluster does not serve", async () => {
    const { blockers } = await preview({ name: "watched", monitoring: {} });
    expect(blockers.join()).toContain("does not serve PodMonitor: install the Prometheus operator");
  });

  it("refuses a hostile override before anything is asked", async () => {
    const overlay = [{ kind: "Deployment", merge: { spec: { template: { spec: { hostNetwork: true } } } } }];
    await expect(preview({ name: "bad", overlay })).rejects.toMatchObject({ code: "unprocessable", message: expect.stringContaining("hostNetwork") });
  });
});
