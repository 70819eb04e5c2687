/**
 * npm run bench:gateway [-- --seconds 1 --pages 6 --rounds 2 --parallel 1,8,32 --saturate 256 --pieces 40]: the gateway against the direct call, in
 * one run. Three processes: a stand-in engine that takes a constant time a page, the gateway's routes on a plain HTTP server, and this one, which
 * asks. Direct and gateway take turns, `rounds` times each; lanes start evenly over one page's time, as clients do that do not wait for each other.
 */
import { fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const argument = (name: string, usual: string) => (process.argv.includes(`--${name}`) ? (process.argv[process.argv.indexOf(`--${name}`) + 1] ?? usual) : usual);
const seconds = Number(argument("seconds", "1"));
const pieces = Number(argument("pieces", "40"));

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const piece = (content: string, finish: string | null = null) => event({ id: "c", created: 1, model: "stand-in", choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
const usage = { prompt_tokens: 2000, completion_tokens: 40, total_tokens: 2040 };

/** Writes a page over its constant time, whole or piece by piece, as it was asked. */
async function answer(outgoing: ServerResponse, isStream: boolean): Promise<void> {
  if (!isStream) {
    await pause(seconds * 1000);
    return void outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ id: "c", choices: [{ message: { role: "assistant", content: "word" }, finish_reason: "stop" }], usage }));
  }
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  const started = performance.now();
  for (let sent = 1; sent <= pieces; sent += 1) {
    outgoing.write(piece("word "));
    await pause(Math.max(0, started + (sent * seconds * 1000) / pieces - performance.now()));
  }
  outgoing.end(`${piece("", "stop")}${event({ choices: [], usage })}data: [DONE]\n\n`);
}

/** Two engines, so that both can stand behind one name. Tells their ports, and when asked how many pages each has had. */
function startEngines(): void {
  const pages = [0, 0];
  const servers = pages.map((_, index) =>
    createServer((incoming, outgoing) => {
      let tail = "";
      incoming.on("data", (chunk: Buffer) => (tail = (tail + chunk.subarray(-200).toString("latin1")).slice(-200)));
      incoming.on("end", () => {
        pages[index] = (pages[index] ?? 0) + 1;
        void answer(outgoing, tail.includes('"stream":true'));
      });
    }),
  );
  let listening = 0;
  const ports = () => servers.map((server) => (server.address() as AddressInfo).port); // TCP servers have ports
  for (const server of servers) server.listen(0, "127.0.0.1", 4096, () => (listening += 1) === servers.length && process.send?.(ports()));
  process.on("message", () => process.send?.(pages));
}

/** A port on which nothing listens any more. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startGateway(): Promise<void> {
  const { connect } = await import("@/lib/platform/db");
  const { createSend } = await import("@/lib/platform/send");
  const { createGateway } = await import("@/lib/services/gateway");
  const { answerChat } = await import("@/lib/services/gateway-chat");
  const { serveRoute } = await import("./test/serve-route");
  const urls = new Map(Object.entries(JSON.parse(process.env.BENCH_ENGINES ?? "{}") as Record<string, string>)); // written below
  const engines = new Map([...urls].map(([deploymentId, origin]) => [deploymentId, { deploymentId, modelId: "lightonocr-3-1b", servedName: "stand-in", skuId: null, hasThinkingSwitch: false, route: "direct" as const, send: createSend({ origin, allowLoopback: true }) }]));
  const unlimited = { pagesPerMinute: { ofToken: 1e9, ofPerson: 1e9, ofEnvironment: 1e9 }, refusedPerMinute: 60, parallel: 4096 };
  const gateway = createGateway(connect(process.env.DATABASE_URL ?? ""), {
    limits: unlimited,
    engineOf: async (_db, id) => {
      const engine = engines.get(id ?? "");
      if (!engine) throw new Error("no such engine");
      return engine;
    },
  });
  const { origin } = await serveRoute((incoming) => answerChat(gateway, incoming));
  process.on("message", () => {
    globalThis.gc?.();
    process.send?.({ rss: process.memoryUsage().rss, cpu: process.cpuUsage() });
  });
  process.send?.(Number(new URL(origin).port));
}

type Facts = { rss: number; cpu: { user: number; system: number } };
const told = <T>(child: ChildProcess) => new Promise<T>((resolve) => child.once("message", (message) => resolve(message as T))); // our own children
const ask = <T>(child: ChildProcess) => {
  const facts = told<T>(child);
  child.send("facts");
  return facts;
};

const picture = `data:image/png;base64,${randomBytes(300_000).toString("base64")}`;
const bodyOf = (model: string, stream: boolean) => Buffer.from(JSON.stringify({ model, messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: picture } }] }], stream }));
type Target = { port: number; key: string; model: string };
type Lanes = { parallel: number; pages: number; stream: boolean };

function onePage({ port, key }: Target, agent: Agent, body: Buffer): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": body.byteLength, authorization: `Bearer ${key}` };
    const outgoing = request({ host: "127.0.0.1", port, path: "/v1/chat/completions", method: "POST", agent, headers }, (incoming) => {
      incoming.resume();
      incoming.on("error", reject);
      incoming.on("end", () => (incoming.statusCode === 200 ? resolve(performance.now() - started) : reject(new Error(`status ${incoming.statusCode}`))));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Milliseconds of each page. */
async function measure(target: Target, { parallel, pages, stream }: Lanes): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  const body = bodyOf(target.model, stream);
  const lanes = await Promise.all(
    Array.from({ length: parallel }, async (_, lane) => {
      await pause((lane * seconds * 1000) / parallel);
      const times: number[] = [];
      for (let page = 0; page < pages; page += 1) times.push(await onePage(target, agent, body));
      return times;
    }),
  );
  agent.destroy();
  return lanes.flat();
}

