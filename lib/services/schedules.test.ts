import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Caller } from "@/lib/domain/caller";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { startClusterWatch } from "./cluster-watch";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsStart, deploymentsStop } from "./deployment-running";
import { deploymentsApply } from "./deployment-writes";
import type { Operation } from "./operation";
import { execute } from "./pipeline";
import { schedulesGet, schedulesKeep, schedulesList, schedulesSetDeployment, schedulesSetEnvironment } from "./schedules";
import { schedulesSavings } from "./schedules-savings";
import { tickSchedules } from "./schedules-tick";

const database = useDatabase();
const sandbox = useSandbox(database);

let place: Place, firstDeployer: Caller, admin: Caller, viewer: Caller;
let watch: ReturnType<typeof startClusterWatch>;
beforeAll(async () => {
  place = await sandbox.place("hours");
  firstDeployer = await sandbox.deployer(place, "First deployer");
  admin = (await createPerson(database.db, "Admin", { roles: { [place.environmentId]: "admin" } })).caller;
  viewer = (await createPerson(database.db, "Viewer", { roles: { [place.environmentId]: "viewer" } })).caller;
  watch = startClusterWatch(database.db);
});
afterAll(() => watch?.stop());

const week = { timeZone: "Europe/Paris", week: [{ days: ["mon" as const, "tue" as const, "wed" as const, "thu" as const, "fri" as const], hours: { from: "08:00", to: "18:00" } }] };
const at = (text: string) => new Date(text);
const call = <I extends z.ZodType, O extends z.ZodType>(operation: Operation<I, O>, input: unknown, { caller = firstDeployer, now }: { caller?: Caller; now?: Date } = {}) => execute(operation, { db: database.db, caller, input, ...(now ? { now } : {}) });

