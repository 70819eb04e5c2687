import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { ownFolder } from "@/scripts/test/gateway-place";
import { approvalsApprove } from "./approvals";
import { approvalsList } from "./approval-list";
import { assertBudget, budgetsGet, budgetsRemove, budgetsRequest, budgetsSet } from "./budgets";
import { watchBudgets, watchCheaperSide } from "./costs-watch";
import { deploymentsStart } from "./deployment-running";
import { deploymentsApply } from "./deployment-writes";
import { execute } from "./pipeline";
import { fire } from "./schedules-fire";

ownFolder();
const database = useDatabase();
type Person = Awaited<ReturnType<typeof createPerson>>;
let environmentId: string, deploymentId: string, admin: Person, deployer: Person, owner: Person;
const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 10, day, hour));
const call = (who: Person, input: object, now = at(16)) => ({ db: database.db, caller: who.caller, input, now });
const set = (budget: object) => execute(budgetsSet, call(admin, { environmentId, budget }));
const start = (now: Date) => execute(deploymentsStart, call(deployer, { id: deploymentId }, now));

beforeAll(async () => {
  const { db } = database;
  environmentId = await createEnvironment(db, "production");
  admin = await createPerson(db, "Admin", { roles: { [environmentId]: "admin" } });
  deployer = await createPerson(db, "Deployer", { roles: { [environmentId]: "deployer" } });
  owner = await createPerson(db, "Owner", { isOwner: true });
  const spec = { name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", replicas: 0 };
  deploymentId = (await db.deployment.create({ data: { environmentId, name: "ocr", spec, state: "stopped" } })).id;
  // Ten days of one node at 0.8048: 240 h, 193.15 USD.
  await db.nodeInterval.create({ data: { environmentId, deploymentId, node: "n1", skuId: "aws-g6-xlarge", region: "us-east-1", startedAt: at(1), endedAt: at(11), lastSeenAt: at(11) } });
});
beforeEach(async () => void (await database.db.budget.deleteMany()));

/** What a start meets: the budget's refusal, or the next step, which here lacks a cluster. */
const refusal = async (now: Date) => start(now).then(() => "", (error: Error) => error.message.replaceAll(/[\u202f\u00a0]/g, " "));

describe("a budget that is used up", () => {
  it("blocks a start by a person, and by the schedule, and names the limit and the way on", async () => {
    await set({ kind: "node_hours", amount: "240", rule: "block" });
    expect(await refusal(at(12))).toBe("The node-hour budget of November 2026 is used up: 240.00 h of 240.00 h (100 %). An admin of the environment can raise it; else it starts anew with the next month.");
    const due = { id: `${deploymentId}:start`, deploymentId, slot: at(12), action: "start" as const, cause: "hours" as const };
    await database.db.scheduleFiring.create({ data: { ...due, leasedUntil: at(13) } });
    await fire(database.db, due, { now: at(12), attempt: 1 });
    expect(await database.db.scheduleFiring.findUniqueOrThrow({ where: { id: due.id } })).toMatchObject({ state: "failed", message: expect.stringContaining("used up") });
  });

  it("lets through what is not used up, another month, and what only warns", async () => {
    await set({ kind: "node_hours", amount: "240.01", rule: "block" });
    expect(await refusal(at(12))).not.toContain("budget");
    await set({ kind: "node_hours", amount: "100", rule: "block" });
    await expect(assertBudget(database.db, { environmentId, now: new Date(Date.UTC(2026, 11, 2)) })).resolves.toBeUndefined();
    await set({ kind: "node_hours", amount: "100", rule: "warn" });
    expect(await refusal(at(12))).not.toContain("budget");
  });

  it("counts money at the prices in force, in its own currency", async () => {
    await set({ kind: "money", amount: "193.15", currency: "USD", rule: "block" });
    expect(await refusal(at(12))).toContain("193.15 USD of 193.15 USD");
    await set({ kind: "money", amount: "193.16", currency: "USD", rule: "block" });
    await expect(assertBudget(database.db, { environmentId, now: at(12) })).resolves.toBeUndefined();
    await set({ kind: "money", amount: "150", currency: "EUR", rule: "block" });
    expect(await refusal(at(12))).toContain("of 150.00 EUR");
  });

  it("asks for an approval by somebody else, which holds for a day", async () => {
    await set({ kind: "node_hours", amount: "200", rule: "approve" });
    expect(await refusal(at(12))).toContain("Ask for an approval");
    const { id } = await execute(budgetsRequest, call(deployer, { environmentId, kind: "node_hours", reason: "the month's end" }, at(12)));
    expect(await refusal(at(12, 1))).toContain("Ask for an approval");
    await expect(execute(approvalsApprove, call(deployer, { id }, at(12, 1)))).rejects.toMatchObject({ code: "forbidden" });
    await execute(approvalsApprove, call(owner, { id }, at(12, 1)));
    expect((await execute(approvalsList, call(owner, {}, at(12, 1)))).approvals[0]).toMatchObject({ title: "Go beyond the node-hour budget of November 2026", state: "approved" });
    expect(await refusal(at(12, 2))).not.toContain("budget");
    expect(await refusal(at(13, 2))).toContain("Ask for an approval");
    await set({ kind: "node_hours", amount: "201", rule: "approve" });
    expect(await refusal(at(12, 2))).toContain("Ask for an approval"); // another budget than the one that was decided on
  });

  it("meets a deployment as it meets a start: refused by the rule, let through by an approval", async () => {
    const digest = "b".repeat(64);
    const preview = { digest, environmentId, deploymentId, number: 1, spec: { name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" }, manifests: [], live: [], shown: {}, createdAt: at(12), expiresAt: at(20) };
    await database.db.preview.create({ data: preview });
    const apply = (now: Date) => execute(deploymentsApply, call(deployer, { digest }, now)).then(() => "", (error: Error) => error.message);
    await set({ kind: "node_hours", amount: "240", rule: "block" });
    expect(await apply(at(12))).toContain("budget of November 2026 is used up");
    await set({ kind: "node_hours", amount: "239", rule: "approve" });
    expect(await apply(at(12))).toContain("Ask for an approval");
    const { id } = await execute(budgetsRequest, call(deployer, { environmentId, kind: "node_hours", reason: "the month's end" }, at(12)));
    const asked = (await execute(approvalsList, call(owner, { environmentId }, at(12)))).approvals.find((one) => one.id === id);
    expect(asked).toMatchObject({ about: "budget", mayUse: false });
    // What decides on it sees: the budget by the request's id, with how far it is used.
    expect((await execute(budgetsGet, call(owner, { environmentId }, at(12)))).budgets).toMatchObject([{ approval: { id, state: "pending" }, sentence: expect.stringContaining("is used up") }]);
    await execute(approvalsApprove, call(owner, { id }, at(12, 1)));
    expect(await apply(at(12, 2))).not.toContain("budget");
  });

  it("is set by admins, seen by viewers with its state, and removed", async () => {
    await expect(execute(budgetsSet, call(deployer, { environmentId, budget: { kind: "node_hours", amount: "1", rule: "warn" } }))).rejects.toMatchObject({ code: "forbidden" });
    await set({ kind: "node_hours", amount: "1000", rule: "warn" });
    const { budgets } = await execute(budgetsGet, call(deployer, { environmentId }, at(11)));
    expect(budgets).toMatchObject([{ kind: "node_hours", state: "fine", used: "240.000000000", share: "0.2400", forecast: "720.000000000" }]);
    await execute(budgetsRemove, call(admin, { environmentId, kind: "node_hours" }));
    expect((await execute(budgetsGet, call(admin, { environmentId }))).budgets).toEqual([]);
  });
});

describe("notices about costs", () => {
  const said = async () => (await database.db.notification.findMany({ orderBy: { createdAt: "asc" } })).map(({ subject }) => subject.replaceAll(/[\u202f\u00a0]/g, " "));

  it("say once that a budget will not last, is used to 80 %, and is used up", async () => {
    await set({ kind: "node_hours", amount: "260", rule: "block" });
    for (const day of [3, 3, 8, 8, 10, 10, 11]) await watchBudgets(database.db, at(day));
    expect(await said()).toEqual(["The node-hour budget will not last the month", "The node-hour budget is used to 83 %"]);
    await set({ kind: "node_hours", amount: "230", rule: "block" });
    await watchBudgets(database.db, at(20));
    expect((await said()).at(-1)).toBe("The node-hour budget is used up");
    expect((await database.db.notification.findFirstOrThrow({ orderBy: { createdAt: "desc" } })).sentence).toContain("Nothing starts here meanwhile.");
  });

  it("say once when the cheaper side changes from one month to the next", async () => {
    const october = { environmentId, deploymentId, node: "n0", skuId: "aws-g6-xlarge", region: "us-east-1", startedAt: new Date(Date.UTC(2026, 9, 1)), endedAt: new Date(Date.UTC(2026, 9, 31)), lastSeenAt: new Date(Date.UTC(2026, 9, 31)) };
    await database.db.nodeInterval.create({ data: october });
    const hours = (month: number, pages: number) => ({ environmentId, hour: new Date(Date.UTC(2026, month, 1, 9)), modelId: "lightonocr-3-1b", skuKey: "aws-g6-xlarge", feature: "batch", pages, promptTokens: 0, completionTokens: 0, seconds: 0 });
    await database.db.usageHour.createMany({ data: [hours(9, 1_000_000), hours(10, 1_000)] });
    expect(await watchCheaperSide(database.db, at(11))).toBe(1);
    expect(await watchCheaperSide(database.db, at(11, 5))).toBe(0);
    expect((await said()).at(-1)).toBe("Textract has become the cheaper side");
  });
});
