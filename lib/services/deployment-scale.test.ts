import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsScale } from "./deployment-scale";
import { deploymentsApply } from "./deployment-writes";
import { deploymentsGet } from "./deployments";
import { execute } from "./pipeline";

const database = useDatabase();
const sandbox = useSandbox(database);

let place: Place;
let deployer: Caller, viewer: Caller, stranger: Caller;

beforeAll(async () => {
  place = await sandbox.place("scales");
  const elsewhere = await sandbox.place("scales-elsewhere");
  deployer = await sandbox.deployer(place, "Deployer who scales");
  ({ caller: viewer } = await createPerson(database.db, "Viewer", { roles: { [place.environmentId]: "viewer" } }));
  ({ caller: stranger } = await createPerson(database.db, "Deployer elsewhere", { roles: { [elsewhere.environmentId]: "deployer" } }));
});

const scale = (caller: Caller, input: object) => execute(deploymentsScale, { db: database.db, caller, input });

async function deployed(name: string, more: object = {}): Promise<string> {
  const deploymentId = randomUUID();
  const spec = { name, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", accessMode: "ReadWriteMany", ...more };
  const { digest } = await execute(deploymentsPreview, { db: database.db, caller: deployer, input: { environmentId: place.environmentId, deploymentId, spec } });
  await execute(deploymentsApply, { db: database.db, caller: deployer, input: { digest } });
  return deploymentId;
}

async function replicasOf(name: string): Promise<unknown> {
  const engine = await sandbox.kube.get<KubeObject>({ apiVersion: "apps/v1", resource: "deployments", namespace: place.namespace, name });
  return engine.spec?.replicas;
}

describe("deployments.scale", () => {
  it("makes a revision that differs in the replicas alone, and leaves one intent and one outcome on the trail", async () => {
    const id = await deployed("scaled");
    await scale(deployer, { id, replicas: 2 });
    expect(await replicasOf("scaled")).toBe(2);
    const { deployment, revisions } = await execute(deploymentsGet, { db: database.db, caller: deployer, input: { id } });
    expect(deployment).toMatchObject({ replicas: 2, revision: 2 });
    expect(revisions[0]).toMatchObject({ note: "Scaled from 1 to 2", spec: { ...revisions[1]?.spec, replicas: 2 } });
    const trail = await database.db.auditEvent.findMany({ where: { action: "deployments.scale", targetId: id }, orderBy: { sequence: "asc" } });
    expect(trail.map((event) => event.outcome)).toEqual(["intent", "success"]);
  });

  it("is refused to viewers, unknown to other environments, and bad numbers change nothing", async () => {
    const id = await deployed("kept");
    await expect(scale(viewer, { id, replicas: 2 })).rejects.toMatchObject({ code: "forbidden" });
    await expect(scale(stranger, { id, replicas: 2 })).rejects.toMatchObject({ code: "not_found" });
    for (const replicas of [0, 17, 1.5]) await expect(scale(deployer, { id, replicas })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(scale(deployer, { id, replicas: 1 })).rejects.toMatchObject({ code: "conflict" });
    expect(await replicasOf("kept")).toBe(1);
  });

  it("needs a volume for many nodes, and leaves an autoscaler its replicas", async () => {
    const single = await deployed("single", { accessMode: "ReadWriteOnce" });
    await expect(scale(deployer, { id: single, replicas: 2 })).rejects.toMatchObject({ code: "invalid_input" });
    const automatic = await deployed("automatic", { autoscaling: { by: "hpa", minReplicas: 1, maxReplicas: 2 } });
    await expect(scale(deployer, { id: automatic, replicas: 2 })).rejects.toMatchObject({ code: "unprocessable" });
  });

  it("needs the approval that any change needs: there is no way around the gate", async () => {
    const id = await deployed("gated");
    await database.db.environment.update({ where: { id: place.environmentId }, data: { needsApproval: true } });
    await expect(scale(deployer, { id, replicas: 2 })).rejects.toThrow(/approv/i);
    expect(await replicasOf("gated")).toBe(1);
  });
});
