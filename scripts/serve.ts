/** Starts everything on one machine: database, migrations, portal. `--dev` compiles on demand. */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import path from "node:path";
import next from "next";
import { migrate } from "./migrate.ts";
import { startPostgres } from "./postgres.ts";

const PEER_HEADER = "x-lectern-peer";
const FORWARDED_HEADERS = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port", "forwarded"];
const STOP_TIMEOUT_MS = 8_000;

type Stop = () => Promise<void> | void;
type Started = { stops: Stop[]; welcome: string };
type Shared = typeof globalThis & { lecternStarted?: (started: Started) => void; lecternFailed?: (error: Error) => void };

const isDev = process.argv.includes("--dev");
const dir = path.resolve(process.env.LECTERN_DATA_DIR ?? ".lectern");
const port = Number(process.env.PORT ?? 3000);
const hostname = process.env.LECTERN_HOST ?? "127.0.0.1";

/** Keys of this installation, made once. Losing the file loses the documents and the cluster credentials: docs/operations.md. */
function secrets(): { sessionSecret: string; masterKey: string } {
  const file = path.join(dir, "secrets.json");
  if (!existsSync(file)) {
    const made = { sessionSecret: randomBytes(32).toString("base64url"), masterKey: randomBytes(32).toString("base64") };
    writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, "utf8"));
}

function configure(databaseUrl: string): void {
  const made = secrets();
  process.env.LECTERN_DATA_DIR = dir;
  process.env.DATABASE_URL = databaseUrl;
  process.env.NEXTAUTH_URL ??= `http://localhost:${port}`;
  process.env.NEXTAUTH_SECRET ??= made.sessionSecret;
  process.env.LECTERN_MASTER_KEY ??= made.masterKey;
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  const file = path.join(dir, "run.json");
  writeFileSync(file, JSON.stringify({ pid: process.pid, url: process.env.NEXTAUTH_URL, databaseUrl }), { mode: 0o600 });
  chmodSync(file, 0o600);
}

/** What a client says of its own address counts only behind a proxy that the operator trusts. */
function markPeer(request: IncomingMessage): void {
  delete request.headers[PEER_HEADER];
  if (process.env.LECTERN_TRUST_PROXY !== "1") for (const header of FORWARDED_HEADERS) delete request.headers[header];
  request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "";
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new Error(error.code === "EADDRINUSE" ? `Port ${port} is in use. Stop what listens there, or choose another one with PORT.` : `Port ${port} cannot be used (${error.code}).`)),
    );
    server.listen(port, hostname, resolve);
  });
}

/** Next does not wait for instrumentation.ts, where the portal itself starts; this does. Must be called before Next is prepared. */
function portalStart(): Promise<Started> {
  const shared = globalThis as Shared;
  return new Promise((resolve, reject) => {
    shared.lecternStarted = resolve;
    shared.lecternFailed = reject;
  });
}

async function start(): Promise<Stop> {
  const started = Date.now();
  mkdirSync(dir, { recursive: true });
  const own = process.env.DATABASE_URL ? undefined : await startPostgres({ dir: path.join(dir, "pg"), isSole: true });
  const stops: Stop[] = own ? [own.stop] : [];
  try {
    const databaseUrl = process.env.DATABASE_URL ?? own?.url ?? "";
    await migrate(databaseUrl);
    configure(databaseUrl);
    const portal = portalStart();
    const app = next({ dev: isDev, dir: process.cwd(), hostname, port });
    const [, { stops: portalStops, welcome }] = await Promise.all([app.prepare(), portal]);
    const handle = app.getRequestHandler();
    const server = createServer((request, response) => {
      markPeer(request);
      void handle(request, response);
    });
    server.on("upgrade", (request, socket, head) => void app.getUpgradeHandler()(request, socket, head));
    await listen(server);
    stops.unshift(() => closeServer(server), ...portalStops);
    console.log(`Lectern is ready after ${((Date.now() - started) / 1000).toFixed(1)} s at ${process.env.NEXTAUTH_URL}`);
    if (welcome) console.log(welcome);
  } catch (error) {
    for (const stop of stops) await stop();
    throw error;
  }
  return async () => {
    for (const stop of stops) await stop();
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections(); // open streams would hold the server for ever; they resume at the next start
  });
}

try {
  const stop = await start();
  let isStopping = false;
  const end = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    void Promise.resolve(stop()).then(() => process.exit(0), () => process.exit(1));
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
