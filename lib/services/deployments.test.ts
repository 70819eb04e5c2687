import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { resumeApplications } from "./deployment-apply";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsDelete, deploymentsStart, deploymentsStop } from "./deployment-running";
import { deploymentsApply, deploymentsResume } from "./deployment-writes";
import { deploymentsGet } from "./deployments";
import { execute } from "./pipeline";

const database = useDatabase();
const sandbox = useSandbox(database);

let place: Place;
let firstDeployer: Caller;
beforeAll(async () => {
  place = await sandbox.place("deploys");
  firstDeployer = await sandbox.deployer(place, "First deployer");
});

const specOf = (name: string, more: object = {}) => ({ name, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", ...more });
type Question = { deploymentId: string; spec?: object; rollbackTo?: string; note?: string; takeOver?: object[]; deleteClaims?: boolean };
const preview = (question: Question, caller = firstDeployer) => execute(deploymentsPreview, { db: database.db, caller, input: { environmentId: place.environmentId, ...question } });
const apply = (digest: string | null, caller = firstDeployer) => execute(deploymentsApply, { db: database.db, caller, input: { digest } });
const get = (id: string) => execute(deploymentsGet, { db: database.db, caller: firstDeployer, input: { id } });

async function deployed(name: string, more: object = {}): Promise<string> {
  const deploymentId = randomUUID();
  const { digest } = await preview({ deploymentId, spec: specOf(name, more) });
  await apply(digest);
  return deploymentId;
}

const engineOf = (name: string) => sandbox.kube.get<KubeObject & { metadata: { uid: string } }>({ apiVersion: "apps/v1", resource: "deployments", namespace: place.namespace, name });

/** An edit by another tool, under its own name. */
async function editAs(manager: string, name: string, patch: object, contentType = "application/merge-patch+json"): Promise<void> {
  const path = `/apis/apps/v1/namespaces/${place.namespace}/deployments/${name}?fieldManager=${manager}&force=${contentType.includes("apply")}`.replace("&force=false", "");
  const answer = await sandbox.kube.send({ method: "PATCH", path, headers: { "content-type": contentType }, body: JSON.stringify(patch) });
  expect(answer.status).toBe(200);
  answer.cancel();
}

describe("preview and apply", () => {
  it("of a new deployment: everything is new, also in a namespace that is not there yet, and exactly it is applied", async () => {
    const deploymentId = randomUUID();
    const shown = await preview({ deploymentId, spec: specOf("first") });
    expect(shown).toMatchObject({ basis: "cluster", blockers: [], revision: 1 });
    expect(shown.objects.map((object) => object.state)).toEqual(["new", "new", "new", "new", "new"]);
    expect(shown.summary[0]).toBe(`Creates ServiceAccount, PersistentVolumeClaim, NetworkPolicy, Deployment and Service in ${place.namespace}.`);
    const done = await apply(shown.digest);
    expect(done.deploymentId).toBe(deploymentId);
    const { revisions } = await get(deploymentId);
    expect(revisions[0]).toMatchObject({ number: 1, digest: shown.digest });
    expect(revisions[0]?.rollouts[0]).toMatchObject({ state: "watching", objects: Array.from({ length: 5 }, () => ({ outcome: "created" })) });
    const audit = await database.db.auditEvent.findMany({ where: { action: "deployments.apply" }, orderBy: { sequence: "asc" } });
    expect(audit.map((event) => event.outcome)).toEqual(["intent", "success"]);
  });

  it("takes the digest once: the same person gets the same rollout, another one is told whose it was", async () => {
    const { digest } = await preview({ deploymentId: randomUUID(), spec: specOf("once") });
    const secondDeployer = await sandbox.deployer(place, "Second deployer");
    const [mine, again] = [await apply(digest), await apply(digest)];
    expect(again).toEqual(mine);
    await expect(apply(digest, secondDeployer)).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("First deployer has applied exactly this") });
  });

  it("at the same moment by two: one wins, and there is one revision", async () => {
    const { deploymentId, digest } = await preview({ deploymentId: randomUUID(), spec: specOf("race") });
    const secondDeployer = await sandbox.deployer(place, "Third deployer");
    const answers = await Promise.allSettled([apply(digest), apply(digest, secondDeployer)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(answers.find((answer) => answer.status === "rejected")?.reason).toMatchObject({ code: "conflict" });
    expect((await get(deploymentId)).revisions).toHaveLength(1);
  });

  it("refuses a digest that nobody previewed, and a preview that is a day old", async () => {
    await expect(apply("ab".repeat(32))).rejects.toMatchObject({ code: "not_found" });
    const { digest } = await preview({ deploymentId: randomUUID(), spec: specOf("old") });
    const late = new Date(Date.now() + 25 * 3_600_000);
    await expect(execute(deploymentsApply, { db: database.db, caller: firstDeployer, input: { digest }, now: late })).rejects.toMatchObject({ code: "expired" });
  });

  it("shows a viewer the local rendering, which cannot be applied", async () => {
    const { caller: viewer } = await createPerson(database.db, "viewer", { roles: { [place.environmentId]: "viewer" } });
    const shown = await preview({ deploymentId: randomUUID(), spec: specOf("looked-at") }, viewer);
    expect(shown).toMatchObject({ basis: "local", digest: null });
    expect(shown.yaml).toContain("kind: Deployment");
  });

  it("names what stands in the way: a taken name, an object of somebody else", async () => {
    await deployed("taken");
    expect((await preview({ deploymentId: randomUUID(), spec: specOf("taken") })).blockers[0]).toContain("already has a deployment named taken");
    await sandbox.kube.apply({ apiVersion: "v1", kind: "Service", metadata: { name: "foreign", namespace: place.namespace, labels: {} }, spec: { ports: [{ port: 80 }] } }, { fieldManager: "someone" });
    const shown = await preview({ deploymentId: randomUUID(), spec: specOf("foreign") });
    expect(shown.digest).toBeNull();
    expect(shown.blockers.join()).toContain("Service foreign that Lectern did not create");
  });
});

describe("a change", () => {
  it("shows fields with their owners, becomes the next revision, and nothing of defaults or status", async () => {
    const deploymentId = await deployed("changing");
    const same = await preview({ deploymentId, spec: specOf("changing") });
    expect(same.summary).toEqual(["Nothing changes in the cluster."]);
    const shown = await preview({ deploymentId, spec: specOf("changing", { maxModelLen: 12000 }) });
    const engine = shown.objects.find((object) => object.kind === "Deployment");
    expect(engine?.changes).toEqual([expect.objectContaining({ before: "--max-model-len=16384", after: "--max-model-len=12000", owner: "lectern", conflict: null })]);
    expect(shown.objects.filter((object) => object.state === "changed").map((object) => object.kind)).toEqual(["Deployment"]);
    expect(shown.summary.join(" ")).toContain("nothing is read meanwhile");
    await apply(shown.digest);
    expect((await get(deploymentId)).revisions.map((revision) => revision.number)).toEqual([2, 1]);
    expect((await get(deploymentId)).revisions[0]?.rollouts[0]?.objects.map((object) => object.outcome)).toContain("configured");
  });

  it("is refused when the live object changed since the preview, and a new preview shows why", async () => {
    const deploymentId = await deployed("drifting");
    const { digest } = await preview({ deploymentId, spec: specOf("drifting", { maxModelLen: 12000 }) });
    await editAs("kubectl-edit", "drifting", { metadata: { annotations: { note: "edited by hand" } } });
    await expect(apply(digest)).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("changed since the preview") });
    expect((await get(deploymentId)).revisions).toHaveLength(1);
    const next = await preview({ deploymentId, spec: specOf("drifting", { maxModelLen: 12000 }) });
    expect(next.digest).not.toBe(digest);
    await apply(next.digest);
  });

  it("is refused when somebody applied another one since, and says who", async () => {
    const deploymentId = await deployed("overtaken");
    const first = await preview({ deploymentId, spec: specOf("overtaken", { maxModelLen: 12000 }) });
    const second = await preview({ deploymentId, spec: specOf("overtaken", { maxModelLen: 10000 }) });
    await apply(second.digest);
    await expect(apply(first.digest)).rejects.toMatchObject({ code: "conflict" });
  });

  it("asks for consent where another manager owns a field, manager by manager", async () => {
    const deploymentId = await deployed("contested");
    const labels = (await engineOf("contested")).metadata.labels;
    await editAs("other-tool", "contested", { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "contested", labels }, spec: { replicas: 0 } }, "application/apply-patch+yaml");
    const shown = await preview({ deploymentId, spec: specOf("contested") });
    const engine = shown.objects.find((object) => object.kind === "Deployment");
    expect(engine?.conflicts).toEqual([{ field: ".spec.replicas", manager: "other-tool" }]);
    expect(engine?.changes).toContainEqual(expect.objectContaining({ path: ".spec.replicas", op: "change", before: "0", after: "1", owner: "other-tool", conflict: "other-tool" }));
    expect(shown.digest).toBeNull();
    const forced = await preview({ deploymentId, spec: specOf("contested"), takeOver: [{ key: "Deployment/contested", manager: "other-tool" }] });
    await apply(forced.digest);
    expect((await engineOf("contested")).spec?.replicas).toBe(1);
  });

  it("is refused where a GitOps tool keeps the object", async () => {
    const deploymentId = await deployed("kept");
    await editAs("argocd", "kept", { metadata: { annotations: { "argocd.argoproj.io/tracking-id": "apps:x" } } });
    expect((await preview({ deploymentId, spec: specOf("kept") })).blockers.join()).toContain("GitOps");
  });

  it("keeps the name", async () => {
    const deploymentId = await deployed("named");
    await expect(preview({ deploymentId, spec: specOf("renamed") })).rejects.toMatchObject({ code: "unprocessable" });
  });
});

