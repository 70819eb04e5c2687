import { createParser } from "eventsource-parser";
import { startClusterWatch } from "@/lib/services/cluster-watch";
import { deploymentsPreview } from "@/lib/services/deployment-preview";
import { deploymentsStart, deploymentsStop } from "@/lib/services/deployment-running";
import { deploymentsApply } from "@/lib/services/deployment-writes";
import { execute } from "@/lib/services/pipeline";
import { line, percentile } from "../bench-cost/measure.ts";
import { serveLive } from "../test/live-server.ts";
import { makeSession } from "../test/principals.ts";
import type { BenchPlace } from "./place.ts";

type Pod = { metadata: { name: string; uid: string; resourceVersion: string }; status?: { conditions?: { type: string; status: string }[] } };

/** Calls `hear` with the time of every event of a topic, as a browser's tab gets it. */
async function follow(url: string, headers: Record<string, string>, hear: (state: string) => void): Promise<() => Promise<void>> {
  const response = await fetch(url, { headers });
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  const parser = createParser({ onEvent: ({ data }) => hear(data) });
  const decoder = new TextDecoder();
  void (async () => {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) parser.feed(decoder.decode(piece.value, { stream: true }));
  })().catch(() => undefined);
  return () => reader.cancel();
}

/** Resolves with the moment of the next call of `hear`, or rejects after 20 s. */
function next(): { hear: () => void; at: Promise<number> } {
  let hear = () => {};
  const at = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("Nothing was heard within 20 s.")), 20_000);
    hear = () => (clearTimeout(timer), resolve(performance.now()));
  });
  return { hear, at };
}

/** A pod that turns ready: when a raw watch of the cluster tells it, and when the browser's stream says that the deployment is ready. */
export async function measureLive(place: BenchPlace, rounds: number): Promise<void> {
  const { db, kube, environmentId, namespace, caller, personId } = place;
  const deploymentId = crypto.randomUUID();
  const call = { db, caller };
  const watch = startClusterWatch(db);
  const server = await serveLive({ db, url: place.databaseUrl });
  const { headers } = await makeSession(db, personId);
  const { digest } = await execute(deploymentsPreview, { ...call, input: { environmentId, deploymentId, spec: { name: "live", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" } } });
  await execute(deploymentsApply, { ...call, input: { digest: digest ?? "" } });
  let pod = { hear: () => {} };
  let screen = { hear: () => {} };
  const end = new AbortController();
  const isReady = (one: Pod) => one.status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") ?? false;
  void kube.watchList<Pod>({ apiVersion: "v1", resource: "pods", namespace }, { signal: end.signal, on: (event) => void (event.type === "change" && isReady(event.object) && pod.hear()) }).catch(() => undefined);
  const leave = await follow(`${server.origin}/api/events?topics=deployment:${deploymentId}`, headers, (data) => data.includes('"ready"') && screen.hear());
  await settled(place, deploymentId, "ready");
  const over: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await execute(deploymentsStop, { ...call, input: { id: deploymentId } });
    await settled(place, deploymentId, "stopped");
    const [raw, seen] = [next(), next()];
    [pod, screen] = [raw, seen];
    await execute(deploymentsStart, { ...call, input: { id: deploymentId } });
    const [rawAt, seenAt] = await Promise.all([raw.at, seen.at]);
    over.push(Math.max(0, seenAt - rawAt));
  }
  end.abort();
  await leave();
  await watch.stop();
  await server.close();
  const p95 = percentile(over, 0.95);
  line(`pod ready → browser, over the raw watch, p95 of ${rounds} (budget 200 ms)`, `${p95.toFixed(0)} ms`, 200 / p95);
}

async function settled({ db }: BenchPlace, id: string, state: string): Promise<void> {
  for (let tries = 0; tries < 2000; tries += 1) {
    const row = await db.deployment.findUniqueOrThrow({ where: { id }, select: { state: true } });
    if (row.state === state) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`The deployment did not become ${state}.`);
}
