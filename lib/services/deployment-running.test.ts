import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import { PERMISSIONS, SYSTEM } from "@/lib/domain/policy";
import { FRESH_SIGN_IN_MS } from "@/lib/domain/session";
import { problem } from "@/lib/platform/problem";
import { callerOf, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { makeSession } from "@/scripts/test/principals";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsRestart } from "./deployment-restart";
import { deploymentsDelete, deploymentsStart, deploymentsStop } from "./deployment-running";
import { deploymentsApply } from "./deployment-writes";
import { deploymentsGet } from "./deployments";
import { execute } from "./pipeline";
import { storedObjects } from "./rendering";

const database = useDatabase();
const sandbox = useSandbox(database);

let staging: Place, production: Place;
/** Signed in a moment ago, and an hour ago. */
let fresh: Caller, stale: Caller;

beforeAll(async () => {
  [staging, production] = [await sandbox.place("running"), await sandbox.place("in-production")];
  await database.db.environment.update({ where: { id: production.environmentId }, data: { kind: "production" } });
  const person = await createPerson(database.db, "Deployer", { roles: { [staging.environmentId]: "deployer", [production.environmentId]: "deployer" } });
  const [now, before] = [await makeSession(database.db, person.id), await makeSession(database.db, person.id)];
  await database.db.session.update({ where: { id: before.id }, data: { createdAt: new Date(Date.now() - FRESH_SIGN_IN_MS - 1000) } });
  [fresh, stale] = [{ ...person.caller, sessionId: now.id }, { ...person.caller, sessionId: before.id }];
});

const specOf = (name: string, more: object = {}) => ({ name, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", ...more });
const preview = (place: Place, question: object) => execute(deploymentsPreview, { db: database.db, caller: fresh, input: { environmentId: place.environmentId, ...question } });
const apply = (digest: string | null, more: object = {}, caller = fresh) => execute(deploymentsApply, { db: database.db, caller, input: { digest, ...more } });
const stop = (caller: Caller, input: object) => execute(deploymentsStop, { db: database.db, caller, input });
const remove = (caller: Caller, input: object) => execute(deploymentsDelete, { db: database.db, caller, input });

async function deployed(place: Place, name: string): Promise<string> {
  const deploymentId = randomUUID();
  await apply((await preview(place, { deploymentId, spec: specOf(name) })).digest);
  return deploymentId;
}

type Engine = KubeObject & { metadata: { generation?: number; managedFields?: { manager: string }[] }; spec: { replicas: number; template: { metadata: { annotations?: Record<string, string> } } } };
const engineOf = (place: Place, name: string) => sandbox.kube.get<Engine>({ apiVersion: "apps/v1", resource: "deployments", namespace: place.namespace, name });

describe("taking something away from production (A11)", () => {
  it.each([
    ["stop", stop],
    ["delete", remove],
  ])("%s is refused without a fresh sign-in, then without the name, and goes through with both", async (verb, take) => {
    const id = await deployed(production, `guarded-${verb}`);
    const refused = await take(stale, { id, confirmName: `guarded-${verb}` }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "sign_in_again" });
    expect(await problem(refused, "request").json()).toMatchObject({ status: 401, code: "sign_in_again" });
    await expect(take(fresh, { id })).rejects.toMatchObject({ code: "invalid_input", fields: [{ path: "confirmName" }] });
    await expect(take(fresh, { id, confirmName: "guarded" })).rejects.toMatchObject({ code: "invalid_input" });
    expect((await engineOf(production, `guarded-${verb}`)).spec.replicas).toBe(1);
    await take(fresh, { id, confirmName: `guarded-${verb}` });
    const trail = await database.db.auditEvent.findMany({ where: { action: `deployments.${verb}`, targetId: id }, orderBy: { sequence: "asc" } });
    expect(trail.map((event) => event.outcome)).toEqual(["intent", "failure", "intent", "failure", "intent", "failure", "intent", "success"]);
  });

  it("is nothing for a token, and the scheduler's hours go on", async () => {
    const id = await deployed(production, "guarded-hours");
    const actor = { ...fresh.actor, kind: "token" as const, scope: { environmentIds: null, permissions: [...PERMISSIONS] } };
    await expect(stop({ ...fresh, actor, sessionId: null, origin: "api" }, { id, confirmName: "guarded-hours" })).rejects.toMatchObject({ code: "sign_in_again", message: expect.stringContaining("A token cannot") });
    await stop({ ...callerOf({ ...SYSTEM, name: "scheduler (hours)" }), origin: "scheduler" }, { id });
    expect((await engineOf(production, "guarded-hours")).spec.replicas).toBe(0);
  });

  it("asks the same of a change that ends the pods or removes a volume, and shows first what goes", async () => {
    const id = await deployed(production, "guarded-change");
    const revision = await database.db.revision.findFirstOrThrow({ where: { deploymentId: id } });
    const at = { name: "guarded-old", namespace: production.namespace, labels: { "lectern/deployment": id } };
    const claim: KubeObject = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: at, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "20Gi" } } } };
    await sandbox.kube.apply(claim);
    await database.db.revision.update({ where: { id: revision.id }, data: { manifests: JSON.parse(JSON.stringify([...storedObjects(revision.manifests), claim])) } });
    const shown = await preview(production, { deploymentId: id, spec: specOf("guarded-change", { replicas: 0 }), deleteClaims: true });
    expect(shown.takesAway).toEqual(["PersistentVolumeClaim/guarded-old with its data", "Its pods, with the pages that they are reading"]);
    await expect(apply(shown.digest, { confirmName: "guarded-change" }, stale)).rejects.toMatchObject({ code: "sign_in_again" });
    await expect(apply(shown.digest)).rejects.toMatchObject({ code: "invalid_input" });
    expect((await engineOf(production, "guarded-change")).spec.replicas).toBe(1);
    await apply(shown.digest, { confirmName: "guarded-change" });
    expect((await engineOf(production, "guarded-change")).spec.replicas).toBe(0);
  });

  it("asks nothing elsewhere", async () => {
    const id = await deployed(staging, "unguarded");
    await stop(stale, { id });
    await remove(stale, { id });
  });
});

