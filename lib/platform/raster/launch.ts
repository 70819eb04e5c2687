import "server-only";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { log } from "../log";

/**
 * How a worker is started: the program with its arguments, and the user that it runs as where this process may choose one.
 * `hasNetwork` is false where the system gives it none; Node's permissions are its only bounds where `command` is Node itself.
 */
export type Launch = { command: string; args: string[]; user: { uid: number; gid: number } | Record<string, never>; hasNetwork: boolean };

/** Nothing of the server's environment reaches a worker. */
const WORKER_ENV = { NODE_ENV: "production" } as const;

/** Starts a worker without a way to print, as that may quote the document. */
export function spawnWorker({ command, args, user }: Launch): ChildProcess {
  return spawn(command, args, { env: WORKER_ENV, cwd: "/", stdio: ["pipe", "ignore", "ignore", "ipc"], serialization: "advanced", ...user });
}

// The build has its own place for code, but the worker is started from the source, relative to the folder of the checkout.
const inCheckout = (place: string) => path.join(/* turbopackIgnore: true */ process.cwd(), place);
const workerFile = () => inCheckout("lib/platform/raster/worker.mjs");
const NOBODY = { uid: 65534, gid: 65534 };
const CHECK_TIMEOUT_MS = 10_000;

let strongest: Promise<Launch> | undefined;

/** The strongest isolation in which a worker starts on this machine; tried once. */
export function workerLaunch(): Promise<Launch> {
  return (strongest ??= findStrongest());
}

async function findStrongest(): Promise<Launch> {
  const plain: Launch = { command: process.execPath, args: nodeArgs(), user: {}, hasNetwork: true };
  for (const launch of isolatedLaunches()) {
    if (!(await starts(launch))) continue;
    if (launch.hasNetwork) log().warn("documents are drawn in a process that the network reaches: this system lets it have no namespace of its own");
    return launch;
  }
  log().warn("documents are drawn in a process that only Node's permissions bound: this system lets it have no namespace and no setpriv");
  return plain;
}

/**
 * The strongest first. On Linux a worker gets a user and a network namespace of its own (no interface,
 * no capability, no sight of other processes' environments), may gain no privileges and dies with its parent (unshare(1), setpriv(1));
 * a root parent also gives it an account that owns nothing, unless that account cannot read the checkout.
 */
function isolatedLaunches(): Launch[] {
  if (process.platform !== "linux") return [];
  const bound = ["--no-new-privs", "--pdeathsig", "KILL", process.execPath, ...nodeArgs()];
  const users = process.getuid?.() === 0 ? [NOBODY, {}] : [{}];
  return [
    ...users.map((user) => ({ command: "unshare", args: ["--user", "--net", "setpriv", ...bound], user, hasNetwork: false })),
    ...users.map((user) => ({ command: "setpriv", args: bound, user, hasNetwork: true })),
  ];
}

/** Node's own permissions: read this code and its packages, load sharp; no other file, no child process, no thread. A bounded heap. */
function nodeArgs(): string[] {
  const flag = process.allowedNodeEnvironmentFlags.has("--permission") ? "--permission" : "--experimental-permission";
  const readable = ["node_modules", "lib/platform/raster", "package.json"].map((place) => `--allow-fs-read=${inCheckout(place)}`);
  return [flag, "--allow-addons", ...readable, "--max-old-space-size=512", "--expose-gc", "--no-warnings", workerFile()];
}

async function starts({ command, args, user }: Launch): Promise<boolean> {
  return promisify(execFile)(command, [...args, "--check"], { env: WORKER_ENV, timeout: CHECK_TIMEOUT_MS, ...user }).then(
    ({ stdout }) => stdout.trim() === "ready",
    () => false,
  );
}
