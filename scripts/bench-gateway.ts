/**
 * npm run bench:gateway [-- --pages 96 --seconds 1]: the gateway against the direct call, in one run. Three processes: a stand-in engine that
 * takes a constant time a page, the gateway's routes on a plain HTTP server, and this one, which asks.
 */
import { fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const argument = (name: string, usual: number) => Number(process.argv[process.argv.indexOf(`--${name}`) + 1] ?? usual) || usual;
const secondsPerPage = argument("seconds", 1);
const picture = `data:image/png;base64,${randomBytes(300_000).toString("base64")}`;

function startEngine(): void {
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const piece = (content: string, finish: string | null = null) => event({ id: "c", created: 1, model: "stand-in", choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
  const server = createServer((incoming, outgoing) => {
    incoming.on("end", () => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write(piece("word "));
      setTimeout(() => outgoing.end(`${piece("more")}${piece("", "stop")}${event({ choices: [], usage: { prompt_tokens: 2000, completion_tokens: 2 } })}data: [DONE]\n\n`), secondsPerPage * 1000);
    });
    incoming.resume();
  });
  server.listen(0, "127.0.0.1", 4096, () => process.send?.((server.address() as AddressInfo).port)); // a TCP server has a port
}

async function startGateway(): Promise<void> {
  const { connect } = await import("@/lib/platform/db");
  const { createSend } = await import("@/lib/platform/send");
  const { createGateway } = await import("@/lib/services/gateway");
  const { answerChat } = await import("@/lib/services/gateway-chat");
  const { serveRoute } = await import("./test/serve-route");
  const send = createSend({ origin: process.env.BENCH_ENGINE ?? "", allowLoopback: true });
  const engine = { deploymentId: process.env.BENCH_DEPLOYMENT ?? "", modelId: "lightonocr-3-1b", servedName: "stand-in", skuId: null, hasThinkingSwitch: false, route: "direct" as const, send };
  const unlimited = { pagesPerMinute: { token: 1e9, user: 1e9, environment: 1e9 }, refusedPerMinute: 60, parallel: 4096 };
  const gateway = createGateway(connect(process.env.DATABASE_URL ?? ""), { limits: unlimited, engineOf: async () => engine });
  const { origin } = await serveRoute((incoming) => answerChat(gateway, incoming));
  process.on("message", () => process.send?.({ rss: process.memoryUsage().rss, cpu: process.cpuUsage() }));
  process.send?.(Number(new URL(origin).port));
}

type Facts = { rss: number; cpu: { user: number; system: number } };
const told = <T>(child: ChildProcess) => new Promise<T>((resolve) => child.once("message", (message) => resolve(message as T))); // our own children
const ask = (child: ChildProcess) => {
  const answer = told<Facts>(child);
  child.send("facts");
  return answer;
};

type Target = { port: number; key: string; model: string };

function onePage(target: Target, agent: Agent, stream: boolean): Promise<number> {
  const body = JSON.stringify({ model: target.model, messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: picture } }] }], stream });
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body), authorization: `Bearer ${target.key}` };
    const outgoing = request({ host: "127.0.0.1", port: target.port, path: "/v1/chat/completions", method: "POST", agent, headers }, (incoming) => {
      incoming.resume();
      incoming.on("error", reject);
      incoming.on("end", () => (incoming.statusCode === 200 ? resolve(performance.now() - started) : reject(new Error(`status ${incoming.statusCode}`))));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

type Measured = { perSecond: number; p50: number };

async function measure(target: Target, { parallel, pages, stream }: { parallel: number; pages: number; stream: boolean }): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  const times: number[] = [];
  let left = pages;
  const started = performance.now();
  await Promise.all(Array.from({ length: parallel }, async () => {
    while (left-- > 0) times.push(await onePage(target, agent, stream));
  }));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  return { perSecond: pages / seconds, p50: times[Math.floor(times.length / 2)] ?? 0 };
}

async function prepare(url: string) {
  const { connect } = await import("@/lib/platform/db");
  const { createEnvironment, createPerson } = await import("./test/callers");
  const { makeApiKey, makeDeployment } = await import("./test/gateway-place");
  const db = connect(url);
  const slug = `bench-${Date.now()}`;
  const cluster = await db.cluster.create({ data: { name: slug, kind: "linked", server: "https://bench.invalid", sealedCredentials: new Uint8Array(), fingerprint: "" } });
  const environmentId = await createEnvironment(db, slug);
  await db.environment.update({ where: { id: environmentId }, data: { clusterId: cluster.id } });
  const { id } = await createPerson(db, slug, { roles: { [environmentId]: "analyst" } });
  const deploymentId = await makeDeployment(db, environmentId, { name: "stand-in" });
  const key = await makeApiKey(db, id);
  return { db, deploymentId, key, model: `${slug}/stand-in`, counted: () => db.usageEntry.count({ where: { environmentId } }) };
}

async function main(): Promise<void> {
  const { startPostgres } = await import("./postgres.ts");
  const { migrate } = await import("./migrate.ts");
  const database = await startPostgres({ dir: ".data/bench/pg", database: "bench" });
  await migrate(database.url);
  const place = await prepare(database.url);
  const engine = fork(self, ["engine", "--seconds", String(secondsPerPage)]);
  const enginePort = await told<number>(engine);
  const gateway = fork(self, ["gateway"], { env: { ...process.env, DATABASE_URL: database.url, LECTERN_LOG_LEVEL: "silent", BENCH_ENGINE: `http://127.0.0.1:${enginePort}`, BENCH_DEPLOYMENT: place.deploymentId } });
  const through: Target = { port: await told<number>(gateway), key: place.key, model: place.model };
  const direct: Target = { port: enginePort, key: "none", model: "stand-in" };
  console.log(`${os.cpus()[0]?.model}, ${os.availableParallelism()} cores, load ${os.loadavg()[0]?.toFixed(1)}; ${secondsPerPage} s a page, pictures of 300 kB`);
  await measure(through, { parallel: 8, pages: 16, stream: true });
  let asked = 16;
  for (const stream of [false, true]) {
    for (const parallel of [1, 8, 32, 256]) {
      const work = { parallel, stream, pages: parallel === 1 ? 10 : parallel * 4 };
      const [bare, before] = [await measure(direct, work), await ask(gateway)];
      const passed = await measure(through, work);
      const after = await ask(gateway);
      asked += work.pages;
      const cpu = (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1e6;
      console.log(
        `${stream ? "stream" : "whole "} ${String(parallel).padStart(3)} at once: direct ${bare.perSecond.toFixed(1)}/s, gateway ${passed.perSecond.toFixed(1)}/s (${(passed.perSecond / bare.perSecond).toFixed(3)}), ` +
          `p50 +${(passed.p50 - bare.p50).toFixed(1)} ms, ${(work.pages / cpu).toFixed(0)} pages a CPU second, memory ${Math.round(before.rss / 1e6)} → ${Math.round(after.rss / 1e6)} MB`,
      );
    }
  }
  console.log(`pages answered ${asked}, pages counted ${await place.counted()}`);
  engine.kill();
  gateway.kill();
  await place.db.$disconnect();
  await database.stop();
}

if (process.argv[2] === "engine") startEngine();
else if (process.argv[2] === "gateway") await startGateway();
else await main();
