import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { useSandbox, type FaultName, type Place } from "@/scripts/test/sandbox-place";
import { startClusterWatch } from "./cluster-watch";
import { deploymentsObjects } from "./deployment-objects";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsDelete, deploymentsStop } from "./deployment-running";
import { deploymentsApply } from "./deployment-writes";
import { deploymentsGet } from "./deployments";
import { logsFollow, logsRead } from "./logs";
import { execute } from "./pipeline";

const database = useDatabase();
const sandbox = useSandbox(database, { speed: 200 });
let watch: ReturnType<typeof startClusterWatch>;
let owner: Caller;
const places = new Map<string, Place>();

/** The watch looks for new environments every ten seconds: they are all there before it starts. */
const slugs = ["ready", "faults", "logs", "change"];
beforeAll(async () => {
  for (const slug of slugs) places.set(slug, await sandbox.place(slug));
  owner = (await createPerson(database.db, "Owner", { isOwner: true })).caller;
  watch = startClusterWatch(database.db);
});
afterAll(() => watch.stop());

function placeOf(slug: string): Place {
  const place = places.get(slug);
  if (!place) throw new Error(slug);
  return place;
}

async function apply(slug: string, spec: object, deploymentId: string = randomUUID()): Promise<string> {
  const input = { environmentId: placeOf(slug).environmentId, deploymentId, spec: { modelId: "lightonocr-3-0.8b", skuId: "aws-g5-xlarge", ...spec } };
  const { digest } = await execute(deploymentsPreview, { db: database.db, caller: owner, input });
  await execute(deploymentsApply, { db: database.db, caller: owner, input: { digest } });
  return deploymentId;
}

const get = (id: string) => execute(deploymentsGet, { db: database.db, caller: owner, input: { id } });
const remove = (id: string) => execute(deploymentsDelete, { db: database.db, caller: owner, input: { id } });
const stateOf = (id: string) => async () => (await get(id)).deployment.state;

describe("a rollout that goes well", () => {
  it("gets ready with times of each step, the engine's own figures, no finding, and a usual duration for the next", async () => {
    const id = await apply("ready", { name: "well" });
    await eventually(stateOf(id), 30_000).toBe("ready");
    const view = await get(id);
    expect(view.findings).toEqual([]);
    const [rollout] = view.revisions[0]?.rollouts ?? [];
    expect(rollout).toMatchObject({ state: "ready", findings: [], facts: { weightsGib: 1.6, kvGib: 17.4 } });
    expect(view.usual.rollouts).toBe(1);
    expect(view.usual.totalSeconds).toBeGreaterThan(0);
    await remove(id);
  });

  it("is never called ready for the revision before, and says stopped when it is stopped", async () => {
    const id = await apply("change", { name: "again" });
    await eventually(stateOf(id), 30_000).toBe("ready");
    sandbox.cluster.faults.set("slow-start", placeOf("change").namespace);
    await apply("change", { name: "again", maxModelLen: 12000 }, id);
    const { state } = (await get(id)).deployment;
    const [rollout] = (await get(id)).revisions[0]?.rollouts ?? [];
    expect([state, rollout?.state]).toEqual(["working", "watching"]);
    expect((await get(id)).findings).toEqual([]);
    await execute(deploymentsStop, { db: database.db, caller: owner, input: { id } });
    await eventually(stateOf(id), 30_000).toBe("stopped");
    await remove(id);
  });
});

describe("every fault of the sandbox", () => {
  it.each<[FaultName, string[]]>([
    ["untolerated-taint", ["missing-toleration"]],
    ["no-matching-node", ["no-such-node"]],
    ["insufficient-gpu", ["gpus-taken"]],
    ["insufficient-resources", ["request-too-large"]],
    ["no-device-plugin", ["no-device-plugin"]],
    ["claim-not-found", ["claim-missing"]],
    ["claim-unbound", ["claim-unbound", "storage-class-missing"]],
    ["volume-held", ["volume-held"]],
    ["quota-exceeded", ["quota"]],
    ["pod-security", ["pod-security"]],
    ["image-pull-error", ["image-not-found"]],
    ["crash-loop", ["wrong-versions"]],
    ["out-of-memory", ["host-memory"]],
    ["gpu-out-of-memory", ["gpu-memory"]],
    ["driver-too-old", ["driver-too-old"]],
  ])("%s is explained on the deployment, with evidence, remedy and the raw line, and kept with its rollout", async (fault, ids) => {
    const { namespace } = placeOf("faults");
    sandbox.cluster.faults.set(fault, namespace);
    const id = await apply("faults", { name: `with-${fault}`.slice(0, 40).replace(/-$/, "") });
    await eventually(async () => (await get(id)).findings[0]?.id, 30_000).toSatisfy((found) => ids.includes(String(found)));
    const view = await get(id);
    const [finding] = view.findings;
    expect(finding?.remedy).toMatch(/\.$/);
    expect(finding?.evidence.join("")).not.toBe("");
    expect(view.deployment.message).toBe(finding?.cause);
    await eventually(async () => (await get(id)).revisions[0]?.rollouts[0]?.findings.map((each) => each.id)).toContain(finding?.id);
    if (fault === "gpu-out-of-memory") expect(finding?.suggestion).toEqual({ label: "Try a length of 9,000 tokens", change: { maxModelLen: 9000 } });
    sandbox.cluster.faults.set(undefined, namespace);
    await remove(id);
  });
});

describe("pods, events and logs", () => {
  it("are read from the cluster: containers, conditions, events newest first, lines with times, only new ones when followed", async () => {
    const id = await apply("logs", { name: "talking" });
    await eventually(stateOf(id), 30_000).toBe("ready");
    const { pods, events, claims } = await execute(deploymentsObjects, { db: database.db, caller: owner, input: { id } });
    expect(pods[0]?.containers[0]).toMatchObject({ name: "vllm", state: "running", isReady: true });
    expect(claims[0]).toMatchObject({ name: "talking-weights", phase: "Bound" });
    expect(events.map((event) => event.reason)).toContain("Pulled");
    const pod = pods[0]?.name ?? "";
    const read = (more: object = {}) => execute(logsRead, { db: database.db, caller: owner, input: { id, pod, ...more } });
    const log = await read();
    expect(log.lines.map(({ text }) => text).join("\n")).toContain("Application startup complete");
    expect((await read({ tailLines: 1 })).lines).toHaveLength(1);
    const follow = (after?: string) => execute(logsFollow, { db: database.db, caller: owner, input: { id, pod, after } });
    const news = (await follow(log.lines.at(-1)?.at)).lines; // the portal's own looks at the engine may stand in its log
    expect(news.filter((line) => log.lines.some(({ at, text }) => at === line.at && text === line.text))).toEqual([]);
    const seen = await database.db.auditEvent.findMany({ where: { action: "logs.read" } });
    expect(seen.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toContain("startup complete");
  });

  it("need the right to logs, and a pod of this very deployment", async () => {
    const id = await apply("logs", { name: "quiet" });
    const { caller: viewer } = await createPerson(database.db, "Viewer of logs", { roles: { [placeOf("logs").environmentId]: "viewer" } });
    await expect(execute(logsRead, { db: database.db, caller: viewer, input: { id, pod: "any" } })).rejects.toMatchObject({ code: "forbidden" });
    const other = await execute(deploymentsObjects, { db: database.db, caller: owner, input: { id: (await database.db.deployment.findFirstOrThrow({ where: { name: "talking" } })).id } });
    await expect(execute(logsRead, { db: database.db, caller: owner, input: { id, pod: other.pods[0]?.name } })).rejects.toMatchObject({ code: "not_found" });
  });
});