async function deployed(name: string): Promise<string> {
  const deploymentId = randomUUID();
  const { digest } = await execute(deploymentsPreview, { db: database.db, caller: firstDeployer, input: { environmentId: place.environmentId, deploymentId, spec: { name, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" } } });
  await call(deploymentsApply, { digest });
  await eventually(() => stateOf(deploymentId), 20_000).toBe("ready");
  return deploymentId;
}
const stateOf = async (id: string) => (await database.db.deployment.findUniqueOrThrow({ where: { id } })).state;
const replicas = async (name: string) => (await sandbox.kube.get<{ spec: { replicas: number } }>({ apiVersion: "apps/v1", resource: "deployments", namespace: place.namespace, name })).spec.replicas;
const acts = (id: string) => database.db.auditEvent.findMany({ where: { origin: "scheduler", targetId: id, outcome: "success" }, orderBy: { sequence: "asc" } });
const rowOf = async (id: string, now: Date) => (await execute(schedulesList, { db: database.db, caller: viewer, input: {}, now })).deployments.find((row) => row.deploymentId === id);

describe("working hours", () => {
  it("stop in the evening and start in the morning, once each, as the scheduler in the audit trail", async () => {
    const id = await deployed("hours");
    await call(schedulesSetDeployment, { id, rule: week, idleMinutes: null }, { now: at("2027-03-01T10:00:00Z") });
    expect(await tickSchedules(database.db, at("2027-03-01T16:59:59Z"))).toBe(0);
    expect(await rowOf(id, at("2027-03-01T16:00:00Z"))).toMatchObject({ isRunning: true, next: { at: "2027-03-01T17:00:00.000Z", action: "stop", cause: "hours" } });
    expect(await Promise.all([1, 2, 3].map(() => tickSchedules(database.db, at("2027-03-01T17:00:01Z"))))).toEqual(expect.arrayContaining([1, 0, 0]));
    expect(await replicas("hours")).toBe(0);
    expect(await rowOf(id, at("2027-03-01T17:00:01Z"))).toMatchObject({ isRunning: false, next: { at: "2027-03-02T07:00:00.000Z", action: "start" }, last: { action: "stop", state: "done" } });
    await tickSchedules(database.db, at("2027-03-02T07:00:00Z"));
    expect(await replicas("hours")).toBe(1);
    expect((await acts(id)).map((event) => [event.action, event.actorKind, event.origin])).toEqual([["deployments.stop", "system", "scheduler"], ["deployments.start", "system", "scheduler"]]);
  });

  it("leave a person's own start alone until the next change", async () => {
    const id = await deployed("by-hand");
    await call(schedulesSetDeployment, { id, rule: week, idleMinutes: null }, { now: at("2027-03-01T10:00:00Z") });
    await tickSchedules(database.db, at("2027-03-01T17:00:01Z"));
    await call(deploymentsStart, { id });
    await tickSchedules(database.db, at("2027-03-01T19:00:00Z"));
    expect(await replicas("by-hand")).toBe(1);
    await tickSchedules(database.db, at("2027-03-02T17:00:00Z"));
    expect(await replicas("by-hand")).toBe(0);
  });

  it("catch up with one change after a time in which nobody looked, and not with those before the schedule was saved", async () => {
    const id = await deployed("catches-up");
    await call(schedulesSetDeployment, { id, rule: week, idleMinutes: null }, { now: at("2027-03-01T20:00:00Z") });
    await tickSchedules(database.db, at("2027-03-01T20:01:00Z"));
    expect(await replicas("catches-up")).toBe(1);
    await tickSchedules(database.db, at("2027-03-06T12:00:00Z"));
    expect(await replicas("catches-up")).toBe(0);
    expect(await acts(id)).toHaveLength(1);
  });

  it("of an environment hold for its deployments; keeping one running moves its stop", async () => {
    const id = await deployed("kept");
    await execute(schedulesSetEnvironment, { db: database.db, caller: admin, input: { environmentId: place.environmentId, rule: week, idleMinutes: null }, now: at("2027-04-05T08:00:00Z") });
    await call(schedulesKeep, { id, until: "2027-04-05T20:00:00Z" }, { now: at("2027-04-05T14:00:00Z") });
    await tickSchedules(database.db, at("2027-04-05T16:30:00Z"));
    expect(await replicas("kept")).toBe(1);
    expect(await rowOf(id, at("2027-04-05T17:00:00Z"))).toMatchObject({ keepUntil: "2027-04-05T20:00:00.000Z", next: { at: "2027-04-05T20:00:00.000Z", action: "stop" } });
    await tickSchedules(database.db, at("2027-04-05T20:00:00Z"));
    expect(await replicas("kept")).toBe(0);
    const shown = await execute(schedulesGet, { db: database.db, caller: viewer, input: { environmentId: place.environmentId, deploymentId: id }, now: at("2027-04-06T00:00:00Z") });
    expect(shown).toMatchObject({ own: null, inherited: { rule: { timeZone: "Europe/Paris" } }, firings: [{ action: "stop", state: "done" }] });
    await execute(schedulesSetEnvironment, { db: database.db, caller: admin, input: { environmentId: place.environmentId, rule: null, idleMinutes: null } });
  });

  it("are claimed anew when a process died in the middle, and do nothing a second time", async () => {
    const id = await deployed("dies");
    await call(schedulesSetDeployment, { id, rule: week, idleMinutes: null }, { now: at("2027-03-01T10:00:00Z") });
    const slot = at("2027-03-01T17:00:00Z");
    await database.db.scheduleFiring.create({ data: { id: `${id}@${slot.toISOString()}#stop`, deploymentId: id, slot, action: "stop", cause: "hours", leasedUntil: at("2027-03-01T17:01:00Z") } });
    await tickSchedules(database.db, at("2027-03-01T17:00:30Z"));
    expect(await replicas("dies")).toBe(1);
    await call(deploymentsStop, { id }); // the effect of the process that died
    await tickSchedules(database.db, at("2027-03-01T17:01:01Z"));
    expect(await acts(id)).toEqual([]);
    expect(await database.db.scheduleFiring.findFirst({ where: { deploymentId: id } })).toMatchObject({ state: "nothing", attempts: 2 });
  });

  it("are not a viewer's to change, and refuse what cannot be kept", async () => {
    const id = await deployed("guarded");
    await expect(call(schedulesSetDeployment, { id, rule: null, idleMinutes: 10 }, { caller: viewer })).rejects.toMatchObject({ code: "forbidden" });
    await expect(call(schedulesSetEnvironment, { environmentId: place.environmentId, rule: null, idleMinutes: null })).rejects.toMatchObject({ code: "forbidden" });
    await expect(call(schedulesKeep, { id, until: "2020-01-01T00:00:00Z" })).rejects.toMatchObject({ code: "unprocessable" });
    await expect(call(schedulesSetDeployment, { id, rule: { ...week, timeZone: "Mars" }, idleMinutes: null })).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("idle stop", () => {
  it("comes after the minutes without pages, not while the engine says that others use it, and not when that is unknown", async () => {
    const id = await deployed("idles");
    await call(schedulesSetDeployment, { id, rule: null, idleMinutes: 10 });
    const start = Date.now();
    const minutes = (count: number) => new Date(start + count * 60_000);
    // Before the engine has been asked, nothing is known of traffic past the portal.
    expect(await rowOf(id, minutes(5))).toMatchObject({ idleNote: expect.stringContaining("cannot be read") });
    expect(await tickSchedules(database.db, minutes(30))).toBe(0); // the first reading counts as use
    await database.db.engineUse.update({ where: { deploymentId: id }, data: { busyAt: minutes(25) } });
    expect(await tickSchedules(database.db, minutes(31))).toBe(0);
    expect(await rowOf(id, minutes(34))).toMatchObject({ next: { at: minutes(35).toISOString(), action: "stop", cause: "idle" } });
    expect(await tickSchedules(database.db, minutes(36))).toBe(1);
    expect(await replicas("idles")).toBe(0);
    expect(await database.db.sleep.findFirst({ where: { deploymentId: id } })).toMatchObject({ cause: "idle", replicas: 1, endedAt: null });
  });
});

describe("savings", () => {
  it("count only the node hours that were not paid", async () => {
    const id = await deployed("saves");
    await database.db.sleep.create({ data: { deploymentId: id, cause: "hours", replicas: 1, startedAt: at("2026-06-01T18:00:00Z"), endedAt: at("2026-06-02T08:00:00Z") } });
    const node = { environmentId: place.environmentId, deploymentId: id, node: "gpu-1", skuId: "aws-g6-xlarge", region: "us-east-1", lastSeenAt: at("2026-06-01T18:15:00Z") };
    await database.db.nodeInterval.create({ data: { ...node, startedAt: at("2026-06-01T08:00:00Z"), endedAt: at("2026-06-01T18:00:00Z") } });
    await database.db.nodeInterval.create({ data: { ...node, use: "kept", startedAt: at("2026-06-01T18:00:00Z"), endedAt: at("2026-06-01T18:15:00Z") } });
    const { deployments } = await execute(schedulesSavings, { db: database.db, caller: viewer, input: { environmentId: place.environmentId, month: "2026-06" }, now: at("2026-07-10T00:00:00Z") });
    expect(deployments).toMatchObject([{ name: "saves", asleepHours: 14, keptHours: 0.25, savedHours: 13.75, money: { currency: "USD" } }]);
    expect(deployments[0]?.money?.amount).toBeCloseTo(13.75 * 0.8048, 1);
  });
});