describe("history", () => {
  it("goes back to an earlier revision as a new one that says so", async () => {
    const deploymentId = await deployed("back");
    await apply((await preview({ deploymentId, spec: specOf("back", { maxModelLen: 12000 }) })).digest);
    const [, first] = (await get(deploymentId)).revisions;
    await expect(preview({ deploymentId, rollbackTo: first?.id ?? "" })).rejects.toMatchObject({ code: "invalid_input" });
    const shown = await preview({ deploymentId, rollbackTo: first?.id ?? "", note: "Pages were cut off" });
    expect(shown).toMatchObject({ rollbackOf: 1, revision: 3 });
    await apply(shown.digest);
    const { revisions } = await get(deploymentId);
    expect(revisions.map(({ number, note, rollbackOf }) => ({ number, note, rollbackOf }))).toEqual([
      { number: 3, note: "Pages were cut off", rollbackOf: 1 },
      { number: 2, note: "", rollbackOf: null },
      { number: 1, note: "", rollbackOf: null },
    ]);
    expect(revisions[0]?.spec).toEqual(revisions[2]?.spec);
  });
});

describe("stop, start and delete", () => {
  it("are applies of the newest revision: no second owner, no conflict afterwards", async () => {
    const id = await deployed("switch");
    await execute(deploymentsStop, { db: database.db, caller: firstDeployer, input: { id } });
    expect((await engineOf("switch")).spec?.replicas).toBe(0);
    await execute(deploymentsStart, { db: database.db, caller: firstDeployer, input: { id } });
    expect((await engineOf("switch")).spec?.replicas).toBe(1);
    const shown = await preview({ deploymentId: id, spec: specOf("switch", { maxModelLen: 12000 }) });
    expect(shown.objects.flatMap((object) => object.conflicts)).toEqual([]);
    await execute(deploymentsDelete, { db: database.db, caller: firstDeployer, input: { id } });
    await expect(engineOf("switch")).rejects.toMatchObject({ status: 404 });
  });
});

