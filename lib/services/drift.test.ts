import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { useDatabase } from "@/scripts/test/database";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsStop } from "./deployment-running";
import { deploymentsApply } from "./deployment-writes";
import { driftGet, driftPreview } from "./drift";
import { lookForDrift } from "./drift-look";
import { execute } from "./pipeline";

const database = useDatabase();
const sandbox = useSandbox(database);
let place: Place, firstDeployer: Caller;
beforeAll(async () => {
  place = await sandbox.place("drifts");
  firstDeployer = await sandbox.deployer(place, "First deployer");
});

async function deployed(name: string): Promise<string> {
  const deploymentId = randomUUID();
  const { digest } = await execute(deploymentsPreview, { db: database.db, caller: firstDeployer, input: { environmentId: place.environmentId, deploymentId, spec: { name, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" } } });
  await execute(deploymentsApply, { db: database.db, caller: firstDeployer, input: { digest } });
  return deploymentId;
}
const ref = (name: string) => ({ apiVersion: "apps/v1", resource: "deployments", namespace: place.namespace, name });
async function edit(name: string, patch: object, at = `/apis/apps/v1/namespaces/${place.namespace}/deployments/${name}`): Promise<void> {
  const answer = await sandbox.kube.send({ method: "PATCH", path: `${at}?fieldManager=kubectl-edit`, headers: { "content-type": "application/strategic-merge-patch+json" }, body: JSON.stringify(patch) });
  answer.cancel();
  expect(answer.status).toBe(200);
}
const look = (id: string) => lookForDrift(database.db, id, new Date());
const prepare = (id: string, way: "adopt" | "revert") => execute(driftPreview, { db: database.db, caller: firstDeployer, input: { id, way } });
const apply = (digest: string | null) => execute(deploymentsApply, { db: database.db, caller: firstDeployer, input: { digest } });

describe("drift", () => {
  it("is not what controllers, defaults, a stop or a heartbeat write", async () => {
    const id = await deployed("quiet");
    expect(await look(id)).toEqual([]);
    await execute(deploymentsStop, { db: database.db, caller: firstDeployer, input: { id } });
    expect(await look(id)).toEqual([]);
    expect(await database.db.drift.count()).toBe(0);
  });

  it("is a changed field with both values and its owner, an added field, and an object that is gone", async () => {
    const id = await deployed("edited");
    await edit("edited", { spec: { minReadySeconds: 7, revisionHistoryLimit: 2 }, metadata: { annotations: { note: "by hand" } } });
    await sandbox.kube.remove({ apiVersion: "networking.k8s.io/v1", resource: "networkpolicies", namespace: place.namespace, name: (await policyNames())[0] ?? "" });
    await look(id);
    const { objects, since } = await execute(driftGet, { db: database.db, caller: firstDeployer, input: { id } });
    expect(since).not.toBeNull();
    expect(objects.filter((each) => each.isGone).map((each) => each.kind)).toEqual(["NetworkPolicy"]);
    const changes = objects.find((each) => each.kind === "Deployment")?.changes ?? [];
    expect(changes).toContainEqual(expect.objectContaining({ path: ".spec.revisionHistoryLimit", found: "2", owner: "kubectl-edit" }));
    expect(changes).toContainEqual({ path: ".metadata.annotations.note", wanted: null, found: "by hand", owner: "kubectl-edit", isOverride: false });
  });
  const policyNames = async () => (await sandbox.kube.list<{ metadata: { name: string } }>({ apiVersion: "networking.k8s.io/v1", resource: "networkpolicies", namespace: place.namespace }, { labelSelector: "app.kubernetes.io/instance=edited" })).items.map((item) => item.metadata.name);

  it("is taken back through a preview: the fields are Lectern's again", async () => {
    const id = await deployed("reverted");
    await edit("reverted", { spec: { revisionHistoryLimit: 2 } });
    const prepared = await prepare(id, "revert");
    expect(prepared.summary.join(" ")).toContain("kubectl-edit");
    await apply(prepared.digest);
    expect(await look(id)).toEqual([]);
    expect((await sandbox.kube.get<{ spec: { revisionHistoryLimit: number } }>(ref("reverted"))).spec.revisionHistoryLimit).not.toBe(2);
  });

  it("is adopted as a revision that says what the cluster says, without a change there", async () => {
    const id = await deployed("adopts");
    await edit("adopts", { spec: { revisionHistoryLimit: 2 } });
    const prepared = await prepare(id, "adopt");
    await apply(prepared.digest);
    expect((await sandbox.kube.get<{ spec: { revisionHistoryLimit: number } }>(ref("adopts"))).spec.revisionHistoryLimit).toBe(2);
    expect(await look(id)).toEqual([]);
    const revision = await database.db.revision.findFirst({ where: { deploymentId: id }, orderBy: { number: "desc" } });
    expect(revision).toMatchObject({ number: 2, note: "Adopts what was changed by hand" });
    await expect(prepare(id, "revert")).rejects.toMatchObject({ code: "conflict" });
  });
});
