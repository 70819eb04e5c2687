import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import type { DeploymentSpecInput } from "@/lib/domain/deployment";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsApply } from "./deployment-writes";
import { lookForDrift } from "./drift-look";
import { execute } from "./pipeline";
import { scalingGet, scalingSet } from "./scaler";
import { tickScalers } from "./scaler-tick";

const database = useDatabase();
const sandbox = useSandbox(database);
let place: Place, firstDeployer: Caller, viewer: Caller, ownerId: string;
beforeAll(async () => {
  place = await sandbox.place("scales");
  firstDeployer = await sandbox.deployer(place, "First deployer");
  ({ caller: viewer, id: ownerId } = await createPerson(database.db, "Viewer", { roles: { [place.environmentId]: "viewer" } }));
});

const shared = { modelId: "lightonocr-3-1b", skuId: "aws-p5-48xlarge", accessMode: "ReadWriteMany", storageClass: "efs-sc" } as const;
async function deploy(deploymentId: string, spec: DeploymentSpecInput): Promise<void> {
  const preview = await execute(deploymentsPreview, { db: database.db, caller: firstDeployer, input: { environmentId: place.environmentId, deploymentId, spec } });
  expect([preview.blockers, preview.basisNote]).toEqual([[], ""]);
  await execute(deploymentsApply, { db: database.db, caller: firstDeployer, input: { digest: preview.digest } });
}
const set = (id: string, rule: { minReplicas: number; maxReplicas: number; pagesPerReplica: number } | null, caller = firstDeployer) => execute(scalingSet, { db: database.db, caller, input: { id, rule } });
const get = (id: string) => execute(scalingGet, { db: database.db, caller: viewer, input: { id } });
type Live = { metadata: { generation: number; managedFields: { manager: string; fieldsV1: object }[] }; spec: { replicas: number } };
const live = (name: string) => sandbox.kube.get<Live>({ apiVersion: "apps/v1", resource: "deployments", namespace: place.namespace, name });
async function queue(deploymentId: string, pages: number): Promise<string> {
  const document = await database.db.document.create({ data: { environmentId: place.environmentId, ownerId, name: "a.pdf", mediaType: "application/pdf", bytes: 10, sha256: "0".repeat(64), pages: [], pageCount: pages, storageKey: randomUUID(), expiresAt: new Date(Date.now() + 86_400_000) } });
  const run = await database.db.run.create({ data: { documentId: document.id, environmentId: place.environmentId, deploymentId, modelId: "lightonocr-3-1b", mode: "grounding", preset: "standard", createdById: ownerId, pages: { create: Array.from({ length: pages }, (_, index) => ({ number: index + 1 })) } } });
  return run.id;
}

describe("scaling by the queue", () => {
  it("raises at once, lowers after ten quiet minutes, with two schedulers each change once and audited", async () => {
    const id = randomUUID();
    await deploy(id, { name: "queued", ...shared });
    await set(id, { minReplicas: 1, maxReplicas: 3, pagesPerReplica: 8 });
    const runId = await queue(id, 20);
    const now = Date.now();
    const tick = (minutes: number) => Promise.all([tickScalers(database.db, new Date(now + minutes * 60_000)), tickScalers(database.db, new Date(now + minutes * 60_000))]);
    expect((await tick(0)).reduce((sum, count) => sum + count)).toBe(1);
    expect((await live("queued")).spec.replicas).toBe(3);
    expect(await get(id)).toMatchObject({ owner: "lectern", replicas: 3, sentence: "20 pages at 8 a replica: raised from 1 to 3." });
    await database.db.deployment.update({ where: { id }, data: { state: "ready" } });
    await database.db.runPage.updateMany({ where: { runId }, data: { state: "done" } });
    await tick(2);
    await tick(11);
    expect((await live("queued")).spec.replicas).toBe(3);
    expect((await tick(12)).reduce((sum, count) => sum + count)).toBe(1);
    expect((await live("queued")).spec.replicas).toBe(1);
    expect((await database.db.auditEvent.findMany({ where: { action: "scaling.change", targetId: id }, orderBy: { sequence: "asc" } })).map((each) => (each.record as { detail: object }).detail)).toEqual([{ from: 1, to: 3 }, { from: 3, to: 1 }]);
    expect(await lookForDrift(database.db, id, new Date())).toEqual([]);
  });

  it("is refused where one volume allows one replica, and for people who may only look", async () => {
    const id = randomUUID();
    await deploy(id, { name: "single", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" });
    await expect(set(id, { minReplicas: 1, maxReplicas: 2, pagesPerReplica: 8 })).rejects.toMatchObject({ code: "unprocessable", message: expect.stringContaining("ReadWriteOnce") });
    await expect(set(id, { minReplicas: 1, maxReplicas: 1, pagesPerReplica: 8 }, viewer)).rejects.toMatchObject({ code: "forbidden" });
    await expect(set(id, { minReplicas: 2, maxReplicas: 1, pagesPerReplica: 8 })).rejects.toMatchObject({ code: "invalid_input" });
    expect(await get(id)).toMatchObject({ owner: "person", cluster: { keda: false } });
  });

  it("is handed over to the cluster's autoscaler without a restart to 1, and one owner is left", async () => {
    const id = randomUUID();
    await deploy(id, { name: "handed", ...shared, replicas: 2 });
    await set(id, { minReplicas: 1, maxReplicas: 3, pagesPerReplica: 8 });
    await deploy(id, { name: "handed", ...shared, replicas: 2, autoscaling: { by: "hpa", minReplicas: 1, maxReplicas: 3, pagesPerReplica: 8 } });
    expect((await live("handed")).spec.replicas).toBe(2);
    const owners = (await live("handed")).metadata.managedFields.filter((entry) => JSON.stringify(entry.fieldsV1).includes('"f:replicas"') && JSON.stringify(entry.fieldsV1).includes('"f:spec"')).map((entry) => entry.manager);
    expect(owners).toEqual(["lectern-handover"]);
    await queue(id, 100);
    await tickScalers(database.db, new Date());
    expect((await live("handed")).spec.replicas).toBe(2);
    expect(await get(id)).toMatchObject({ owner: "hpa" });
    const scale = await sandbox.kube.send({ method: "PATCH", path: `/apis/apps/v1/namespaces/${place.namespace}/deployments/handed/scale?fieldManager=horizontal-pod-autoscaler`, headers: { "content-type": "application/merge-patch+json" }, body: JSON.stringify({ spec: { replicas: 3 } }) });
    scale.cancel();
    expect((await live("handed")).spec.replicas).toBe(3);
    expect(await lookForDrift(database.db, id, new Date())).toEqual([]);
    await expect(set(id, { minReplicas: 1, maxReplicas: 3, pagesPerReplica: 8 })).rejects.toMatchObject({ code: "conflict" });
  });
});
