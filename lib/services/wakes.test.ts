import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { startClusterWatch } from "./cluster-watch";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsDelete, deploymentsStop } from "./deployment-running";
import { deploymentsApply } from "./deployment-writes";
import { enginesList } from "./engines";
import { execute } from "./pipeline";
import { tickSchedules } from "./schedules-tick";
import { MAX_WAITING_PAGES, wakesGet, wakesList, wakesRequest } from "./wakes";
import { engineOrWake } from "./wakes-engine";
import { tendWakes } from "./wakes-tend";

const database = useDatabase();
const sandbox = useSandbox(database);

let place: Place, firstDeployer: Caller, analyst: Caller, viewer: Caller, analystId: string;
let watch: ReturnType<typeof startClusterWatch>;
beforeAll(async () => {
  place = await sandbox.place("wakes");
  firstDeployer = await sandbox.deployer(place, "First deployer");
  ({ caller: analyst, id: analystId } = await createPerson(database.db, "Analyst", { roles: { [place.environmentId]: "analyst" } }));
  viewer = (await createPerson(database.db, "Viewer", { roles: { [place.environmentId]: "viewer" } })).caller;
  watch = startClusterWatch(database.db);
});
afterAll(() => watch?.stop());
// The sandbox has few nodes of a kind: each test gives its own back.
afterEach(async () => {
  const rows = await database.db.deployment.findMany({ where: { deletedAt: null }, select: { id: true } });
  await Promise.all(rows.map(({ id }) => execute(deploymentsDelete, { db: database.db, caller: firstDeployer, input: { id } })));
  await eventually(async () => (await sandbox.kube.list({ apiVersion: "v1", resource: "pods", namespace: place.namespace })).items.length, 20_000).toBe(0);
});

const stateOf = async (id: string) => (await database.db.deployment.findUniqueOrThrow({ where: { id } })).state;
const wake = (id: string, caller = analyst) => execute(wakesRequest, { db: database.db, caller, input: { id } });
const look = (id: string) => execute(wakesGet, { db: database.db, caller: viewer, input: { id } });
const wakes = (id: string) => database.db.wake.findMany({ where: { deploymentId: id } });