describe("a partial failure", () => {
  it("tells object by object what became of it, and is carried on where it stopped", async () => {
    const deploymentId = randomUUID();
    const { digest } = await preview({ deploymentId, spec: specOf("partial") });
    const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "none", namespace: place.namespace }, spec: { hard: { "count/services": "0" } } };
    const path = `/api/v1/namespaces/${place.namespace}/resourcequotas`;
    (await sandbox.kube.send({ method: "POST", path, headers: { "content-type": "application/json" }, body: JSON.stringify(quota) })).cancel();
    await expect(apply(digest)).rejects.toMatchObject({ name: "KubeStatusError" });
    const [rollout] = (await get(deploymentId)).revisions[0]?.rollouts ?? [];
    expect(rollout).toMatchObject({ state: "failed" });
    expect(rollout?.objects.map((object) => object.outcome)).toEqual(["created", "created", "created", "created", "failed"]);
    (await sandbox.kube.send({ method: "DELETE", path: `${path}/none` })).cancel();
    await execute(deploymentsResume, { db: database.db, caller: firstDeployer, input: { id: deploymentId } });
    const [resumed] = (await get(deploymentId)).revisions[0]?.rollouts ?? [];
    expect(resumed?.state).toBe("watching");
    expect(resumed?.objects.at(-1)).toMatchObject({ kind: "Service", outcome: "created" });
    await expect(execute(deploymentsResume, { db: database.db, caller: firstDeployer, input: { id: deploymentId } })).rejects.toMatchObject({ code: "conflict" });
  });

  it("of the process is carried on at the next start, and nothing is applied twice", async () => {
    const id = await deployed("killed");
    const { generation } = (await engineOf("killed")).metadata as { generation?: number };
    const rollout = await database.db.rollout.findFirstOrThrow({ where: { revision: { deploymentId: id } } });
    await database.db.rollout.update({ where: { id: rollout.id }, data: { state: "applying", objects: [] } });
    await resumeApplications(database.db);
    expect(await database.db.rollout.findUnique({ where: { id: rollout.id } })).toMatchObject({ state: "watching" });
    expect((await engineOf("killed")).metadata).toMatchObject({ generation });
  });
});
