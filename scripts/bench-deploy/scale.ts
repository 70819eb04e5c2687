import { setMaxListeners } from "node:events";
import type { Kube } from "@/lib/platform/kube";
import { line, percentile, timed } from "../bench-cost/measure.ts";
import type { BenchPlace } from "./place.ts";

type Named = { metadata: { name: string; uid: string; resourceVersion: string } };

const node = (index: number) => ({ apiVersion: "v1", kind: "Node", metadata: { name: `bench-${index}`, labels: { "bench/scale": "yes" } }, spec: { taints: [{ key: "bench", effect: "NoSchedule" }] }, status: {} });
const pod = (index: number, nodes: number) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: `bench-${index}`, labels: { "bench/scale": "yes", "bench/part": String(index % 100) } },
  spec: { nodeName: `bench-${index % Math.max(1, nodes)}`, containers: [{ name: "c", image: "registry.example/c:1", resources: { limits: { memory: "1Mi" } } }] },
});

async function createAll(kube: Kube, { path, count, build }: { path: string; count: number; build: (index: number) => object }): Promise<void> {
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let index = lane; index < count; index += 8) {
      const answer = await kube.send({ method: "POST", path, headers: { "content-type": "application/json" }, body: JSON.stringify(build(index)) });
      const text = answer.status === 201 ? "" : await new Response(answer.body as ReadableStream).text();
      answer.cancel();
      if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 200)}`);
    }
  });
  await Promise.all(lanes);
}

/** List and watch traffic as other tools make it, while the cluster is full. */
export async function measureScale({ kube, namespace }: BenchPlace, { nodes, pods, runs }: { nodes: number; pods: number; runs: number }): Promise<void> {
  const started = performance.now();
  await createAll(kube, { path: "/api/v1/nodes", count: nodes, build: node });
  await createAll(kube, { path: `/api/v1/namespaces/${namespace}/pods`, count: pods, build: (index) => pod(index, nodes) });
  console.log(`sandbox: ${nodes} nodes and ${pods} pods made in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  const list = (resource: string, options = {}) => kube.list<Named>({ apiVersion: "v1", resource, ...(resource === "pods" ? { namespace } : {}) }, options);
  const some = percentile(await timed(runs, async () => void (await list("pods", { labelSelector: "bench/part=7" }))), 0.95);
  line(`pods of one deployment among ${pods}, p95 (budget 100 ms)`, `${some.toFixed(0)} ms`, 100 / some);
  const all = await timed(Math.max(3, Math.floor(runs / 5)), async () => void (await list("pods")));
  const allNodes = await timed(Math.max(3, Math.floor(runs / 5)), async () => void (await list("nodes")));
  line(`all ${pods} pods in pages, p95 (budget 5 s)`, `${percentile(all, 0.95).toFixed(0)} ms`, 5000 / percentile(all, 0.95));
  line(`all ${nodes} nodes in pages, p95 (budget 5 s)`, `${percentile(allNodes, 0.95).toFixed(0)} ms`, 5000 / percentile(allNodes, 0.95));
  await watchMany({ kube, namespace, runs });
}

/** Twenty watches of every pod; each change must reach each of them. */
async function watchMany({ kube, namespace, runs }: { kube: Kube; namespace: string; runs: number }): Promise<void> {
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const heard: number[] = [];
  let [listed, wanted] = [0, ""];
  const watches = 20;
  for (let index = 0; index < watches; index += 1) {
    void kube
      .watchList<Named & { metadata: { annotations?: Record<string, string> } }>({ apiVersion: "v1", resource: "pods", namespace }, {
        signal: end.signal,
        on: (event) => {
          if (event.type === "list") listed += 1;
          if (event.type === "change" && event.object.metadata.annotations?.["bench/round"] === wanted) heard.push(performance.now());
        },
      })
      .catch(() => undefined);
  }
  const until = async (isDone: () => boolean, seconds = 30) => {
    for (let tries = 0; tries < seconds * 100 && !isDone(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    if (!isDone()) throw new Error("The sandbox fell silent.");
  };
  // Each of them lists everything first.
  await until(() => listed >= watches, 600);
  const delays: number[] = [];
  for (let round = 0; round < runs; round += 1) {
    heard.length = 0;
    wanted = String(round);
    const sent = performance.now();
    const body = JSON.stringify({ metadata: { annotations: { "bench/round": wanted } } });
    (await kube.send({ method: "PATCH", path: `/api/v1/namespaces/${namespace}/pods/bench-${round}`, headers: { "content-type": "application/merge-patch+json" }, body })).cancel();
    await until(() => heard.length >= watches);
    delays.push((heard.at(-1) ?? sent) - sent);
  }
  end.abort();
  const p95 = percentile(delays, 0.95);
  line(`a change to the last of ${watches} watches, p95 (budget 500 ms)`, `${p95.toFixed(0)} ms`, 500 / p95);
}
