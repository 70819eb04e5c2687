/**
 * `npm run bench:watch -- MINUTES` (2 by default, 60 for the hour): 50 idle watches on the sandbox cluster, or on the one of E2E_KUBECONFIG. After a third of
 * the time every connection to the sandbox goes dead without a word. At the end each watch must tell of a change, and nothing may have leaked.
 */
import { setMaxListeners } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createConnection, createServer, type AddressInfo, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseKubeconfig, type ClusterCredentials } from "@/lib/domain/kubeconfig";
import { startSandboxCluster } from "@/lib/embedded/cluster/start";
import { createKube, type Kube } from "@/lib/platform/kube";
import { createSend } from "@/lib/platform/send";

const WATCHES = 50;
const NAMESPACES = 10;
const minutes = Math.min(24 * 60, Math.max(1, Number(process.argv[2] ?? 2)));
/** Seconds after which the server ends an idle watch; 30 s later the client calls a silent one dead. */
const timeoutSeconds = Math.min(240, Math.max(10, Math.round(minutes * 10)));

type Relay = { port: number; open(): number; freeze(): void; stop(): void };

/** Passes TCP on to the cluster, and can fall silent on every present connection while it takes new ones. */
async function startRelay(target: URL): Promise<Relay> {
  const pairs = new Set<[Socket, Socket]>();
  const server = createServer((near) => {
    const far = createConnection(Number(target.port), target.hostname);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    near.pipe(far).pipe(near);
    const end = () => (near.destroy(), far.destroy(), pairs.delete(pair));
    for (const socket of pair) socket.on("close", end).on("error", end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const freeze = () => {
    for (const [near, far] of pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  };
  const stop = () => (pairs.forEach(([near, far]) => (near.destroy(), far.destroy())), server.close());
  return { port: (server.address() as AddressInfo).port, open: () => pairs.size, freeze, stop }; // a TCP server's address is an AddressInfo
}

type Place = { credentials: ClusterCredentials; relay: Relay | null; stop(): Promise<void> };

async function startPlace(): Promise<Place> {
  const file = process.env.E2E_KUBECONFIG;
  if (file) return { credentials: parseKubeconfig(readFileSync(file, "utf8")), relay: null, stop: async () => undefined };
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "bench-watch-"));
  const cluster = await startSandboxCluster({ dataDir, engineUrl: "http://127.0.0.1:1" });
  const relay = await startRelay(new URL(cluster.url));
  const credentials = { ...parseKubeconfig(cluster.kubeconfig), server: `https://127.0.0.1:${relay.port}` };
  return { credentials, relay, stop: async () => (relay.stop(), await cluster.stop(), rmSync(dataDir, { recursive: true, force: true })) };
}

type Seen = { lists: number; interruptions: number; resumed: number; heard: Map<number, number>; failed: string[] };

/** Each watch waits for a config map named as this run's canary. */
function openWatches(kube: Kube, canary: string, signal: AbortSignal): Seen {
  const seen: Seen = { lists: 0, interruptions: 0, resumed: 0, heard: new Map(), failed: [] };
  for (let index = 0; index < WATCHES; index += 1) {
    const ref = { apiVersion: "v1", resource: "configmaps", namespace: `bench-watch-${index % NAMESPACES}` };
    const hear = (name: string) => name === canary && !seen.heard.has(index) && seen.heard.set(index, performance.now());
    void kube
      .watchList(ref, {
        signal,
        timeoutSeconds,
        on: (event) => {
          if (event.type === "list") seen.lists += 1;
          if (event.type === "list") event.items.forEach((item) => hear(item.metadata.name));
          if (event.type === "interrupted") seen.interruptions += 1;
          if (event.type === "resumed") seen.resumed += 1;
          if (event.type === "change") hear(event.object.metadata.name);
        },
      })
      .catch((error: unknown) => !signal.aborted && seen.failed.push(error instanceof Error ? error.message : String(error)));
  }
  return seen;
}

const object = (kind: string, name: string, namespace = "") => ({ apiVersion: "v1", kind, metadata: { name, namespace, labels: {} } });
const memory = () => (globalThis.gc?.(), { heapMb: process.memoryUsage().heapUsed / 2 ** 20, rssMb: process.memoryUsage().rss / 2 ** 20, handles: process.getActiveResourcesInfo().filter((one) => one !== "Timeout" && one !== "Immediate").length });
const fixed = (value: number | undefined) => (value === undefined ? "–" : value.toFixed(1));

async function makeNamespaces(kube: Kube): Promise<void> {
  for (let index = 0; index < NAMESPACES; index += 1) {
    const { metadata, ...rest } = object("Namespace", `bench-watch-${index}`);
    const body = JSON.stringify({ ...rest, metadata: { name: metadata.name } });
    const answer = await kube.send({ method: "PATCH", path: `/api/v1/namespaces/${metadata.name}?fieldManager=bench`, headers: { "content-type": "application/apply-patch+yaml" }, body });
    answer.cancel();
  }
}

/** Writes the canary into every namespace and waits up to 10 s until each watch has told of it; answers the delays in ms, sorted. */
async function soundAll(kube: Kube, canary: string, seen: Seen): Promise<number[]> {
  const written = new Map<number, number>();
  for (let index = 0; index < NAMESPACES; index += 1) {
    written.set(index, performance.now());
    await kube.apply(object("ConfigMap", canary, `bench-watch-${index}`), { fieldManager: "bench" });
  }
  for (let left = 100; left > 0 && seen.heard.size < WATCHES; left -= 1) await wait(100);
  return [...seen.heard].map(([index, at]) => at - (written.get(index % NAMESPACES) ?? at)).sort((a, b) => a - b);
}

async function main(): Promise<boolean> {
  const { credentials, relay, stop } = await startPlace();
  const { server, ...rest } = credentials;
  const kube = createKube(createSend({ origin: server, ...rest, allowLoopback: true, allowPrivate: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"] }));
  await makeNamespaces(kube);
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const canary = `canary-${Date.now()}`;
  const seen = openWatches(kube, canary, end.signal);
  console.log(`${WATCHES} idle watches, ${minutes} min, each ended by the server after ${timeoutSeconds} s${relay ? "; every connection goes dead without a word after a third of the time" : ""}`);
  await wait(minutes * 60_000 * 0.2);
  const before = { ...memory(), open: relay?.open() };
  await wait(minutes * 60_000 * 0.13);
  relay?.freeze();
  await wait(minutes * 60_000 * 0.67);
  const after = { ...memory(), open: relay?.open() };
  const delays = await soundAll(kube, canary, seen);
  end.abort();
  for (let index = 0; index < NAMESPACES; index += 1) await kube.remove({ apiVersion: "v1", resource: "namespaces", name: `bench-watch-${index}` });
  await stop();
  console.log(`lists ${seen.lists}, interruptions noticed ${seen.interruptions}, resumed without a new list ${seen.resumed}, given up ${seen.failed.length}`);
  console.log(`heap ${fixed(before.heapMb)} → ${fixed(after.heapMb)} MB, resident ${fixed(before.rssMb)} → ${fixed(after.rssMb)} MB, handles ${before.handles} → ${after.handles}, connections ${before.open ?? "–"} → ${after.open ?? "–"}`);
  console.log(`a change reached ${delays.length} of ${WATCHES} watches: p50 ${fixed(delays[Math.floor(delays.length / 2)])} ms, p95 ${fixed(delays[Math.floor(delays.length * 0.95)])} ms, last ${fixed(delays.at(-1))} ms`);
  const leaked = after.heapMb / before.heapMb;
  console.log(`watches alive ${delays.length / WATCHES} (budget 1); heap after over before ${leaked.toFixed(2)} (budget 1.25)`);
  return delays.length === WATCHES && leaked < 1.25;
}

process.exitCode = (await main()) ? 0 : 1;
process.exit();
