import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { alertsList, alertsRules, alertsSetRules } from "./alerts";
import { lookForAlerts } from "./alerts-look";
import { healthGet } from "./health";
import { pruneHealth } from "./health-look";
import { execute } from "./pipeline";

const database = useDatabase();
const MINUTE = 60_000;
const now = new Date("2026-11-30T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE);
let environmentId: string, deploymentId: string, admin: Caller, viewer: Caller, stranger: Caller;
beforeAll(async () => {
  ({ id: environmentId } = await database.db.environment.create({ data: { slug: "alerts", name: "Alerts", kind: "staging", namespace: "lectern-alerts" } }));
  const spec = { name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" };
  ({ id: deploymentId } = await database.db.deployment.create({ data: { environmentId, name: "ocr", spec, state: "ready", stateSince: ago(600) } }));
  await database.db.notificationChannels.create({ data: { environmentId, webhookUrl: "https://chat.example.test/hook", emails: ["team@example.test"] } });
  admin = (await createPerson(database.db, "Admin", { roles: { [environmentId]: "admin" } })).caller;
  viewer = (await createPerson(database.db, "Viewer", { roles: { [environmentId]: "viewer" } })).caller;
  stranger = (await createPerson(database.db, "Stranger")).caller;
});

const set = (rules: { kind: "not_ready" | "truncation" | "queue"; threshold: number }[], caller = admin) => execute(alertsSetRules, { db: database.db, caller, input: { environmentId, rules } });
const list = async (caller = viewer) => (await execute(alertsList, { db: database.db, caller, input: {} })).alerts;
const notices = () => database.db.notification.findMany({ where: { environmentId }, orderBy: { createdAt: "asc" }, include: { deliveries: true } });
const sample = (minutes: number, more: object) => database.db.healthSample.create({ data: { deploymentId, at: ago(minutes), ...more } });

describe("alert rules", () => {
  it("are an admin's to set, within their bounds, and leave one audit event", async () => {
    await expect(set([{ kind: "queue", threshold: 10 }], viewer)).rejects.toMatchObject({ code: "forbidden" });
    await expect(set([{ kind: "truncation", threshold: 101 }])).rejects.toMatchObject({ code: "unprocessable", message: expect.stringContaining("1 to 100 %") });
    await set([{ kind: "queue", threshold: 10 }]);
    await set([{ kind: "not_ready", threshold: 30 }, { kind: "truncation", threshold: 5 }, { kind: "queue", threshold: 200 }]);
    expect((await execute(alertsRules, { db: database.db, caller: viewer, input: { environmentId } })).rules).toHaveLength(3);
    expect(await database.db.auditEvent.count({ where: { action: "alerts.setRules", outcome: "success" } })).toBe(2);
  });

  it("tell once, by webhook and e-mail, when one begins to be broken, and once when it is over, with two schedulers looking", async () => {
    await sample(10, { pages: 100, truncated: 20, waiting: 3 });
    const began = await Promise.all([lookForAlerts(database.db, now), lookForAlerts(database.db, now)]);
    expect(began.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await list()).toMatchObject([{ kind: "truncation", deploymentName: "ocr", endedAt: null, sentence: expect.stringContaining("20 of the last hour's 100 pages") }]);
    expect(await list(stranger)).toEqual([]);
    const [notice] = await notices();
    expect(notice).toMatchObject({ kind: "alert", path: `/deployments/${deploymentId}` });
    expect(notice?.deliveries.map((each) => each.channel).sort()).toEqual(["email", "webhook"]);
    await lookForAlerts(database.db, new Date(now.getTime() + 5 * MINUTE));
    expect(await notices()).toHaveLength(1);
    await lookForAlerts(database.db, new Date(now.getTime() + 70 * MINUTE));
    expect(await list()).toMatchObject([{ kind: "truncation", endedAt: expect.any(String) }]);
    expect((await notices()).map((each) => each.subject)).toEqual(["ocr", "ocr is well again"]);
  });

  it("speak of what is not ready and of a long queue, and not of what sleeps", async () => {
    await database.db.deployment.update({ where: { id: deploymentId }, data: { state: "failed", message: "0/5 nodes are available.", stateSince: ago(31) } });
    await database.db.healthSample.deleteMany();
    await sample(12, { waiting: 1 });
    await sample(5, { waiting: 500 });
    expect(await lookForAlerts(database.db, now)).toBe(2);
    const open = (await list()).filter((each) => each.endedAt === null);
    expect(open.map((each) => each.kind).sort()).toEqual(["not_ready", "queue"]);
    expect(open.find((each) => each.kind === "not_ready")?.sentence).toBe("ocr has not been ready for 31 minutes. 0/5 nodes are available.");
    await database.db.deployment.update({ where: { id: deploymentId }, data: { state: "stopped", spec: { name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", replicas: 0 } } });
    await lookForAlerts(database.db, new Date(now.getTime() + 20 * MINUTE));
    expect((await list()).filter((each) => each.endedAt === null)).toEqual([]);
  });
});

describe("health over time", () => {
  it("shows the last day in points, with the alerts on it, and gaps as gaps", async () => {
    const health = await execute(healthGet, { db: database.db, caller: viewer, input: { id: deploymentId }, now });
    expect(health.points).toHaveLength(96);
    expect(health.points.filter((point) => point.waiting !== null).map((point) => point.waiting)).toContain(500);
    expect(health.points.filter((point) => point.waiting === null).length).toBeGreaterThan(90);
    expect(health.events.filter((event) => event.kind === "alert")).toHaveLength(3);
    await expect(execute(healthGet, { db: database.db, caller: stranger, input: { id: deploymentId } })).rejects.toMatchObject({ code: "not_found" });
  });

  it("is kept for a month", async () => {
    await sample(31 * 24 * 60, { pages: 5 });
    expect(await pruneHealth(database.db, now)).toBe(1);
    expect(await database.db.healthSample.count()).toBe(2);
  });
});
