import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { spawnWorker, workerLaunch, type Launch } from "./launch";

type Findings = Record<"dns" | "connect" | "readSecret" | "readParent" | "write" | "spawn" | "thread" | "signalParent", string> & { environment: string[]; user: number; interfaces: string[] };

const folder = mkdtempSync(path.join(os.tmpdir(), "lectern-probe-"));
const secretFile = path.join(folder, "another-document.pdf");
const target = path.join(folder, "written");
const listener = net.createServer((socket) => socket.destroy());
let launch: Launch;
let found: Findings;

beforeAll(async () => {
  writeFileSync(secretFile, "a document of somebody else", { mode: 0o644 });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  launch = await workerLaunch();
  const probe = path.resolve("lib/platform/raster/fixtures/probe.mjs");
  const args = [...launch.args.slice(0, -1), probe, String(typeof address === "object" && address?.port), secretFile, target];
  process.env.PROBE_TOKEN = "secret"; // there is one to be found
  const child = spawnWorker({ ...launch, args });
  [found] = await once(child, "message");
  child.kill("SIGKILL");
});
afterAll(() => {
  listener.close();
  rmSync(folder, { recursive: true });
});

describe("from inside the process that draws documents", () => {
  it("there is no token: nothing of the server's environment", () => {
    expect(found.environment).toEqual([]);
  });

  it("there is no other document: no file but the code can be read, and none written", () => {
    expect(found.readSecret).toBe("ERR_ACCESS_DENIED");
    expect(found.readParent).toBe("ERR_ACCESS_DENIED");
    expect(found.write).toBe("ERR_ACCESS_DENIED");
    expect(existsSync(target)).toBe(false);
  });

  it("no program and no thread can be started", () => {
    expect([found.spawn, found.thread]).toEqual(["ERR_ACCESS_DENIED", "ERR_ACCESS_DENIED"]);
  });

  it("there is no network: no interface, no name, no listener of this machine", ({ skip }) => {
    if (launch.hasNetwork) {
      console.warn("Not tried: this system gives a process no network namespace of its own (unshare --user --net).");
      skip();
    }
    expect(found.interfaces).toEqual([]);
    expect(found.dns).not.toBe("done");
    expect(found.connect).not.toBe("done");
  });

  it("it is not root, and may not touch the server's process", ({ skip }) => {
    if (launch.hasNetwork) skip();
    expect(found.user).not.toBe(0);
    if (process.getuid?.() === 0) expect(found.signalParent).toBe("EPERM");
  });
});