describe("a restart", () => {
  it("starts the pods anew under a manager of its own, as a rollout of the same revision", async () => {
    const id = await deployed(staging, "again");
    const before = await engineOf(staging, "again");
    const { rolloutId } = await execute(deploymentsRestart, { db: database.db, caller: fresh, input: { id } });
    const after = await engineOf(staging, "again");
    expect(after.spec.template.metadata.annotations?.["kubectl.kubernetes.io/restartedAt"]).toMatch(/^\d{4}-/);
    expect(after.metadata.generation).toBe((before.metadata.generation ?? 0) + 1);
    const { revisions, deployment } = await execute(deploymentsGet, { db: database.db, caller: fresh, input: { id } });
    expect(revisions).toHaveLength(1);
    expect(revisions[0]?.rollouts).toMatchObject([{ id: rolloutId, state: "watching", objects: [{ kind: "Deployment", outcome: "restarted", message: "by Deployer" }] }, { state: "superseded" }]);
    expect(deployment.state).toBe("working");
    const next = await preview(staging, { deploymentId: id, spec: specOf("again") });
    expect(next.summary).toEqual(["Nothing changes in the cluster."]);
  });

  it("is refused for what is stopped", async () => {
    const id = await deployed(staging, "down");
    await stop(stale, { id });
    await database.db.deployment.update({ where: { id }, data: { state: "stopped" } });
    await expect(execute(deploymentsRestart, { db: database.db, caller: fresh, input: { id } })).rejects.toMatchObject({ code: "unprocessable" });
  });
});

it("leaves the replicas to an autoscaler: an HPA is switched off at zero and takes over from its least", async () => {
  const id = await deployed(staging, "scaled");
  const revision = await database.db.revision.findFirstOrThrow({ where: { deploymentId: id } });
  const hpa: KubeObject = { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: { name: "scaled", namespace: staging.namespace, labels: {} }, spec: { minReplicas: 2, maxReplicas: 4 } };
  await database.db.revision.update({ where: { id: revision.id }, data: { manifests: JSON.parse(JSON.stringify([...storedObjects(revision.manifests), hpa])) } });
  await stop(fresh, { id });
  expect((await engineOf(staging, "scaled")).spec.replicas).toBe(0);
  await execute(deploymentsStart, { db: database.db, caller: fresh, input: { id } });
  expect((await engineOf(staging, "scaled")).spec.replicas).toBe(2);
});
