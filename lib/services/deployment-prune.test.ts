import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import { useDatabase } from "@/scripts/test/database";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsApply } from "./deployment-writes";
import { deploymentsGet } from "./deployments";
import { execute } from "./pipeline";
import { storedObjects } from "./rendering";

const database = useDatabase();
const sandbox = useSandbox(database);

let place: Place;
let caller: Caller;
beforeAll(async () => {
  place = await sandbox.place("prunes");
  caller = await sandbox.deployer(place);
});

const specOf = (name: string, more: object = {}) => ({ name, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", ...more });
const preview = (question: { deploymentId: string; spec: object; deleteClaims?: boolean }) => execute(deploymentsPreview, { db: database.db, caller, input: { environmentId: place.environmentId, ...question } });
const apply = (digest: string | null) => execute(deploymentsApply, { db: database.db, caller, input: { digest } });
const get = (id: string) => execute(deploymentsGet, { db: database.db, caller, input: { id } });

async function deployed(name: string): Promise<string> {
  const deploymentId = randomUUID();
  await apply((await preview({ deploymentId, spec: specOf(name) })).digest);
  return deploymentId;
}

describe("what the revisions before had and this one has not", () => {
  it("is deleted, a volume only with a tick, and never what carries another label", async () => {
    const id = await deployed("pruning");
    const labels = { "lectern/deployment": id };
    const at = (name: string, own: Record<string, string> = labels) => ({ name, namespace: place.namespace, labels: own });
    const claim: KubeObject = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: at("pruning-old"), spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "20Gi" } } } };
    const extra: KubeObject[] = [{ apiVersion: "v1", kind: "ConfigMap", metadata: at("pruning-mine") }, { apiVersion: "v1", kind: "ConfigMap", metadata: at("pruning-theirs", {}) }, claim];
    for (const object of extra) await sandbox.kube.apply(object);
    const revision = await database.db.revision.findFirstOrThrow({ where: { deploymentId: id } });
    await database.db.revision.update({ where: { id: revision.id }, data: { manifests: JSON.parse(JSON.stringify([...storedObjects(revision.manifests), ...extra])) } });
    const isThere = (resource: string, name: string) => sandbox.kube.get({ apiVersion: "v1", resource, namespace: place.namespace, name }).then(() => true, () => false);

    const spec = specOf("pruning", { maxModelLen: 12000 });
    const shown = await preview({ deploymentId: id, spec });
    expect(shown.prune).toEqual([
      { key: "ConfigMap/pruning-mine", isDeleted: true, needsTick: false },
      { key: "PersistentVolumeClaim/pruning-old", isDeleted: false, needsTick: true },
    ]);
    expect(shown.summary.join(" ")).toContain("Deletes ConfigMap pruning-mine.");
    await apply(shown.digest);
    expect(await Promise.all([isThere("configmaps", "pruning-mine"), isThere("configmaps", "pruning-theirs"), isThere("persistentvolumeclaims", "pruning-old")])).toEqual([false, true, true]);
    const ticked = await preview({ deploymentId: id, spec, deleteClaims: true });
    expect(ticked.digest).not.toBeNull();
    await apply(ticked.digest);
    expect((await get(id)).revisions[0]?.rollouts[0]?.objects.at(-1)).toMatchObject({ kind: "PersistentVolumeClaim", name: "pruning-old", outcome: "deleted" });
  });

  it("is left where another object has taken its name since the preview", async () => {
    const id = await deployed("replaced");
    const old: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "replaced-old", namespace: place.namespace, labels: { "lectern/deployment": id } } };
    const ref = { apiVersion: "v1", resource: "configmaps", namespace: place.namespace, name: "replaced-old" };
    const uid = async () => (await sandbox.kube.get<{ metadata: { uid: string } }>(ref)).metadata.uid;
    await sandbox.kube.apply(old);
    const revision = await database.db.revision.findFirstOrThrow({ where: { deploymentId: id } });
    await database.db.revision.update({ where: { id: revision.id }, data: { manifests: JSON.parse(JSON.stringify([...storedObjects(revision.manifests), old])) } });
    const { digest, prune } = await preview({ deploymentId: id, spec: specOf("replaced", { maxModelLen: 12000 }) });
    expect(prune).toEqual([{ key: "ConfigMap/replaced-old", isDeleted: true, needsTick: false }]);
    await sandbox.kube.remove(ref);
    await sandbox.kube.apply(old);
    const fresh = await uid();
    await apply(digest);
    expect(await uid()).toBe(fresh);
    expect((await get(id)).revisions[0]?.rollouts[0]?.objects.at(-1)).toMatchObject({ name: "replaced-old", outcome: "unchanged", message: expect.stringContaining("taken its name") });
  });
});
