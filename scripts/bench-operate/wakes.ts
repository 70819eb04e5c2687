import { setTimeout as wait } from "node:timers/promises";
import { startClusterWatch } from "@/lib/services/cluster-watch";
import { deploymentsDelete, deploymentsStop } from "@/lib/services/deployment-running";
import { execute } from "@/lib/services/pipeline";
import { startScheduler } from "@/lib/services/schedules-tick";
import { requestWake } from "@/lib/services/wakes";
import { caller, deploy, type Place } from "./place.ts";

const POLL_MS = 50;
const GIVE_UP_MS = 10 * 60_000;

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + GIVE_UP_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("waited for ten minutes");
    await wait(POLL_MS);
  }
}

/** The first byte of a page's answer, by the way that pages take: the Service through the API server. */
async function firstToken({ kube, namespace }: Place, name: string): Promise<boolean> {
  const path = `/api/v1/namespaces/${namespace}/services/${name}:8000/proxy/v1/chat/completions`;
  const answer = await kube.send({ method: "POST", path, headers: { "content-type": "application/json" }, body: JSON.stringify({ model: "m", stream: true, messages: [] }) });
  if (answer.status !== 200) return answer.cancel(), false;
  for await (const chunk of answer.body) if (chunk.byteLength > 0) return answer.cancel(), true;
  return false;
}

async function sleepAgain({ db }: Place, id: string): Promise<void> {
  await execute(deploymentsStop, { db, caller, input: { id } });
  await until(async () => (await db.deployment.findUniqueOrThrow({ where: { id } })).state === "stopped");
}

/** Seconds from asking to the first token: by waking, and by `scale 1` with a wait for the pod, in turns, so that a busy machine disturbs both alike. */
export async function measureWakes(place: Place, rounds: number): Promise<{ wake: number[]; bare: number[] }> {
  const { db, kube, namespace, environmentId } = place;
  const watch = startClusterWatch(db);
  const scheduler = startScheduler(db);
  const times = { wake: [] as number[], bare: [] as number[] };
  const id = await deploy(db, environmentId, "woken");
  const isReady = async () => (await db.deployment.findUniqueOrThrow({ where: { id } })).state === "ready";
  await until(isReady);
  const ref = { apiVersion: "apps/v1", resource: "deployments", namespace, name: "woken" };
  for (let round = 0; round < rounds; round += 1) {
    await sleepAgain(place, id);
    await db.sleep.updateMany({ where: { deploymentId: id, endedAt: null }, data: { cause: "hours" } });
    await db.sleep.createMany({ data: [{ deploymentId: id, cause: "hours", replicas: 1, startedAt: new Date() }], skipDuplicates: true });
    let started = performance.now();
    await requestWake(db, { deploymentId: id, userId: null, now: new Date() });
    await until(isReady);
    await until(() => firstToken(place, "woken"));
    times.wake.push((performance.now() - started) / 1000);
    await sleepAgain(place, id);
    started = performance.now();
    await kube.scale(ref, 1);
    await until(async () => ((await kube.get<{ status?: { readyReplicas?: number } }>(ref)).status?.readyReplicas ?? 0) > 0);
    await until(() => firstToken(place, "woken"));
    times.bare.push((performance.now() - started) / 1000);
    await kube.scale(ref, 0);
  }
  await scheduler.stop();
  await watch.stop();
  await execute(deploymentsDelete, { db, caller, input: { id } });
  return times;
}