/** Lanes ask one page after the other without a pause, so that this many pages end in a second. */
const perSecond = (times: number[], parallel: number) => (parallel * 1000 * times.length) / times.reduce((sum, ms) => sum + ms, 0);
const median = (times: number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

async function compare({ direct, through, gateway }: { direct: Target; through: Target; gateway: ChildProcess }, lanes: Lanes): Promise<number> {
  const [bare, passed]: [number[], number[]] = [[], []];
  const before = await ask<Facts>(gateway);
  for (let round = 0; round < Number(argument("rounds", "2")); round += 1) {
    bare.push(...(await measure(direct, lanes)));
    passed.push(...(await measure(through, lanes)));
  }
  const after = await ask<Facts>(gateway);
  const cpu = (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1e6;
  const [x, y] = [perSecond(bare, lanes.parallel), perSecond(passed, lanes.parallel)];
  console.log(
    `${lanes.stream ? "stream" : "whole "} ${String(lanes.parallel).padStart(3)} at once: direct ${x.toFixed(2)}/s, gateway ${y.toFixed(2)}/s, ratio ${(y / x).toFixed(3)}; ` +
      `p50 +${(median(passed) - median(bare)).toFixed(1)} ms; ${(passed.length / cpu).toFixed(0)} pages a CPU second; memory ${Math.round(before.rss / 1e6)} → ${Math.round(after.rss / 1e6)} MB`,
  );
  return passed.length;
}

async function prepare(url: string) {
  const { connect } = await import("@/lib/platform/db");
  const { createEnvironment, createPerson } = await import("./test/callers");
  const { makeApiKey, makeDeployment } = await import("./test/gateway-place");
  const db = connect(url);
  const name = `bench-${Date.now()}`;
  const cluster = await db.cluster.create({ data: { name, kind: "linked", server: "https://bench.invalid", sealedCredentials: new Uint8Array(), fingerprint: "" } });
  const environment = async (slug: string) => {
    const id = await createEnvironment(db, slug);
    await db.environment.update({ where: { id }, data: { clusterId: cluster.id } });
    return id;
  };
  const [one, pool] = [await environment(`${name}-one`), await environment(`${name}-pool`)];
  const { id: userId } = await createPerson(db, name, { roles: { [one]: "analyst", [pool]: "analyst" } });
  const alone = await makeDeployment(db, one, { name: "stand-in" });
  const several = await Promise.all(["first", "second", "dead"].map((each) => makeDeployment(db, pool, { name: each })));
  const counted = () => db.usageEntry.count({ where: { environmentId: { in: [one, pool] } } });
  return { db, alone, several, key: await makeApiKey(db, userId), model: `${name}-one/stand-in`, poolModel: `${name}-pool/lightonocr-3-1b`, counted };
}

async function main(): Promise<void> {
  const { startPostgres } = await import("./postgres.ts");
  const { migrate } = await import("./migrate.ts");
  const database = await startPostgres({ dir: ".data/bench/pg-gateway", database: "bench" });
  await migrate(database.url);
  const place = await prepare(database.url);
  const engines = fork(self, ["engines", "--seconds", String(seconds), "--pieces", String(pieces)]);
  const [port = 0, second = 0] = await told<number[]>(engines);
  const urls = [port, second, await freePort()].map((each) => `http://127.0.0.1:${each}`);
  const BENCH_ENGINES = JSON.stringify({ [place.alone]: urls[0], ...Object.fromEntries(place.several.map((id, index) => [id, urls[index]])) });
  const gateway = fork(self, ["gateway"], { execArgv: [...process.execArgv, "--expose-gc"], env: { ...process.env, DATABASE_URL: database.url, LECTERN_LOG_LEVEL: "silent", BENCH_ENGINES } });
  gateway.once("exit", (code) => code && process.exit(code)); // it says why
  const through: Target = { port: await told<number>(gateway), key: place.key, model: place.model };
  const both = { direct: { port, key: "none", model: "stand-in" }, through, gateway };
  console.log(`${os.cpus()[0]?.model}, ${os.availableParallelism()} cores, load ${os.loadavg()[0]?.toFixed(1)}; ${seconds} s a page, pictures of 300 kB, ${pieces} pieces in a stream`);
  let asked = (await measure(through, { parallel: 16, pages: 2, stream: true })).length;
  const pages = Number(argument("pages", "6"));
  for (const stream of [false, true])
    for (const parallel of argument("parallel", "1,8,32").split(",").map(Number)) asked += await compare(both, { parallel, stream, pages });
  for (const stream of [false, true]) asked += await compare(both, { parallel: Number(argument("saturate", "256")), stream, pages: 3 });
  const before = await ask<number[]>(engines);
  asked += (await measure({ ...through, model: place.poolModel }, { parallel: 32, pages: 4, stream: false })).length;
  const after = await ask<number[]>(engines);
  const [a = 0, b = 0] = after.map((count, index) => count - (before[index] ?? 0));
  console.log(`two engines and a dead one behind one name: ${a} and ${b} pages, ${((100 * Math.abs(a - b)) / (a + b)).toFixed(1)} % apart, no request failed`);
  console.log(`pages answered ${asked}, pages counted ${await place.counted()}`);
  engines.kill();
  gateway.kill();
  await place.db.$disconnect();
  await database.stop();
}

if (process.argv[2] === "engines") startEngines();
else if (process.argv[2] === "gateway") await startGateway();
else await main();
