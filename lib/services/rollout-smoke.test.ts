import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { startStandInEngine, type Behaviour, type StandInEngine } from "@/scripts/test/stand-in-engine";
import { startClusterWatch } from "./cluster-watch";
import { deploymentsPreview } from "./deployment-preview";
import { measuredPair, measuredRate } from "./deployment-rate";
import { deploymentsApply } from "./deployment-writes";
import { deploymentsGet } from "./deployments";
import { execute } from "./pipeline";
import { smokeTest } from "./rollout-smoke";

const database = useDatabase();
let behaviour: Behaviour = { kind: "answer", text: "<|text|>Berth occupancy" };
let engine: StandInEngine;
const sandbox = useSandbox(database, {
  speed: 200,
  engineUrl: async () => {
    engine = await startStandInEngine({ behave: () => behaviour });
    return engine.url;
  },
});

let place: Place;
let owner: Caller;
let watch: ReturnType<typeof startClusterWatch>;
beforeAll(async () => {
  place = await sandbox.place("smoke");
  owner = (await createPerson(database.db, "Owner", { isOwner: true })).caller;
  watch = startClusterWatch(database.db);
});
afterAll(async () => {
  await watch.stop();
  await engine.stop();
});

const spec = { modelId: "lightonocr-3-0.8b", skuId: "aws-g5-xlarge" };
const preview = (deploymentId: string, name: string) => execute(deploymentsPreview, { db: database.db, caller: owner, input: { environmentId: place.environmentId, deploymentId, spec: { ...spec, name } } });

async function deployed(name: string): Promise<string> {
  const deploymentId = randomUUID();
  const { digest } = await preview(deploymentId, name);
  await execute(deploymentsApply, { db: database.db, caller: owner, input: { digest } });
  return deploymentId;
}
const smokeOf = async (id: string) => (await execute(deploymentsGet, { db: database.db, caller: owner, input: { id } })).revisions[0]?.rollouts[0]?.smoke;

it("reads one sample page through the service once it is ready, and keeps how fast it was", async () => {
  const id = await deployed("proven");
  await eventually(async () => (await smokeOf(id))?.state, 30_000).toBe("read");
  const smoke = await smokeOf(id);
  expect(smoke).toMatchObject({ state: "read", sample: "scan-simple.pdf", pagesPerSecond: expect.any(Number) });
  expect(JSON.stringify(await database.db.rollout.findMany())).not.toContain("Berth");
  await smokeTest(database.db, id, new AbortController().signal); // another process that saw the same
  expect(engine.asked).toHaveLength(1);
  const rate = await measuredRate(database.db, id);
  expect(rate).toMatchObject({ from: "smoke", pages: 1, pagesPerSecond: smoke?.state === "read" ? smoke.pagesPerSecond : 0 });
  expect(await measuredPair(database.db, spec, sandbox.clusterId)).toEqual(rate);
  expect((await preview(randomUUID(), "another")).summary.at(-1)).toContain("Measured here: this model on this size read a sample page in");
  const hour = { environmentId: place.environmentId, deploymentKey: id, modelId: spec.modelId, feature: "batch", promptTokens: 0n, completionTokens: 5000n };
  await database.db.usageHour.create({ data: { ...hour, hour: new Date(Date.now() - 3_600_000), pages: 40, seconds: 80 } });
  expect(await measuredRate(database.db, id)).toMatchObject({ from: "portal", pages: 40, pagesPerSecond: 0.5, tokensPerSecond: 62.5 });
});

it("says so when an engine that calls itself ready reads nothing", async () => {
  behaviour = { kind: "status", status: 400, body: "no such model" };
  const id = await deployed("hollow");
  await eventually(async () => (await smokeOf(id))?.state, 30_000).toBe("failed");
  expect(await smokeOf(id)).toMatchObject({ message: expect.stringMatching(/\.$/) });
  expect(await measuredRate(database.db, id)).toBeNull();
});
