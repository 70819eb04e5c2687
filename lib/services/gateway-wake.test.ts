import { randomUUID } from "node:crypto";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { makeApiKey, makeDeployment, ownFolder, serveGateway } from "@/scripts/test/gateway-place";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { startStandInEngine, type StandInEngine } from "@/scripts/test/stand-in-engine";
import { startClusterWatch } from "./cluster-watch";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsStop } from "./deployment-running";
import { deploymentsApply } from "./deployment-writes";
import { execute } from "./pipeline";
import { tendWakes } from "./wakes-tend";

ownFolder();
const at = useDatabase();
const sandbox = useSandbox(at);
let place: Place, engine: StandInEngine, apiKey: string;
let watch: ReturnType<typeof startClusterWatch>;

beforeAll(async () => {
  engine = await startStandInEngine({ behave: () => ({ kind: "answer", text: "awake" }) });
  place = await sandbox.place("gateway-wakes");
  const { id } = await createPerson(at.db, "Program", { roles: { [place.environmentId]: "analyst" } });
  apiKey = await makeApiKey(at.db, id);
  watch = startClusterWatch(at.db);
});
afterAll(async () => {
  await watch.stop();
  await engine.stop();
});

const stateOf = async (id: string) => (await at.db.deployment.findUniqueOrThrow({ where: { id } })).state;
const messages = [{ role: "user" as const, content: [{ type: "image_url" as const, image_url: { url: `data:image/png;base64,${Buffer.from("page").toString("base64")}` } }] }];

async function asleep(name: string, cause: "hours" | "person"): Promise<string> {
  const caller = await sandbox.deployer(place, `Deployer of ${name}`);
  const deploymentId = randomUUID();
  const { digest } = await execute(deploymentsPreview, { db: at.db, caller, input: { environmentId: place.environmentId, deploymentId, spec: { name, modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" } } });
  await execute(deploymentsApply, { db: at.db, caller, input: { digest } });
  await eventually(() => stateOf(deploymentId), 20_000).toBe("ready");
  await execute(deploymentsStop, { db: at.db, caller, input: { id: deploymentId } });
  await eventually(() => stateOf(deploymentId), 20_000).toBe("stopped");
  await at.db.sleep.updateMany({ where: { deploymentId, endedAt: null }, data: { endedAt: new Date() } });
  await at.db.sleep.create({ data: { deploymentId, cause, replicas: 1, startedAt: new Date(Date.now() - 1000) } });
  return deploymentId;
}

describe("a deployment that sleeps", () => {
  it("is woken once for all who ask, who wait in a bounded line and are answered; more are told when to come back", async () => {
    const id = await asleep("napper", "hours");
    const gateway = await serveGateway(at.db, { engines: new Map([[id, engine.url]]), mostWaking: 3, wakeWaitMs: 60_000 });
    const client = new OpenAI({ apiKey, baseURL: `${gateway.origin}/v1`, maxRetries: 0 });
    const ask = () => client.chat.completions.create({ model: "gateway-wakes/napper", messages });
    const waiting = [ask(), ask(), ask()];
    await eventually(() => gateway.gateway.waking.get(id)).toBe(3);
    const refused = await ask().catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 429, message: expect.stringContaining("3 requests wait for napper to wake") });
    expect(Number((refused as InstanceType<typeof OpenAI.RateLimitError>).headers?.get("retry-after"))).toBeGreaterThan(0);
    expect(await at.db.wake.count({ where: { deploymentId: id } })).toBe(1);
    await eventually(async () => {
      await tendWakes(at.db, new Date());
      return stateOf(id);
    }, 20_000).toBe("ready");
    const answers = await Promise.all(waiting);
    expect(answers.map((answer) => answer.choices[0]?.message.content)).toEqual(["awake", "awake", "awake"]);
    expect(await at.db.usageEntry.count()).toBe(3);
    expect(gateway.gateway.waking.size).toBe(0);
    await gateway.close();
  }, 90_000);

  it("stays asleep when a person stopped it, and takes longer than one waits: 503, and when to come back", async () => {
    await makeDeployment(at.db, place.environmentId, { name: "loading", state: "working" });
    const stopped = await asleep("stopped", "person");
    const gateway = await serveGateway(at.db, { wakeWaitMs: 600 });
    const client = new OpenAI({ apiKey, baseURL: `${gateway.origin}/v1`, maxRetries: 0 });
    await expect(client.chat.completions.create({ model: "gateway-wakes/stopped", messages })).rejects.toMatchObject({ status: 503, message: expect.stringContaining("was stopped by a person") });
    expect(await at.db.wake.count({ where: { deploymentId: stopped } })).toBe(0);
    const slow = await client.chat.completions.create({ model: "gateway-wakes/loading", messages }).catch((error: unknown) => error);
    expect(slow).toMatchObject({ status: 503, message: expect.stringContaining("loading is starting") });
    expect((slow as InstanceType<typeof OpenAI.InternalServerError>).headers?.get("retry-after")).toBe("15");
    await gateway.close();
  }, 90_000);
});