/** A deployment that ran and that its hours, or a person, have stopped. */
async function asleep(name: string, cause: "hours" | "person" = "hours"): Promise<string> {
  const deploymentId = randomUUID();
  const { digest } = await execute(deploymentsPreview, { db: database.db, caller: firstDeployer, input: { environmentId: place.environmentId, deploymentId, spec: { name, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" } } });
  await execute(deploymentsApply, { db: database.db, caller: firstDeployer, input: { digest } });
  await eventually(() => stateOf(deploymentId), 20_000).toBe("ready");
  await execute(deploymentsStop, { db: database.db, caller: firstDeployer, input: { id: deploymentId } });
  await eventually(() => stateOf(deploymentId), 20_000).toBe("stopped");
  await database.db.sleep.create({ data: { deploymentId, cause, replicas: 1, startedAt: new Date(Date.now() - 1000) } });
  return deploymentId;
}

async function runOn(deploymentId: string, pages = 2): Promise<string> {
  const { environmentId } = place;
  const document = await database.db.document.create({ data: { environmentId, ownerId: analystId, name: "a.pdf", mediaType: "application/pdf", bytes: 10, sha256: "0".repeat(64), pages: [], pageCount: pages, storageKey: randomUUID(), expiresAt: new Date(Date.now() + 86_400_000) } });
  const run = await database.db.run.create({ data: { documentId: document.id, environmentId, deploymentId, modelId: "lightonocr-3-1b", mode: "grounding", preset: "standard", createdById: analystId, pages: { create: Array.from({ length: pages }, (_, index) => ({ number: index + 1 })) } } });
  return run.id;
}
const pagesOf = (runId: string) => database.db.runPage.findMany({ where: { runId }, orderBy: { number: "asc" } });

describe("waking", () => {
  it("by many callers is one start, with the usual duration beside it, and ends awake with its pages let go", async () => {
    const id = await asleep("many");
    const runId = await runOn(id);
    await Promise.all([wake(id), wake(id), wake(id, firstDeployer), wake(id)]);
    expect(await look(id)).toMatchObject({ isAsleep: true, refusal: null, usualSeconds: expect.any(Number), wake: { state: "waking" } });
    await Promise.all([tendWakes(database.db, new Date()), tendWakes(database.db, new Date())]);
    expect((await pagesOf(runId)).map(({ state, reason, leasedUntil }) => [state, reason, leasedUntil !== null])).toEqual(Array.from({ length: 2 }, () => ["queued", expect.stringMatching(/^Waits for many to wake, usually \d+ (s|min) here\.$/), true]));
    expect((await execute(enginesList, { db: database.db, caller: analyst, input: {} })).engines.find((one) => one.deploymentId === id)?.title).toMatch(/\((asleep: a page wakes it|waking)\)$|many$/);
    await eventually(() => stateOf(id), 20_000).toBe("ready");
    await tendWakes(database.db, new Date());
    expect(await look(id)).toMatchObject({ isAsleep: false, wake: { state: "awake" } });
    expect((await pagesOf(runId)).map(({ reason, leasedUntil }) => [reason, leasedUntil])).toEqual([["", null], ["", null]]);
    const starts = await database.db.auditEvent.findMany({ where: { action: "deployments.start", targetId: id, outcome: "success" } });
    expect(starts).toMatchObject([{ origin: "scheduler" }]);
    expect(await wakes(id)).toHaveLength(1);
  });

  it("is asked for by a run itself: its engine is the sleeping deployment", async () => {
    const id = await asleep("by-run");
    expect(await engineOrWake(database.db, id, { actor: analyst.actor, now: new Date() })).toMatchObject({ deploymentId: id, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" });
    await expect(engineOrWake(database.db, id, { actor: viewer.actor, now: new Date() })).rejects.toMatchObject({ code: "not_found" });
    expect(await wakes(id)).toMatchObject([{ state: "waking", requestedById: analystId }]);
  });

  it("is asked for by pages that came after it fell asleep, and not by those that were left from before", async () => {
    const id = await asleep("by-pages");
    const before = await runOn(id);
    await database.db.run.update({ where: { id: before }, data: { createdAt: new Date(Date.now() - 60_000) } });
    await tendWakes(database.db, new Date());
    expect(await wakes(id)).toEqual([]);
    expect((await pagesOf(before))[0]).toMatchObject({ state: "queued", reason: "by-pages sleeps: the page is read when it runs again." });
    await runOn(id);
    await tendWakes(database.db, new Date());
    expect(await wakes(id)).toHaveLength(1);
  });

  it("is given up with the reason, and its pages fail with it; the next try has to wait a little", async () => {
    const id = await asleep("gives-up");
    const runId = await runOn(id);
    await wake(id);
    await tendWakes(database.db, new Date());
    await watch.stop();
    await database.db.deployment.update({ where: { id }, data: { state: "failed", message: "0/5 nodes are available: 5 Insufficient nvidia.com/gpu." } });
    await tendWakes(database.db, new Date());
    expect(await look(id)).toMatchObject({ wake: { state: "gave_up", reason: "0/5 nodes are available: 5 Insufficient nvidia.com/gpu." } });
    const [page] = await pagesOf(runId);
    expect(page).toMatchObject({ state: "failed", reason: "The deployment could not be woken: 0/5 nodes are available: 5 Insufficient nvidia.com/gpu." });
    expect(await database.db.run.findUnique({ where: { id: runId } })).toMatchObject({ state: "done" });
    await database.db.deployment.update({ where: { id }, data: { spec: { name: "gives-up", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", replicas: 0 } } });
    await expect(wake(id)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: expect.any(Number) });
    watch = startClusterWatch(database.db);
  });

  it("is given up after longer than a start takes here", async () => {
    const id = await asleep("overdue");
    await wake(id);
    await tendWakes(database.db, new Date());
    await watch.stop();
    await database.db.deployment.update({ where: { id }, data: { state: "working", message: "Pulling the image" } });
    await tendWakes(database.db, new Date(Date.now() + 3_600_000));
    expect((await look(id)).wake).toMatchObject({ state: "gave_up", reason: expect.stringMatching(/was not ready after \d+ min, which is longer than a start takes here\. Pulling the image/) });
    watch = startClusterWatch(database.db);
  });

  it("does not undo what a person stopped, and takes no more pages than its queue holds", async () => {
    const id = await asleep("by-person", "person");
    await expect(wake(id)).rejects.toMatchObject({ code: "unprocessable", message: expect.stringContaining("stopped by a person") });
    const full = await asleep("full");
    await runOn(full, MAX_WAITING_PAGES);
    await expect(wake(full)).rejects.toMatchObject({ code: "rate_limited", message: expect.stringContaining("1000 pages wait") });
    await expect(wake(full, viewer)).rejects.toMatchObject({ code: "forbidden" });
    const { sleepers } = await execute(wakesList, { db: database.db, caller: analyst, input: {} });
    expect(sleepers.find((one) => one.deploymentId === id)).toMatchObject({ refusal: expect.any(String) });
  });

  it("outside its hours is borrowed: without pages it goes back to sleep", async () => {
    const id = await asleep("borrowed");
    const now = new Date();
    const day = (["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const)[(now.getUTCDay() + 3) % 7] ?? "mon";
    const rule = { timeZone: "UTC", week: [{ days: [day], hours: { from: "08:00", to: "09:00" } }] };
    await database.db.schedule.create({ data: { environmentId: place.environmentId, deploymentId: id, rule, countsFrom: now } });
    await wake(id);
    await tendWakes(database.db, now);
    await eventually(() => stateOf(id), 20_000).toBe("ready");
    await tickSchedules(database.db, new Date());
    await tendWakes(database.db, new Date());
    const later = new Date(Date.now() + 20 * 60_000);
    await database.db.engineUse.upsert({ where: { deploymentId: id }, create: { deploymentId: id, requests: 0, running: 0, waiting: 0, at: later, busyAt: now }, update: { at: later, busyAt: now } });
    await tickSchedules(database.db, later);
    await eventually(() => stateOf(id), 20_000).toBe("stopped");
    expect(await database.db.sleep.findFirst({ where: { deploymentId: id, endedAt: null } })).toMatchObject({ cause: "idle" });
  });
});
